#include "lab/counting.h"

#include "base/text.h"
#include "lab/outcome.h"

#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "lab/state.h"
#include "model/run.h"
#include "run/executor.h"
#include "run/job.h"

#include <fmt/core.h>

#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace {

// A guess on the safe side: callgrind, which does more, was measured at 19 to 50 times slower.
constexpr double slowdown_allowance = 50;

Result<run::Job> inside_valgrind(run::Job job, const std::filesystem::path& results) {
  if (find_program("valgrind").empty())
    return Error{
        "cannot count instructions: this machine gives no hardware counters and has no valgrind",
        "apt-get install valgrind, or leave 'instructions' out of the benchmark's metrics"};
  // In these names % stands for something else.
  const std::string folder = replace_all(results.string(), "%", "%%");
  const std::vector<std::string> valgrind{
      "valgrind",
      "--tool=cachegrind",
      "--cache-sim=no",
      "--trace-children=yes",
      "--quiet",
      fmt::format("--log-file={}/%p.log", folder),
      fmt::format("--cachegrind-out-file={}/%p.counts", folder)};
  job.words.insert(job.words.begin(), valgrind.begin(), valgrind.end());
  job.limit *= slowdown_allowance;
  return job;
}

Result<double> sum_of(const std::filesystem::path& results) {
  double total = 0;
  for (const auto& entry : std::filesystem::directory_iterator(results))
    if (entry.path().extension() == ".counts") {
      const auto result = TRY(read_file(entry.path()));
      total += instructions_in(result);
    }
  return total;
}

} // namespace

double instructions_in(std::string_view result) {
  constexpr std::string_view mark = "\nsummary: ";
  const auto at = result.rfind(mark);
  if (at == std::string_view::npos)
    return 0;
  const std::string_view number = result.substr(at + mark.size());
  double value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  return value;
}

Result<Run> count_instructions(run::Executor& executor, const State& state, run::Job job, Run run) {
  const auto results = TRY(ScratchFolder::make(state.scratch()));
  const auto counted = TRY(inside_valgrind(std::move(job), results.path()));
  const auto finished = TRY(executor.carry_out(counted));
  note_ending(finished, run);
  if (!run.finished())
    return run;
  const double total = TRY(sum_of(results.path()));
  if (total <= 0) {
    run.outcome = RunOutcome::Failed;
    run.log = "valgrind counted nothing\n" + run.log;
    return run;
  }
  run.samples["instructions"] = total;
  run.log.clear();
  return run;
}

} // namespace dragnet::lab
