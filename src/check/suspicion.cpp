#include "check/suspicion.h"

#include "analysis/select/select.h"
#include "base/result.h"
#include "check/prediction.h"
#include "lab/functions.h"
#include "lab/laboratory.h"
#include "lab/profiling.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/run.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

// What is left of the weight of a commit that cannot be it as far as we see: we may be wrong.
constexpr double least_doubt = 0.01;

// A commit of a thousand lines is ten times as suspect as an empty one.
double weight_of(std::size_t lines) {
  return std::log2(2 + static_cast<double>(lines));
}

class Informer {
public:
  Informer(lab::Laboratory& laboratory, const std::vector<Commit>& commits,
           const Benchmark& benchmark)
      : laboratory_(laboratory), commits_(commits), benchmark_(benchmark) {}

  Result<Suspicion> inform() {
    TRY(weigh_sizes());
    knowledge_ = TRY(learned(laboratory_));
    std::optional<std::pair<std::size_t, Build>> before;
    for (std::size_t position = 0; position < commits_.size(); ++position) {
      auto build = TRY(laboratory_.known_build(commits_[position]));
      if (!build || build->outcome != BuildOutcome::Built)
        continue;
      if (before)
        TRY(weigh_between(*before, position, *build));
      before.emplace(position, std::move(*build));
    }
    return Suspicion{std::move(weights_), basis()};
  }

private:
  using Built = std::pair<std::size_t, Build>;

  Result<> weigh_sizes() {
    const auto range = fmt::format("{}..{}", commits_.front().id.text, commits_.back().id.text);
    auto sizes = TRY(laboratory_.repository().changed_lines(range));
    for (std::size_t i = 1; i < commits_.size(); ++i)
      weights_.push_back(weight_of(sizes[commits_[i].id]));
    return success();
  }

  // Commits after one kept build, up to the next.
  Result<> weigh_between(const Built& before, std::size_t position, const Build& build) {
    const double factor =
        before.second.key == build.key || laboratory_.same_programs(before.second, build)
            ? least_doubt
            : TRY(chance_of_change(before, position, build));
    for (std::size_t i = before.first; i < position; ++i)
      weights_[i] *= factor;
    cleared_ += factor <= least_doubt ? position - before.first : 0;
    judged_ += factor < 1 && factor > least_doubt ? position - before.first : 0;
    return success();
  }

  // From what the earlier build executes; 1 where that is not known.
  Result<double> chance_of_change(const Built& before, std::size_t position, const Build& build) {
    const auto profile = TRY(laboratory_.kept_profile(before.second.commit, benchmark_));
    if (!profile)
      return 1.0;
    const auto difference = laboratory_.difference(before.second, build);
    const auto binaries = lab::binaries_of(laboratory_.project().build, build.folder);
    if (!difference || !binaries)
      return 1.0;
    select::Candidate candidate;
    candidate.benchmark = benchmark_.name;
    candidate.profile = &*profile;
    candidate.difference = &*difference;
    candidate.compared = *binaries;
    candidate.circumstances.libraries = lab::changed_libraries(*profile);
    candidate.hops = position - before.first;
    const bool whole = !measures_itself(benchmark_.suite);
    const auto decisions =
        select::decide(std::span(&candidate, 1), whole ? knowledge_ : select::Learned{}, {});
    return std::clamp(decisions.front().probability, least_doubt, 1.0);
  }

  std::string basis() const {
    std::string text = "Beforehand, commits were suspected by the size of their change";
    if (cleared_ > 0)
      text += fmt::format("; {} of them change{} nothing that {} executes", cleared_,
                          cleared_ == 1 ? "s" : "", benchmark_.name);
    if (judged_ > 0)
      text += fmt::format("; for {} of them select told the probability of a change", judged_);
    return text + ".";
  }

  lab::Laboratory& laboratory_;
  const std::vector<Commit>& commits_;
  const Benchmark& benchmark_;
  select::Learned knowledge_;
  std::vector<double> weights_;
  std::size_t cleared_ = 0;
  std::size_t judged_ = 0;
};

} // namespace

Result<Suspicion> suspicion(lab::Laboratory& laboratory, const std::vector<Commit>& commits,
                            const Benchmark& benchmark) {
  return Informer(laboratory, commits, benchmark).inform();
}

} // namespace dragnet::check
