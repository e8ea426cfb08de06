#include "check/training.h"
#include "analysis/select/dataset.h"
#include "analysis/select/evaluation.h"
#include "analysis/select/example.h"
#include "analysis/select/learned_json.h"
#include "analysis/select/methods.h"
#include "analysis/select/probability.h"
#include "analysis/select/select.h"
#include "analysis/select/threshold_predictor.h"
#include "base/interrupt.h"
#include "base/result.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/profile.h"
#include "model/run.h"
#include "store/archive.h"

#include <cstddef>
#include <fmt/core.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

// A commit that was built and profiled.
struct Visited {
  Commit commit;
  Build build;
  std::size_t position = 0;
  std::map<std::string, Profile> profiles; ///< by benchmark
};

class Trainer {
public:
  Trainer(lab::Laboratory& laboratory, const TrainingRequest& request)
      : laboratory_(laboratory), request_(request) {}

  Result<TrainingSet> make() {
    std::vector<Visited> earlier;
    for (std::size_t i = 0; i < request_.commits.size(); ++i) {
      auto visited = TRY(visit(i));
      if (visited.profiles.empty())
        continue;
      TRY(add_examples(earlier, visited));
      if (request_.pairs == Pairs::Parents)
        earlier.clear();
      earlier.push_back(std::move(visited));
    }
    return std::move(set_);
  }

private:
  Result<Visited> visit(std::size_t position) {
    Visited visited;
    visited.commit = request_.commits[position];
    visited.position = position;
    visited.build = TRY(laboratory_.build(visited.commit));
    if (visited.build.outcome != BuildOutcome::Built) {
      set_.notes.push_back(fmt::format("{} does not build.", visited.commit.id.brief()));
      return visited;
    }
    const auto cases = laboratory_.cases(visited.build, request_.benchmarks);
    if (!cases) {
      set_.notes.push_back(fmt::format("{}: {}", visited.commit.id.brief(), cases.error().what));
      return visited;
    }
    for (const Benchmark& benchmark : cases->benchmarks) {
      auto profile = laboratory_.profile(visited.build, benchmark);
      if (interrupted())
        return profile.error();
      if (profile)
        visited.profiles.emplace(benchmark.name, std::move(*profile));
      else
        set_.notes.push_back(
            fmt::format("{}: {}", visited.commit.id.brief(), profile.error().what));
    }
    return visited;
  }

  Result<> add_examples(const std::vector<Visited>& earlier, const Visited& now) {
    for (const Visited& before : earlier) {
      const auto difference = TRY(laboratory_.difference(before.build, now.build));
      for (const auto& [benchmark, profile] : now.profiles)
        if (const auto old = before.profiles.find(benchmark); old != before.profiles.end())
          set_.examples.push_back(
              select::example_of({.subject = laboratory_.project().name,
                                  .benchmark = benchmark,
                                  .old_commit = before.commit.id.text,
                                  .new_commit = now.commit.id.text,
                                  .position = now.position,
                                  .hops = now.position - before.position,
                                  .old_instructions = static_cast<double>(old->second.instructions),
                                  .new_instructions = static_cast<double>(profile.instructions)},
                                 difference, old->second, {}));
    }
    return success();
  }

  lab::Laboratory& laboratory_;
  const TrainingRequest& request_;
  TrainingSet set_;
};

} // namespace

Result<TrainingSet> make_examples(lab::Laboratory& laboratory, const TrainingRequest& request) {
  return Trainer(laboratory, request).make();
}

Result<> learn(lab::Laboratory& laboratory, const std::vector<select::Example>& examples) {
  const auto all = select::all_of(examples);
  select::Learned learned;
  learned.probability = select::learn_probability(all, {});
  learned.thresholds =
      select::learn_threshold_predictors(all, select::Scope::Common, select::Search::Greedy);
  return laboratory.archive().keep_predictor("learned", select::to_json(learned));
}

} // namespace dragnet::check
