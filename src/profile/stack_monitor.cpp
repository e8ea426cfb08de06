#include "profile/stack_monitor.h"

#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "model/stacks.h"
#include "profile/stack_file.h"
#include "profile/stack_records.h"
#include "profile/tally.h"
#include "profile/variables.h"
#include "run/executor.h"
#include "run/job.h"
#include "runtime/stacks_format.h"

#include <cstdint>
#include <filesystem>

namespace dragnet::profile {
namespace {

std::uint64_t rest(double all, std::uint64_t part) {
  const auto whole = static_cast<std::uint64_t>(all);
  return whole > part ? whole - part : 0;
}

void add_accounted(Monitored& monitored, const dragnet_transfers& unwatched) {
  if (!monitored.finished.transfers)
    return;
  const auto& all = *monitored.finished.transfers;
  auto& accounted = monitored.profile.accounted;
  accounted["read"] = rest(all.bytes_read, unwatched.read_bytes);
  accounted["written"] = rest(all.bytes_written, unwatched.written_bytes);
  accounted["read calls"] = rest(all.reads, unwatched.reads);
  accounted["written calls"] = rest(all.writes, unwatched.writes);
}

} // namespace

Result<run::Job> under_monitor(run::Job job, const std::filesystem::path& into,
                               Allocations allocations) {
  const auto monitor = TRY(helper_program("dragnet-stacks.so"));
  if (allocations == Allocations::Counted)
    preload(job.variables, TRY(helper_program("dragnet-allocations.so")).string());
  preload(job.variables, monitor.string());
  set_variable(job.variables, DRAGNET_STACKS_INTO, into.string());
  set_variable(job.variables, DRAGNET_STACKS_SITES, into.parent_path().string());
  return job;
}

Result<Monitored> monitor_stacks(run::Executor& executor, const run::Job& job,
                                 const std::filesystem::path& scratch, Allocations allocations,
                                 const Tables& tables) {
  const auto folder = TRY(ScratchFolder::make(scratch));
  const auto watched = TRY(under_monitor(job, folder.path(), allocations));
  Monitored monitored;
  monitored.finished = TRY(executor.carry_out(watched));
  const auto processes = TRY(read_stacks(folder.path()));
  monitored.profile = stack_profile(processes, tables);
  monitored.gaps = gaps(processes);
  for (const auto& process : processes)
    monitored.cut += process.header.cut;
  if (const auto known = unwatched(processes))
    add_accounted(monitored, *known);
  return monitored;
}

} // namespace dragnet::profile
