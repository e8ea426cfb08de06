// In which order to run tests for a commit: gathers what the laboratory knows and lets the analysis
// estimate.
#pragma once

#include "analysis/rank/revision.h"
#include "base/result.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/ranking.h"

#include <optional>
#include <string>
#include <vector>

namespace dragnet::check {

struct RankingRequest {
  Commit commit;
  Commit base;
  std::vector<std::string> tests; ///< names of benchmarks; all when empty
  rank::Method method = rank::Method::Ours;
};

/// Counts what is not kept on the base, reads the commit's source, and ranks.
Result<Ranking> rank_tests(lab::Laboratory& laboratory, const RankingRequest& request);

/// The ranking where a counted build of the base and what the tests execute on it are kept; reads
/// the commit's source.
Result<std::optional<Ranking>> kept_ranking(lab::Laboratory& laboratory, const Commit& base,
                                            const Commit& commit,
                                            const std::vector<Benchmark>& tests);

/// What it is worth to measure tests, by their probability to have changed: up to twice as much the
/// more a ranking estimates them to change.
std::vector<double> worth_by(const Ranking& ranking, const std::vector<Benchmark>& tests,
                             std::vector<double> probabilities);

} // namespace dragnet::check
