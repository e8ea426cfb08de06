#include "profile/emulator.h"

#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "base/text.h"
#include "profile/attribution.h"
#include "profile/tally.h"
#include "profile/variables.h"
#include "run/job.h"
#include "runtime/exec_wire.h"

#include <fmt/core.h>

#include <filesystem>
#include <string>

namespace dragnet::profile {
namespace {

namespace fs = std::filesystem;

constexpr const char* emulator_name = "qemu-x86_64";

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
  preload(job.variables, hook.string());
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
