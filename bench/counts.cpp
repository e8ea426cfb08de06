// counts ROUNDS [NAME LIMIT BUILD PROGRAM COMMAND]...: what each way to count costs in CPU time, as
// a multiple of the command alone. A command begins with its program.
#include "base/files.h"
#include "base/result.h"
#include "profile/emulator.h"
#include "run/executor.h"
#include "tests/fakes/nm_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace dragnet; // NOLINT(google-build-using-namespace): a program about it
namespace fs = std::filesystem;

struct Subject {
  std::string name;
  double limit;
  fs::path build;
  fs::path program;
  std::string command;
};

enum Way { Alone, Emulated, Blocks, Edges, Callgrind, way_count };
using Times = std::array<std::vector<double>, way_count>;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

run::Job job_of(const std::string& command) {
  run::Job job;
  job.words = {"/bin/sh", "-c", command};
  job.variables = {"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=/"};
  job.folder = "/";
  return job;
}

Result<run::Job> job_for(Way way, const Subject& subject, const fs::path& into) {
  if (way == Alone)
    return job_of(subject.command);
  if (way == Emulated)
    return job_of("qemu-x86_64 -cpu max " + subject.command);
  if (way == Callgrind)
    return job_of("valgrind --tool=callgrind -q --dump-instr=yes --callgrind-out-file=" +
                  (into / "callgrind").string() + " " + subject.command);
  const FunctionTable table = fakes::nm_table(subject.program);
  const profile::Tables tables{{fs::canonical(subject.program).string(), &table}};
  auto job = TRY(profile::inside_emulator(job_of(subject.command),
                                          fs::canonical(subject.build).string(), into, tables));
  if (way == Blocks)
    for (auto& variable : job.variables)
      variable = variable.substr(0, variable.find(",entries="));
  return job;
}

Result<double> cpu_time(run::Executor& executor, Way way, const Subject& subject) {
  const auto scratch = TRY(ScratchFolder::make(fs::temp_directory_path() / "dragnet-bench"));
  const auto job = TRY(job_for(way, subject, scratch.path()));
  const auto finished = TRY(executor.carry_out(job));
  if (finished.ending != run::Ending::Exited || finished.status != 0)
    return Error{fmt::format("{} failed: {}", subject.name, finished.log), {}};
  return finished.user_seconds + finished.system_seconds;
}

Result<Times> measure(run::Executor& executor, const Subject& subject, int rounds) {
  Times times;
  for (int round = 0; round < rounds; ++round)
    for (int way = 0; way < way_count; ++way) {
      // Callgrind takes most of the time and varies least.
      if (way == Callgrind && round > 0)
        continue;
      const auto which = static_cast<Way>(way);
      times[way].push_back(TRY(cpu_time(executor, which, subject)));
    }
  return times;
}

Result<bool> print(run::Executor& executor, const std::vector<Subject>& subjects, int rounds) {
  fmt::print("{:<10} {:>9} {:>8} {:>14} {:>13} {:>10} {:>6}\n", "program", "alone", "qemu",
             "blocks only", "with edges", "callgrind", "limit");
  bool held = true;
  std::string last;
  for (const auto& subject : subjects) {
    const auto times = TRY(measure(executor, subject, rounds));
    const double alone = median(times[Alone]);
    const auto ratio = [&](Way way) { return median(times[way]) / alone; };
    held = held && (subject.limit == 0 || ratio(Edges) <= subject.limit);
    fmt::print("{:<10} {:>7.3f} s {:>7.2f}x {:>13.2f}x {:>12.2f}x {:>9.2f}x {:>6}\n", subject.name,
               alone, ratio(Emulated), ratio(Blocks), ratio(Edges), ratio(Callgrind),
               subject.limit == 0 ? "-" : fmt::format("{:.0f}x", subject.limit));
    last += fmt::format("{}{} {:.2f}x", last.empty() ? "" : ", ", subject.name, ratio(Edges));
  }
  fmt::print("{}: counting costs {} (median of {} rounds)\n", held ? "held" : "NOT HELD", last,
             rounds);
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
    fmt::print(stderr, "bench/counts: {}\n", held.error().what);
    return 2;
  }
  return *held ? 0 : 1;
}
