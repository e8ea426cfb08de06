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
#include "runtime/instruction_clock.h"

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

// `plugin`: with its arguments, as QEMU takes them.
Result<> put_inside(run::Job& job, const std::string& below, const std::string& plugin) {
  const auto hook = TRY(helper_program("dragnet-exec.so"));
  job.fixed_addresses = true;
  preload(job.variables, hook.string());
  // Calls between binaries then go straight to the callee from the first one on.
  set_variable(job.variables, "LD_BIND_NOW", "1");
  set_variable(job.variables, DRAGNET_COUNT_BELOW, below);
  set_variable(job.variables, DRAGNET_COUNT_WITH, find_program(emulator_name).string());
  set_variable(job.variables, DRAGNET_COUNT_PLUGIN, plugin);
  return success();
}

} // namespace

bool has_emulator() {
  return !find_program(emulator_name).empty();
}

Result<run::Job> inside_emulator(run::Job job, const std::string& below, const fs::path& into,
                                 const Tables& tables) {
  const auto plugin = TRY(helper_program("dragnet-counts.so"));
  const auto entries = into / "entries";
  TRY(write_file(entries, entries_file(tables)));
  TRY(put_inside(job, below,
                 fmt::format("{},dir={},entries={}", part(plugin.string()), part(into.string()),
                             part(entries.string()))));
  return job;
}

Result<run::Job> inside_instruction_clock(run::Job job, const std::string& below) {
  const auto plugin = TRY(helper_program("dragnet-clock.so"));
  TRY(put_inside(job, below, part(plugin.string())));
  // QEMU tells the program inside, and nobody else.
  set_variable(job.variables, "QEMU_SET_ENV", fmt::format("{}=instructions", DRAGNET_CALLS_CLOCK));
  return job;
}

} // namespace dragnet::profile
