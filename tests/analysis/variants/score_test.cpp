#include "analysis/variants/score.h"

#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace dragnet::variants {
namespace {

const std::vector<TrueAssociation> planted = {{{100, 1}}, {{100, 2}}, {{500, std::nullopt}}};

TEST(Score, is_full_for_the_truth_within_five_commits) {
  const std::vector<Association> answer = {{95, 1}, {105, 2}, {500, std::nullopt}};
  EXPECT_EQ(score(planted, answer).f1, 1);
}

TEST(Score, counts_what_is_missing_and_what_is_wrong) {
  const std::vector<Association> answer = {{100, 1}, {94, 2}, {100, 3}, {501, std::nullopt}};
  const Score result = score(planted, answer);
  EXPECT_DOUBLE_EQ(result.precision, 0.5);
  EXPECT_DOUBLE_EQ(result.recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(result.f1, 2 * 0.5 * (2.0 / 3) / (0.5 + (2.0 / 3)));
}

TEST(Score, is_full_where_nothing_is_planted_and_nothing_reported) {
  EXPECT_EQ(score({}, {}).f1, 1);
  const std::vector<Association> answer = {{3, 1}};
  EXPECT_EQ(score({}, answer).f1, 0);
}

TEST(Score, neither_expects_nor_punishes_what_is_too_small) {
  const std::vector<TrueAssociation> truth = {{{100, 1}}, {{300, 2}, false}};
  const std::vector<Association> without = {{100, 1}};
  const std::vector<Association> with = {{100, 1}, {300, 2}};
  EXPECT_EQ(score(truth, without).f1, 1);
  EXPECT_EQ(score(truth, with).f1, 1);
}

TEST(Score, as_the_authors_count_takes_a_second_estimate_for_wrong) {
  const std::vector<Association> answer = {{99, 1}, {101, 1}};
  const std::vector<TrueAssociation> truth = {{{100, 1}}};
  EXPECT_EQ(score(truth, answer).precision, 1);
  EXPECT_EQ(score(truth, answer, {.tolerance = 5, .precision = Precision::OfTruths}).precision,
            0.5);
}

} // namespace
} // namespace dragnet::variants
