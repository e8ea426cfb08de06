#include "model/check.h"

#include "model/verdict.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace dragnet {
namespace {

int status_of(const std::vector<std::pair<Treatment, Verdict>>& benchmarks) {
  CheckedCommit checked;
  for (const auto& [treatment, verdict] : benchmarks) {
    CheckedBenchmark benchmark;
    benchmark.treatment = treatment;
    benchmark.verdict = verdict;
    checked.benchmarks.push_back(benchmark);
  }
  return exit_status(checked);
}

constexpr std::pair dismissed{Treatment::Dismissed, Verdict::NotMeasured};
constexpr std::pair not_reached{Treatment::NotReached, Verdict::NotMeasured};
constexpr std::pair unchanged{Treatment::Measured, Verdict::Unchanged};
constexpr std::pair open{Treatment::Measured, Verdict::Inconclusive};

TEST(CheckStatus, is_0_where_nothing_regressed_or_nothing_had_to_be_measured) {
  EXPECT_EQ(status_of({dismissed, dismissed}), 0);
  EXPECT_EQ(status_of({dismissed, unchanged}), 0);
  EXPECT_EQ(status_of({{Treatment::Measured, Verdict::Improved}}), 0);
  EXPECT_EQ(status_of({{Treatment::Measured, Verdict::Exonerated}}), 0);
}

TEST(CheckStatus, is_1_where_something_regressed_whatever_else_happened) {
  for (const Treatment treatment : {Treatment::Measured, Treatment::Audited})
    EXPECT_EQ(status_of({{treatment, Verdict::Regressed},
                         {Treatment::Measured, Verdict::Failed},
                         open,
                         not_reached}),
              1);
}

TEST(CheckStatus, is_2_where_something_failed) {
  EXPECT_EQ(status_of({{Treatment::Measured, Verdict::Failed}, open, dismissed}), 2);
}

TEST(CheckStatus, is_3_where_something_is_open) {
  EXPECT_EQ(status_of({open}), 3);
  EXPECT_EQ(status_of({unchanged, not_reached}), 3);
  EXPECT_EQ(status_of({unchanged, {Treatment::Measured, Verdict::NotMeasured}}), 3);
}

TEST(CheckStatus, is_4_where_nothing_was_measured_that_should_have_been) {
  EXPECT_EQ(status_of({}), 4);
  EXPECT_EQ(status_of({not_reached, dismissed}), 4);
  EXPECT_EQ(status_of({{Treatment::Measured, Verdict::NotMeasured}}), 4);
}

TEST(CheckStatus, does_not_depend_on_an_audit_without_an_answer) {
  EXPECT_EQ(status_of({dismissed, {Treatment::Audited, Verdict::Inconclusive}}), 0);
}

} // namespace
} // namespace dragnet
