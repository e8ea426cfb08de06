#include "check/placement.h"

#include "analysis/compare/compare.h"
#include "model/check.h"
#include "model/metric.h"
#include "model/verdict.h"

#include <gtest/gtest.h>

#include <vector>

namespace dragnet::check {
namespace {

CheckedMetric checked(const char* metric, Verdict verdict) {
  CheckedMetric made;
  made.metric = metric_named(metric);
  made.verdict = verdict;
  return made;
}

compare::Row row(const char* metric, Verdict verdict, double change) {
  compare::Row made;
  made.metric = metric_named(metric);
  made.judgement.verdict = verdict;
  made.assessment.change = change;
  made.assessment.low = change - 0.01;
  made.assessment.high = change + 0.01;
  made.assessment.pairs = 20;
  return made;
}

CheckedBenchmark judged(std::vector<CheckedMetric> metrics, const std::vector<compare::Row>& rows) {
  CheckedBenchmark benchmark;
  benchmark.metrics = std::move(metrics);
  judge_placement(rows, benchmark);
  return benchmark;
}

TEST(Placement, exonerates_what_does_not_move_in_another_one) {
  const auto found =
      judged({checked("wall", Verdict::Regressed)}, {row("wall", Verdict::Unchanged, -0.003)});
  EXPECT_EQ(found.metrics.front().verdict, Verdict::Exonerated);
  ASSERT_EQ(found.why.size(), 1U);
  EXPECT_NE(found.why.front().find("wall moves by -0.3"), std::string::npos) << found.why.front();
  EXPECT_NE(found.why.front().find("20 pairs"), std::string::npos) << found.why.front();
}

TEST(Placement, exonerates_what_moves_the_other_way_there) {
  for (const auto& [here, there] : {std::pair(Verdict::Regressed, Verdict::Improved),
                                    std::pair(Verdict::Improved, Verdict::Regressed)})
    EXPECT_EQ(judged({checked("wall", here)}, {row("wall", there, 0)}).metrics.front().verdict,
              Verdict::Exonerated);
}

TEST(Placement, leaves_what_moves_there_too_and_says_so) {
  const auto found =
      judged({checked("wall", Verdict::Regressed)}, {row("wall", Verdict::Regressed, 0.05)});
  EXPECT_EQ(found.metrics.front().verdict, Verdict::Regressed);
  ASSERT_EQ(found.why.size(), 1U);
  EXPECT_NE(found.why.front().find("+5"), std::string::npos) << found.why.front();
}

TEST(Placement, says_nothing_where_it_was_not_decided) {
  for (const Verdict open : {Verdict::Inconclusive, Verdict::Failed, Verdict::NotMeasured}) {
    const auto found = judged({checked("wall", Verdict::Regressed)}, {row("wall", open, 0)});
    EXPECT_EQ(found.metrics.front().verdict, Verdict::Regressed);
    EXPECT_TRUE(found.why.empty());
  }
}

TEST(Placement, is_no_excuse_for_counts_nor_for_other_metrics) {
  const auto found =
      judged({checked("instructions", Verdict::Regressed), checked("memory", Verdict::Regressed),
              checked("wall", Verdict::Unchanged)},
             {row("instructions", Verdict::Unchanged, 0), row("wall", Verdict::Unchanged, 0)});
  EXPECT_EQ(found.metrics[0].verdict, Verdict::Regressed);
  EXPECT_EQ(found.metrics[1].verdict, Verdict::Regressed);
  EXPECT_EQ(found.metrics[2].verdict, Verdict::Unchanged);
}

} // namespace
} // namespace dragnet::check
