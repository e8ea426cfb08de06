#include "profile/stack_monitor.h"

#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "base/text.h"
#include "binary/open_code.h"
#include "model/stacks.h"
#include "profile/stack_file.h"
#include "profile/stack_records.h"
#include "profile/tally.h"
#include "profile/variables.h"
#include "run/executor.h"
#include "run/job.h"
#include "runtime/stacks_format.h"
#include "runtime/trace_wire.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

namespace fs = std::filesystem;

// What one run under the monitor left.
struct Watched {
  Way way = Way::Inside;
  run::Finished finished;
  std::vector<ProcessStacks> processes;
  std::vector<std::string> notes;
  std::optional<std::string> refused; // why nothing was watched
};

std::string trimmed_file(const fs::path& path) {
  const auto text = read_file(path);
  return text ? std::string(trim(*text)) : std::string();
}

void read_notes(Watched& watched, const fs::path& folder) {
  watched.notes = lines(trimmed_file(folder / DRAGNET_TRACE_NOTES));
  if (const auto refused = trimmed_file(folder / DRAGNET_TRACE_REFUSED); !refused.empty())
    watched.refused = refused;
  else if (watched.processes.empty() && watched.way != Way::Inside)
    watched.refused = watched.finished.log.empty() ? "it did not start" : watched.finished.log;
  if (const auto error = trimmed_file(folder / DRAGNET_TRACE_NOT_STARTED); !error.empty()) {
    watched.finished.ending = run::Ending::NotStarted;
    watched.finished.status = std::atoi(error.c_str());
  }
}

Result<fs::path> tracer_of(Way way) {
  return helper_program(way == Way::Kernel ? "dragnet-trace-kernel" : "dragnet-trace");
}

Result<Watched> watch(run::Executor& executor, const run::Job& job, const fs::path& scratch,
                      const Monitoring& how) {
  const auto folder = TRY(ScratchFolder::make(scratch));
  Watched watched;
  watched.way = how.way;
  if (const auto tracer = tracer_of(how.way); how.way == Way::Kernel && !tracer) {
    watched.refused = tracer.error().what;
    return watched;
  }
  const auto changed = how.way == Way::Inside
                           ? TRY(under_monitor(job, folder.path(), how.allocations))
                           : TRY(under_tracer(job, folder.path(), how.way));
  watched.finished = TRY(executor.carry_out(changed));
  watched.processes = TRY(read_stacks(folder.path()));
  read_notes(watched, folder.path());
  return watched;
}

std::uint64_t excess(std::uint64_t whole, std::uint64_t part) {
  return whole > part ? whole - part : 0;
}

std::uint64_t rest(double all, std::uint64_t part) {
  return excess(static_cast<std::uint64_t>(all), part);
}

std::uint64_t lost(const std::vector<ProcessStacks>& processes) {
  std::uint64_t sum = 0;
  for (const auto& process : processes)
    sum += process.header.lost + process.header.lost_processes;
  return sum;
}

// What the kernel accounted that is the benchmark's doing, where that is known.
std::optional<dragnet_transfers> accounted(const Watched& watched) {
  const auto ours = unwatched(watched.processes);
  if (!ours || !watched.finished.transfers)
    return std::nullopt;
  const auto& all = *watched.finished.transfers;
  return dragnet_transfers{.read_bytes = rest(all.bytes_read, ours->read_bytes),
                           .written_bytes = rest(all.bytes_written, ours->written_bytes),
                           .reads = rest(all.reads, ours->reads),
                           .writes = rest(all.writes, ours->writes)};
}

Monitored assemble(Watched watched, const Monitoring& how, const Tables& tables) {
  Monitored monitored;
  binary::OpenCode own;
  monitored.way = watched.way;
  monitored.profile =
      stack_profile(watched.processes, tables, how.code == nullptr ? own : *how.code);
  monitored.sites = gaps(watched.processes);
  monitored.gaps = std::move(watched.notes);
  for (const auto& process : watched.processes)
    monitored.cut += process.header.cut;
  if (const auto known = accounted(watched))
    monitored.profile.accounted = {{"read", known->read_bytes},
                                   {"written", known->written_bytes},
                                   {"read calls", known->reads},
                                   {"written calls", known->writes}};
  monitored.finished = std::move(watched.finished);
  return monitored;
}

// What the library inside of programs has not seen.
struct Missed {
  std::uint64_t programs = 0;
  std::uint64_t written_bytes = 0;
  std::uint64_t read_bytes = 0;

  bool something() const { return programs > 0 || written_bytes > 0 || read_bytes > 0; }
};

Missed missed(const Watched& watched) {
  using run::Ending;
  if (watched.finished.ending == Ending::NotStarted || watched.finished.ending == Ending::TimedOut)
    return {};
  Missed missed{.programs = unwatched_programs(watched.processes)};
  const auto known = accounted(watched);
  if (!known || lost(watched.processes) > 0)
    return missed;
  const auto seen = transferred(watched.processes);
  missed.written_bytes = excess(known->written_bytes, seen.written_bytes);
  missed.read_bytes = excess(known->read_bytes, seen.read_bytes);
  return missed;
}

constexpr auto unseen_programs = "programs that cannot be watched from inside, because they are "
                                 "linked statically or have privileges of their own";
constexpr auto unseen_calls = "system calls that the monitor inside of programs does not see";

std::vector<std::string> gaps_of(const Missed& missed) {
  std::vector<std::string> gaps;
  if (missed.programs > 0)
    gaps.push_back(fmt::format("{}: {}", unseen_programs, missed.programs));
  if (missed.written_bytes > 0 || missed.read_bytes > 0)
    gaps.push_back(fmt::format("written {} and read {} bytes by {}", missed.written_bytes,
                               missed.read_bytes, unseen_calls));
  return gaps;
}

std::string name_of(Way way) {
  return way == Way::Kernel ? "by the kernel" : "by stopping it";
}

// What was seen from outside, with the allocations that only the inside shows.
Watched joined(Watched outside, Watched inside) {
  for (auto& process : inside.processes) {
    std::erase_if(process.uses,
                  [](const dragnet_use& use) { return use.kind != DRAGNET_ALLOCATED; });
    process.gaps.clear();
    process.header.cut = 0;
    process.header.own = {};
    process.header.forked = 1; // nothing that was accounted belongs to the other run
    if (!process.uses.empty())
      outside.processes.push_back(std::move(process));
  }
  return outside;
}

Error not_allowed(Way way, const std::string& why) {
  return Error{fmt::format("cannot watch the benchmark {}: {}", name_of(way), why),
               way == Way::Kernel
                   ? "it takes root, or the capabilities BPF and PERFMON; --monitor auto finds "
                     "another way"
                   : "--monitor auto finds another way"};
}

Result<Monitored> in_suitable_way(run::Executor& executor, const run::Job& job,
                                  const fs::path& scratch, const Monitoring& how,
                                  const Tables& tables) {
  auto inside = TRY(watch(executor, job, scratch, {how.allocations, Way::Inside}));
  const auto unseen = missed(inside);
  if (!unseen.something())
    return assemble(std::move(inside), how, tables);
  if (how.renew)
    TRY(how.renew());
  // Without numbers, so that it is the same for all runs.
  std::vector<std::string> reasons{unseen.programs > 0 ? unseen_programs : unseen_calls};
  for (const Way way : {Way::Kernel, Way::Stopped}) {
    auto outside = TRY(watch(executor, job, scratch, {Allocations::Left, way}));
    if (outside.refused) { // nothing was started
      reasons.push_back(fmt::format("not watched {}: {}", name_of(way), *outside.refused));
      continue;
    }
    auto monitored = assemble(joined(std::move(outside), std::move(inside)), how, tables);
    monitored.reasons = std::move(reasons);
    return monitored;
  }
  auto monitored = assemble(std::move(inside), how, tables);
  std::ranges::move(gaps_of(unseen), std::back_inserter(monitored.gaps));
  std::ranges::move(reasons | std::views::drop(1), std::back_inserter(monitored.gaps));
  return monitored;
}

} // namespace

Result<run::Job> under_monitor(run::Job job, const fs::path& into, Allocations allocations) {
  const auto monitor = TRY(helper_program("dragnet-stacks.so"));
  if (allocations == Allocations::Counted)
    preload(job.variables, TRY(helper_program("dragnet-allocations.so")).string());
  preload(job.variables, monitor.string());
  set_variable(job.variables, DRAGNET_STACKS_INTO, into.string());
  set_variable(job.variables, DRAGNET_STACKS_SITES, into.parent_path().string());
  return job;
}

Result<run::Job> under_tracer(run::Job job, const fs::path& into, Way way) {
  const auto tracer = TRY(tracer_of(way));
  job.words.insert(job.words.begin(), {tracer.string(), into.string()});
  return job;
}

Result<Monitored> monitor_stacks(run::Executor& executor, const run::Job& job,
                                 const fs::path& scratch, const Monitoring& how,
                                 const Tables& tables) {
  if (how.way == Way::Auto)
    return in_suitable_way(executor, job, scratch, how, tables);
  auto watched = TRY(watch(executor, job, scratch, how));
  if (watched.refused)
    return not_allowed(how.way, *watched.refused);
  if (how.way == Way::Inside)
    std::ranges::move(gaps_of(missed(watched)), std::back_inserter(watched.notes));
  return assemble(std::move(watched), how, tables);
}

} // namespace dragnet::profile
