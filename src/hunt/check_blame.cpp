#include "hunt/check_blame.h"

#include "analysis/blame/answer.h"
#include "analysis/blame/rank.h"
#include "base/function_name.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/text.h"
#include "hunt/blaming.h"
#include "lab/laboratory.h"
#include "lab/stand_ins.h"
#include "model/benchmark.h"
#include "model/check.h"
#include "model/run.h"
#include "model/verdict.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::hunt {
namespace {

// Below this share of the difference a change is not worth a word.
constexpr double smallest_share = 0.1;
constexpr std::size_t most_named = 3;

std::string named(const blame::Suspect& suspect, double share) {
  const std::string place =
      suspect.place ? fmt::format(" ({}:{})", suspect.place->file, suspect.place->line) : "";
  return fmt::format("{}{} for {:.0f} %", short_name(suspect.function.name), place, 100 * share);
}

Result<Build> traced(lab::Laboratory& laboratory, const Build& build) {
  auto made = TRY(lab::build_for(Purpose::Traced, laboratory, build.commit));
  if (made.outcome != BuildOutcome::Built)
    return Error{
        fmt::format("{} does not build with hooks for the tracer", build.commit.id.brief()), {}};
  return made;
}

Result<std::string> sentence_of(lab::Laboratory& laboratory, const Benchmark& benchmark,
                                const CheckedCommit& checked, Progress& progress) {
  BlameRequest request;
  request.benchmark = benchmark;
  request.old_build = TRY(traced(laboratory, checked.base));
  request.new_build = TRY(traced(laboratory, checked.commit));
  request.shown = 0;
  const auto answer = TRY(find_blame(laboratory, request, progress));
  return blame_sentence(answer);
}

} // namespace

std::string blame_sentence(const blame::Answer& answer) {
  if (answer.ranking.difference <= 0)
    return {};
  std::vector<std::string> names;
  for (const blame::Suspect& suspect : answer.suspects) {
    const double share = suspect.blame.by(blame::Method::Credited) / answer.ranking.difference;
    if (share >= smallest_share && names.size() < most_named)
      names.push_back(named(suspect, share));
  }
  return names.empty() ? "" : "by traces of both commits to blame: " + join(names, ", ");
}

Result<> blame_regressions(lab::Laboratory& laboratory, const std::vector<Benchmark>& benchmarks,
                           CheckedCommit& checked, Progress& progress) {
  for (CheckedBenchmark& each : checked.benchmarks) {
    const auto benchmark = std::ranges::find(benchmarks, each.name, &Benchmark::name);
    if (each.verdict != Verdict::Regressed || benchmark == benchmarks.end())
      continue;
    auto sentence = sentence_of(laboratory, *benchmark, checked, progress);
    if (!sentence && interrupted())
      return std::move(sentence).error();
    if (!sentence)
      checked.notes.push_back(
          fmt::format("nobody could be blamed for {}: {}", each.name, sentence.error().what));
    else if (!sentence->empty())
      each.why.insert(each.why.begin(), std::move(*sentence));
  }
  return success();
}

} // namespace dragnet::hunt
