// explain ROUNDS [NAME LIMIT ALLOCATIONS COMMAND]...: what the monitor costs in CPU time, as a
// multiple of the command alone, and whether it saw all that the kernel accounted. ALLOCATIONS is 1
// where they are counted too. A command is words without quotes.
#include "base/files.h"
#include "base/result.h"
#include "profile/stack_monitor.h"
#include "run/executor.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace dragnet; // NOLINT(google-build-using-namespace): a program about it
namespace fs = std::filesystem;

struct Subject {
  std::string name;
  double limit;
  profile::Allocations allocations;
  std::string command;
};

struct Costs {
  std::vector<double> alone;
  std::vector<double> watched;
};

// In memory where that is possible: disks take long and vary.
fs::path place() {
  return (fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) /
         "dragnet-bench";
}

// The value that a share of the others lies below.
double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size()))];
}

run::Job job_of(const Subject& subject, const fs::path& folder) {
  run::Job job;
  std::istringstream words(subject.command);
  for (std::string word; words >> word;)
    job.words.push_back(word);
  job.variables = {"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=/"};
  job.folder = folder;
  return job;
}

Result<double> cpu_time(run::Executor& executor, const Subject& subject, bool watched) {
  const auto scratch = TRY(ScratchFolder::make(place()));
  const auto records = TRY(ScratchFolder::make(place()));
  auto job = job_of(subject, scratch.path());
  if (watched)
    job = TRY(profile::under_monitor(std::move(job), records.path(), subject.allocations));
  const auto finished = TRY(executor.carry_out(job));
  if (finished.ending != run::Ending::Exited || finished.status != 0)
    return Error{fmt::format("{} failed: {}", subject.name, finished.log), {}};
  return finished.user_seconds + finished.system_seconds;
}

Result<Costs> measure(run::Executor& executor, const Subject& subject, int rounds) {
  Costs costs;
  for (int round = 0; round < rounds; ++round) {
    const bool watched_first = round % 2 == 0;
    const double first = TRY(cpu_time(executor, subject, watched_first));
    const double second = TRY(cpu_time(executor, subject, !watched_first));
    costs.alone.push_back(watched_first ? second : first);
    costs.watched.push_back(watched_first ? first : second);
  }
  return costs;
}

// Whether the totals over stacks are those of the kernel.
Result<bool> sees_all(run::Executor& executor, const Subject& subject) {
  const auto scratch = TRY(ScratchFolder::make(place()));
  auto monitored = TRY(profile::monitor_stacks(executor, job_of(subject, scratch.path()), place(),
                                               subject.allocations, {}));
  auto& known = monitored.profile.accounted;
  std::map<std::string, std::uint64_t> seen;
  for (const auto& use : monitored.profile.uses) {
    seen[use.metric] += use.amount;
    seen[use.metric + " calls"] += use.calls;
  }
  return monitored.profile.lost == 0 && known["written"] == seen["written"] &&
         known["written calls"] == seen["written calls"] && known["read"] == seen["read"] &&
         known["read calls"] == seen["read calls"];
}

Result<bool> print(run::Executor& executor, const std::vector<Subject>& subjects, int rounds) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  fmt::print("{:<14} {:>9} {:>9} {:>14} {:>7} {:>9}\n", "program", "alone", "watched",
             "lower quarter", "limit", "sees all");
  bool held = true;
  std::string last;
  for (const auto& subject : subjects) {
    const bool whole = TRY(sees_all(executor, subject));
    const auto costs = TRY(measure(executor, subject, rounds));
    const auto ratio_at = [&](double share) {
      return quantile(costs.watched, share) / quantile(costs.alone, share);
    };
    const double ratio = ratio_at(0.5);
    held = held && ratio <= subject.limit && whole;
    fmt::print("{:<14} {:>7.3f} s {:>8.3f}x {:>13.3f}x {:>6.2f}x {:>9}\n", subject.name,
               quantile(costs.alone, 0.5), ratio, ratio_at(0.25), subject.limit,
               whole ? "yes" : "NO");
    last += fmt::format("{}{} {:.3f}x", last.empty() ? "" : ", ", subject.name, ratio);
  }
  fmt::print("{}: watching costs {} (ratios of medians of {} rounds)\n", held ? "held" : "NOT HELD",
             last, rounds);
  return held;
}

} // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments, arguments + count);
  std::vector<Subject> subjects;
  for (std::size_t at = 2; at + 3 < words.size(); at += 4)
    subjects.push_back(
        {words[at], std::atof(words[at + 1].c_str()),
         words[at + 2] == "1" ? profile::Allocations::Counted : profile::Allocations::Left,
         words[at + 3]});
  auto executor = run::LocalExecutor::start();
  if (!executor || subjects.empty())
    return 2;
  const auto held = print(*executor, subjects, std::atoi(words[1].c_str()));
  if (!held) {
    fmt::print(stderr, "bench/explain: {}\n", held.error().what);
    return 2;
  }
  return *held ? 0 : 1;
}
