// A laboratory for searches without processes: a test says how each commit behaves, and builds and
// rounds are remembered as the real one does.
#pragma once

#include "model/rounds.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dragnet::fakes {

class FakeSearchLab final : public SearchLab {
public:
  /// The value of a run of a commit; nothing for a run that fails.
  std::function<std::optional<double>(const std::string& commit)> value;
  std::set<std::string> broken;            ///< commits that do not build
  std::optional<std::size_t> breaks_after; ///< so many rounds are measured, then comes an Error
  std::vector<std::string> built;          ///< commits, in their order
  std::size_t measured = 0;                ///< rounds
  std::size_t run = 0;                     ///< runs that are not part of a round

  Result<Build> build(const Commit& commit) override {
    if (const auto known = builds_.find(commit.id.text); known != builds_.end())
      return known->second;
    Build made;
    made.key = "build of " + commit.id.text;
    made.commit = commit;
    made.seconds = 10;
    made.outcome = broken.contains(commit.id.text) ? BuildOutcome::Failed : BuildOutcome::Built;
    built.push_back(commit.id.text);
    return builds_[commit.id.text] = made;
  }

  Result<std::optional<Build>> known_build(const Commit& commit) override {
    const auto known = builds_.find(commit.id.text);
    return known == builds_.end() ? std::optional<Build>() : std::optional(known->second);
  }

  Result<std::vector<MeasuredRound>> kept_rounds(const Trio& trio) override {
    return rounds_[key(trio)];
  }

  Result<MeasuredRound> measure_round(const Trio& trio, std::span<const RoundSide> order) override {
    if (breaks_after && measured >= *breaks_after)
      return Error{"interrupted", ""};
    ++measured;
    MeasuredRound round;
    for (const RoundSide side : order)
      if (side == RoundSide::Between)
        round.between = run_of(trio.between.value());
      else
        (side == RoundSide::Good ? round.good : round.bad) =
            run_of(side == RoundSide::Good ? trio.good : trio.bad);
    rounds_[key(trio)].push_back(round);
    return round;
  }

  Result<std::vector<Run>> runs(const Build& build, const Benchmark& /*benchmark*/,
                                Method /*method*/, std::size_t count) override {
    auto& kept = runs_[build.key];
    while (kept.size() < count && (kept.empty() || kept.back().finished())) {
      if (breaks_after && run >= *breaks_after)
        return Error{"interrupted", ""};
      ++run;
      kept.push_back(run_of(build));
    }
    return kept;
  }

private:
  Run run_of(const Build& build) {
    Run made;
    made.id = ++last_id_;
    made.seconds = 1;
    if (const auto seen = value(build.commit.id.text))
      made.samples["wall"] = made.samples["instructions"] = *seen;
    else
      made.outcome = RunOutcome::Failed;
    return made;
  }
  static std::string key(const Trio& trio) {
    return trio.good.key + "|" + trio.bad.key + "|" + (trio.between ? trio.between->key : "");
  }

  std::map<std::string, Build> builds_;
  std::map<std::string, std::vector<MeasuredRound>> rounds_;
  std::map<std::string, std::vector<Run>> runs_;
  std::int64_t last_id_ = 0;
};

} // namespace dragnet::fakes
