#include "profile/emulator.h"

#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "base/text.h"
#include "profile/attribution.h"
#include "profile/tally.h"
#include "run/job.h"
#include "runtime/exec_wire.h"

#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

namespace fs = std::filesystem;

constexpr const char* emulator_name = "qemu-x86_64";

// The variables with one more; what it replaces goes.
void set_variable(std::vector<std::string>& variables, std::string_view name, std::string value) {
  const std::string start = std::string(name) + "=";
  std::erase_if(variables, [&](const std::string& known) { return known.starts_with(start); });
  variables.push_back(start + std::move(value));
}

std::string value_of(const std::vector<std::string>& variables, std::string_view name) {
  for (const auto& variable : variables)
    if (variable.starts_with(std::string(name) + "="))
      return variable.substr(name.size() + 1);
  return {};
}

// Commas separate the parts of an option of QEMU.
std::string part(const std::string& text) {
  return replace_all(text, ",", ",,");
}

} // namespace

bool has_emulator() {
  return !find_program(emulator_name).empty();
}

Result<run::Job> inside_emulator(run::Job job, const std::string& below, const fs::path& into,
                                 const Tables& tables) {
  const auto plugin = TRY(helper_program("dragnet-counts.so"));
  const auto hook = TRY(helper_program("dragnet-exec.so"));
  const auto entries = into / "entries";
  TRY(write_file(entries, entries_file(tables)));
  job.fixed_addresses = true;
  const auto others = value_of(job.variables, "LD_PRELOAD");
  set_variable(job.variables, "LD_PRELOAD", hook.string() + (others.empty() ? "" : ":" + others));
  // Calls between binaries then go straight to the callee from the first one on.
  set_variable(job.variables, "LD_BIND_NOW", "1");
  set_variable(job.variables, DRAGNET_COUNT_BELOW, below);
  set_variable(job.variables, DRAGNET_COUNT_WITH, find_program(emulator_name).string());
  set_variable(job.variables, DRAGNET_COUNT_PLUGIN,
               fmt::format("{},dir={},entries={}", part(plugin.string()), part(into.string()),
                           part(entries.string())));
  return job;
}

} // namespace dragnet::profile
