#include "lab/watching.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "lab/functions.h"
#include "lab/outcome.h"
#include "lab/profiling.h"
#include "lab/state.h"
#include "lab/trial.h"
#include "model/function.h"
#include "model/stacks.h"
#include "profile/stack_monitor.h"
#include "run/executor.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace {

namespace fs = std::filesystem;

// Where files lie that have another name in each run, and what stands for it.
struct Stem {
  std::string path;
  std::string name;
};

std::optional<std::string> below_stem(const std::string& file, const Stem& stem) {
  if (!file.starts_with(stem.path))
    return std::nullopt;
  const std::string_view rest = std::string_view(file).substr(stem.path.size());
  if (!rest.empty() && !rest.starts_with('/'))
    return std::nullopt;
  if (stem.name.empty())
    return rest.empty() ? "." : std::string(rest.substr(1));
  return stem.name + std::string(rest);
}

// "pipe:[4711]" has another number in each run.
std::string without_number(const std::string& file) {
  const std::size_t at = file.find(":[");
  return file.starts_with('/') || at == std::string::npos ? file : file.substr(0, at);
}

std::string lasting_name(const std::string& file, std::span<const Stem> stems) {
  for (const Stem& stem : stems)
    if (auto name = below_stem(file, stem))
      return std::move(*name);
  return without_number(file);
}

void name_files(StackProfile& profile, std::span<const Stem> stems) {
  for (StackUse& use : profile.uses)
    use.file = lasting_name(use.file, stems);
}

void name_sources(StackProfile& profile, const fs::path& checkout) {
  for (StackFrame& frame : profile.frames)
    if (frame.place)
      frame.place = below(checkout, std::move(*frame.place));
}

struct Seen {
  std::uint64_t calls = 0;
  std::uint64_t amount = 0;
};

Seen seen(const StackProfile& profile, std::string_view metric) {
  Seen sum;
  for (const StackUse& use : profile.uses)
    if (use.metric == metric) {
      sum.calls += use.calls;
      sum.amount += use.amount;
    }
  return sum;
}

std::uint64_t accounted(const StackProfile& profile, const std::string& metric) {
  const auto found = profile.accounted.find(metric);
  return found == profile.accounted.end() ? 0 : found->second;
}

// Sites in the C library that cannot be watched matter where the kernel has seen more than the
// monitor.
std::vector<std::string> gaps_of(const profile::Monitored& monitored) {
  std::vector<std::string> gaps = monitored.gaps;
  bool differs = false;
  for (const std::string metric : {"written", "read"}) {
    const Seen known = seen(monitored.profile, metric);
    const std::uint64_t bytes = accounted(monitored.profile, metric);
    const std::uint64_t calls = accounted(monitored.profile, metric + " calls");
    if (bytes <= known.amount && calls <= known.calls)
      continue;
    differs = true;
    gaps.push_back(fmt::format("the kernel accounts {} bytes {} in {} calls, and the monitor saw "
                               "{} in {}",
                               bytes, metric, calls, known.amount, known.calls));
  }
  if (differs && !monitored.sites.empty())
    gaps.push_back(fmt::format("{} system calls in the C library cannot be watched ({})",
                               monitored.sites.size(), join(monitored.sites, ", ")));
  if (monitored.cut > 0)
    gaps.push_back(fmt::format("{} stacks do not lead to where their thread began", monitored.cut));
  return gaps;
}

std::string way_of(const profile::Monitored& monitored) {
  if (monitored.way == profile::Way::Inside)
    return {};
  const std::string way = monitored.way == profile::Way::Kernel
                              ? "by the kernel"
                              : "by stopping it at its system calls";
  return monitored.reasons.empty() ? way
                                   : fmt::format("{} ({})", way, join(monitored.reasons, "; "));
}

} // namespace

std::string chosen_word(profile::Way way) {
  using profile::Way;
  return way == Way::Inside    ? "inside"
         : way == Way::Kernel  ? "kernel"
         : way == Way::Stopped ? "stopped"
                               : "";
}

Result<WatchedRun> watch_once(run::Executor& executor, const State& state, const Trial& trial,
                              std::span<const FunctionTable> tables, const Watcher& watcher) {
  const auto scratch = TRY(ScratchFolder::make(state.scratch()));
  WatchedRun watched;
  watched.chosen_way = chosen_word(watcher.way);
  if (auto unprepared = TRY(prepare(executor, trial, scratch))) {
    watched.run = std::move(*unprepared);
    return watched;
  }
  watched.run.started = milliseconds_since_1970();
  const profile::Monitoring how{.allocations = profile::Allocations::Counted,
                                .way = watcher.way,
                                .renew = [&] { return renew(executor, trial, scratch); },
                                .code = watcher.code};
  auto monitored =
      TRY_WHILE(fmt::format("cannot watch {}", trial.benchmark.name),
                profile::monitor_stacks(executor, profiled_job(trial, scratch), state.watching(),
                                        how, by_path(trial.build_folder, tables)));
  note_ending(monitored.finished, watched.run);
  if (watched.run.finished())
    watched.run.log.clear();
  watched.gaps = gaps_of(monitored);
  watched.way = way_of(monitored);
  watched.profile = std::move(monitored.profile);
  const std::vector<Stem> stems{{scratch.path().string(), "$DRAGNET_TMP"},
                                {trial.build_folder, "$DRAGNET_BUILD"},
                                {trial.project.root.string(), ""}};
  name_files(watched.profile, stems);
  name_sources(watched.profile, state.places().checkout);
  return watched;
}

} // namespace dragnet::lab
