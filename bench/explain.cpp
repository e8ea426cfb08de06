// explain ROUNDS [NAME LIMIT HOW AGAINST COMMAND]...: what the monitor costs in CPU time, as a
// multiple of the command alone or under strace, and whether it saw all that the kernel accounted.
// HOW is inside, allocations (inside too), kernel or stopped; AGAINST is alone or strace. A command
// is words without quotes.
#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "profile/stack_monitor.h"
#include "run/executor.h"
#include "run/machine.h"

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
  std::string how;
  std::string against;
  std::string command;

  profile::Monitoring monitoring() const {
    using profile::Way;
    return {how == "allocations" ? profile::Allocations::Counted : profile::Allocations::Left,
            how == "kernel"    ? Way::Kernel
            : how == "stopped" ? Way::Stopped
                               : Way::Inside};
  }
};

struct Costs {
  std::vector<double> base;
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
  job.cores = run::measuring_cores(1); // as benchmarks have them by default
  return job;
}

Result<run::Job> watched_job(run::Job job, const Subject& subject, const fs::path& records) {
  const auto how = subject.monitoring();
  return how.way == profile::Way::Inside
             ? profile::under_monitor(std::move(job), records, how.allocations)
             : profile::under_tracer(std::move(job), records, how.way);
}

Result<double> cpu_time(run::Executor& executor, const Subject& subject, bool watched) {
  const auto scratch = TRY(ScratchFolder::make(place()));
  const auto records = TRY(ScratchFolder::make(place()));
  auto job = job_of(subject, scratch.path());
  if (watched)
    job = TRY(watched_job(std::move(job), subject, records.path()));
  else if (subject.against == "strace")
    job.words.insert(job.words.begin(), {"strace", "-f", "-k", "-o", "strace.out"});
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
    costs.base.push_back(watched_first ? second : first);
    costs.watched.push_back(watched_first ? first : second);
  }
  return costs;
}

// Whether the totals over stacks are those of the kernel.
Result<bool> sees_all(run::Executor& executor, const Subject& subject) {
  const auto scratch = TRY(ScratchFolder::make(place()));
  auto monitored = TRY(profile::monitor_stacks(executor, job_of(subject, scratch.path()), place(),
                                               subject.monitoring(), {}));
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

// Why a row cannot be measured here, if so.
std::string reason_to_leave_out(run::Executor& executor, const Subject& subject) {
  if (subject.against == "strace" && find_program("strace").empty())
    return "strace is not installed";
  if (subject.monitoring().way != profile::Way::Kernel)
    return {};
  const auto tried = sees_all(executor, subject);
  return tried ? std::string() : tried.error().what;
}

// What a row came to: whether its figure is held, and the text for the last line.
struct Row {
  bool held = true;
  std::string text;
};

Result<Row> print_row(run::Executor& executor, const Subject& subject, int rounds) {
  const bool whole = TRY(sees_all(executor, subject));
  const auto costs = TRY(measure(executor, subject, rounds));
  const auto ratio_at = [&](double share) {
    return quantile(costs.watched, share) / quantile(costs.base, share);
  };
  const double ratio = ratio_at(0.5);
  fmt::print("{:<14} {:<11} {:<6} {:>7.3f} s {:>8.3f}x {:>13.3f}x {:>6.2f}x {:>9}\n", subject.name,
             subject.how, subject.against, quantile(costs.base, 0.5), ratio, ratio_at(0.25),
             subject.limit, whole ? "yes" : "NO");
  return Row{ratio <= subject.limit && whole,
             fmt::format("{} {} {:.3f}x", subject.name, subject.how, ratio)};
}

Result<bool> print(run::Executor& executor, const std::vector<Subject>& subjects, int rounds) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  fmt::print("{:<14} {:<11} {:<6} {:>9} {:>9} {:>14} {:>7} {:>9}\n", "program", "way", "base",
             "base", "watched", "lower quarter", "limit", "sees all");
  bool held = true;
  std::string last;
  for (const auto& subject : subjects) {
    if (const auto why = reason_to_leave_out(executor, subject); !why.empty()) {
      fmt::print("{:<14} {:<11} {:<6} left out: {}\n", subject.name, subject.how, subject.against,
                 why);
      continue;
    }
    const bool slow = subject.against == "strace";
    const auto row = TRY(print_row(executor, subject, slow ? std::max(3, rounds / 5) : rounds));
    held = held && row.held;
    last += fmt::format("{}{}", last.empty() ? "" : ", ", row.text);
  }
  fmt::print("{}: watching costs {} (ratios of medians of {} rounds)\n", held ? "held" : "NOT HELD",
             last, rounds);
  return held;
}

} // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments, arguments + count);
  std::vector<Subject> subjects;
  for (std::size_t at = 2; at + 4 < words.size(); at += 5)
    subjects.push_back(
        {words[at], std::atof(words[at + 1].c_str()), words[at + 2], words[at + 3], words[at + 4]});
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
