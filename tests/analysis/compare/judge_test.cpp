#include "analysis/compare/judge.h"

#include "model/verdict.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::compare {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Pairs of a program of time 1 and one that takes so many times as long, under normal noise.
Evidence noisy(std::size_t pairs, double ratio, double spread, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(1, spread);
  Evidence evidence;
  for (std::size_t i = 0; i < pairs; ++i) {
    evidence.old_values.push_back(noise(random));
    evidence.new_values.push_back(ratio * noise(random));
  }
  return evidence;
}

Evidence counts(std::vector<double> old_values, std::vector<double> new_values) {
  Evidence evidence;
  evidence.old_values = std::move(old_values);
  evidence.new_values = std::move(new_values);
  evidence.nature = Evidence::Nature::Count;
  return evidence;
}

std::vector<Judgement> judge_all(const std::vector<Evidence>& question) {
  std::vector<Assessment> rows;
  rows.reserve(question.size());
  for (const Evidence& evidence : question)
    rows.push_back(assess(evidence, Rule{}));
  return judge(question, rows, Rule{});
}

Judgement judge_one(const Evidence& evidence) {
  return judge_all({evidence}).front();
}

void expect_finite(const Assessment& row) {
  EXPECT_TRUE(std::isfinite(row.low) && std::isfinite(row.high));
  EXPECT_TRUE(row.low <= row.change && row.change <= row.high);
  EXPECT_TRUE(row.p_value >= 0 && row.p_value <= 1);
}

TEST(Judge, calls_a_clear_slowdown_regressed) {
  const Judgement judgement = judge_one(noisy(40, 1.05, 0.02));
  EXPECT_EQ(judgement.verdict, Verdict::Regressed);
  EXPECT_NE(judgement.rule.find("significant"), std::string::npos);
}

TEST(Judge, calls_a_clear_speedup_improved) {
  EXPECT_EQ(judge_one(noisy(40, 0.95, 0.02)).verdict, Verdict::Improved);
}

TEST(Judge, turns_around_where_higher_is_better) {
  Evidence evidence = noisy(40, 1.05, 0.02);
  evidence.better = Better::Higher;
  EXPECT_EQ(judge_one(evidence).verdict, Verdict::Improved);
  evidence = noisy(40, 0.95, 0.02);
  evidence.better = Better::Higher;
  EXPECT_EQ(judge_one(evidence).verdict, Verdict::Regressed);
}

TEST(Judge, calls_equal_programs_unchanged) {
  EXPECT_EQ(judge_one(noisy(30, 1, 0.01)).verdict, Verdict::Unchanged);
}

TEST(Judge, calls_a_real_but_small_change_unchanged) {
  const Evidence evidence = noisy(60, 1.01, 0.005);
  EXPECT_LE(assess(evidence, Rule{}).p_value, 0.01);
  EXPECT_EQ(judge_one(evidence).verdict, Verdict::Unchanged);
}

TEST(Judge, heeds_the_smallest_effect_of_the_row) {
  Evidence evidence = noisy(60, 1.01, 0.005);
  evidence.smallest_effect = 0.005;
  EXPECT_EQ(judge_one(evidence).verdict, Verdict::Regressed);
  evidence = noisy(60, 1.05, 0.005);
  evidence.smallest_effect = 0.1;
  EXPECT_EQ(judge_one(evidence).verdict, Verdict::Unchanged);
}

TEST(Judge, is_inconclusive_where_noise_hides_the_answer) {
  const Judgement judgement = judge_one(noisy(20, 1, 0.1));
  EXPECT_EQ(judgement.verdict, Verdict::Inconclusive);
  EXPECT_NE(judgement.rule.find("rule out"), std::string::npos);
}

// The estimate decides which side it is on; neither is wrong by more than a quarter of it.
TEST(Judge, comes_to_an_end_where_the_change_is_as_large_as_the_smallest_effect) {
  std::size_t below = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Evidence evidence = noisy(1000, 1.0199, 0.02, seed);
    const Judgement judgement = judge_one(evidence);
    EXPECT_NE(judgement.verdict, Verdict::Inconclusive) << judgement.rule;
    below += judgement.verdict == Verdict::Unchanged ? 1 : 0;
  }
  EXPECT_GT(below, 5U);
  EXPECT_LT(below, 45U);
  EXPECT_EQ(judge_one(noisy(100, 1.016, 0.02)).verdict, Verdict::Inconclusive)
      << "it is not known closely yet";
}

TEST(Judge, is_inconclusive_after_one_pair_however_large_the_difference) {
  EXPECT_EQ(judge_one(noisy(1, 5, 0.01)).verdict, Verdict::Inconclusive);
}

TEST(Judge, says_not_measured_without_pairs) {
  EXPECT_EQ(judge_one(Evidence{}).verdict, Verdict::NotMeasured);
  expect_finite(assess(Evidence{}, Rule{}));
}

TEST(Judge, decides_a_huge_effect_within_nine_pairs_and_no_change_within_six) {
  EXPECT_EQ(judge_one(noisy(9, 1.5, 0.01)).verdict, Verdict::Regressed);
  EXPECT_EQ(judge_one(noisy(6, 1, 0.002)).verdict, Verdict::Unchanged);
}

TEST(Judge, calls_a_series_of_ties_unchanged) {
  Evidence evidence;
  evidence.old_values.assign(8, 0.004);
  evidence.new_values.assign(8, 0.004);
  EXPECT_EQ(judge_one(evidence).verdict, Verdict::Unchanged);
  EXPECT_EQ(assess(evidence, Rule{}).change, 0);
}

TEST(Judge, accepts_values_of_a_coarse_clock) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(1, 0.02);
  Evidence evidence;
  for (int i = 0; i < 60; ++i) {
    evidence.old_values.push_back(std::round(0.1 * noise(random) / 0.004) * 0.004);
    evidence.new_values.push_back(std::round(0.1 * noise(random) / 0.004) * 0.004);
  }
  EXPECT_EQ(judge_one(evidence).verdict, Verdict::Unchanged);
}

TEST(Judge, needs_more_evidence_in_a_large_question) {
  const Evidence slower = noisy(9, 1.5, 0.01);
  EXPECT_EQ(judge_one(slower).verdict, Verdict::Regressed);
  std::vector<Evidence> question(50, noisy(9, 1, 0.1));
  question[20] = slower;
  EXPECT_EQ(judge_all(question)[20].verdict, Verdict::Inconclusive);
  question[20] = noisy(15, 1.5, 0.01);
  EXPECT_EQ(judge_all(question)[20].verdict, Verdict::Regressed);
}

TEST(Judge, counts_rows_that_are_not_measured_yet) {
  std::vector<Evidence> question(50);
  question[0] = noisy(9, 1.5, 0.01);
  EXPECT_EQ(judge_all(question)[0].verdict, Verdict::Inconclusive);
  EXPECT_EQ(judge_all(question)[1].verdict, Verdict::NotMeasured);
}

TEST(Judge, does_not_count_exact_rows_in_the_correction) {
  std::vector<Evidence> question(50, counts({100, 100}, {100, 100}));
  question[0] = noisy(9, 1.5, 0.01);
  EXPECT_EQ(judge_all(question)[0].verdict, Verdict::Regressed);
}

TEST(Judge, keeps_the_rate_per_row_where_holm_would_allow_more) {
  const Evidence evidence = noisy(7, 1.5, 0.01); // p between 0.01 and 0.05
  const Assessment row = assess(evidence, Rule{});
  ASSERT_GT(row.p_value, 0.01);
  ASSERT_LT(row.p_value, 0.05);
  EXPECT_EQ(judge_one(evidence).verdict, Verdict::Inconclusive);
}

TEST(Judge, believes_counts_that_repeat) {
  const Judgement more = judge_one(counts({1000000, 1000010}, {1030000, 1030020}));
  EXPECT_EQ(more.verdict, Verdict::Regressed);
  EXPECT_NE(more.rule.find("exact count"), std::string::npos);
  EXPECT_EQ(judge_one(counts({1000000, 1000010}, {970000, 970001})).verdict, Verdict::Improved);
  EXPECT_EQ(judge_one(counts({1000000, 1000010}, {1010000, 1010020})).verdict, Verdict::Unchanged);
}

TEST(Judge, counts_an_exact_change_of_just_the_smallest_effect) {
  EXPECT_EQ(judge_one(counts({100, 100}, {102, 102})).verdict, Verdict::Regressed);
  EXPECT_EQ(judge_one(counts({102, 102}, {100, 100})).verdict, Verdict::Improved);
}

TEST(Judge, waits_for_a_second_pair_of_counts) {
  EXPECT_EQ(judge_one(counts({100}, {200})).verdict, Verdict::Inconclusive);
  Evidence exact = counts({100}, {200});
  exact.nature = Evidence::Nature::Exact;
  EXPECT_EQ(judge_one(exact).verdict, Verdict::Regressed);
  EXPECT_DOUBLE_EQ(assess(exact, Rule{}).change, 1);
}

TEST(Judge, treats_counts_that_do_not_repeat_as_noise) {
  const Assessment row = assess(counts({1000, 1010}, {1100, 1111}), Rule{});
  EXPECT_FALSE(row.exact);
  EXPECT_EQ(judge_one(counts({1000, 1010}, {1100, 1111})).verdict, Verdict::Inconclusive);
}

TEST(Judge, takes_zeros) {
  EXPECT_EQ(judge_one(counts({0, 0}, {0, 0})).verdict, Verdict::Unchanged);
  EXPECT_EQ(judge_one(counts({0, 0}, {5, 5})).verdict, Verdict::Regressed);
  EXPECT_EQ(judge_one(counts({5, 5}, {0, 0})).verdict, Verdict::Improved);
  Evidence mixed = noisy(12, 1, 0.01);
  mixed.old_values[3] = 0;
  mixed.new_values[7] = 0;
  for (const Evidence& evidence : {counts({0, 0}, {0, 0}), counts({0, 0}, {5, 5}),
                                   counts({5, 5}, {0, 0}), counts({0, 7}, {3, 0}), mixed})
    expect_finite(assess(evidence, Rule{}));
}

TEST(Judge, leaves_out_pairs_that_are_not_numbers_and_says_so) {
  Evidence evidence = noisy(40, 1.05, 0.02);
  const Assessment clean = assess(evidence, Rule{});
  evidence.old_values.insert(evidence.old_values.begin(), {not_a_number, 1, 1});
  evidence.new_values.insert(evidence.new_values.begin(),
                             {1, std::numeric_limits<double>::infinity(), -1});
  const Assessment row = assess(evidence, Rule{});
  EXPECT_EQ(row.pairs, 40U);
  EXPECT_EQ(row.dropped, 3U);
  EXPECT_EQ(row.change, clean.change);
  EXPECT_NE(judge_one(evidence).rule.find("3 unusable pairs left out"), std::string::npos);
}

TEST(Judge, ignores_a_value_without_a_partner) {
  Evidence evidence = noisy(10, 1, 0.01);
  evidence.old_values.push_back(100);
  EXPECT_EQ(assess(evidence, Rule{}).pairs, 10U);
}

TEST(Judge, stays_finite_for_extreme_ratios) {
  Evidence evidence;
  evidence.old_values.assign(20, 1e-300);
  evidence.new_values.assign(20, 1e300);
  expect_finite(assess(evidence, Rule{}));
  EXPECT_EQ(judge_one(evidence).verdict, Verdict::Regressed);
}

TEST(Judge, mirrors_when_old_and_new_are_swapped) {
  Evidence evidence = noisy(30, 1.03, 0.03);
  const Assessment there = assess(evidence, Rule{});
  std::swap(evidence.old_values, evidence.new_values);
  const Assessment back = assess(evidence, Rule{});
  EXPECT_NEAR((1 + there.change) * (1 + back.change), 1, 1e-12);
  EXPECT_NEAR((1 + there.low) * (1 + back.high), 1, 1e-12);
  EXPECT_NEAR(there.p_value, back.p_value, 1e-12);
}

TEST(Judge, does_not_depend_on_the_unit) {
  Evidence evidence = noisy(30, 1.03, 0.03);
  const Assessment seconds = assess(evidence, Rule{});
  for (auto* values : {&evidence.old_values, &evidence.new_values})
    for (double& value : *values)
      value *= 1e9;
  const Assessment nanoseconds = assess(evidence, Rule{});
  EXPECT_NEAR(seconds.change, nanoseconds.change, 1e-12);
  EXPECT_NEAR(seconds.p_value, nanoseconds.p_value, 1e-9);
}

// 1000 comparisons at a rate of at most 1 %, looked at to the end: 10 and three standard errors.
TEST(Judge, raises_false_alarms_in_at_most_one_percent) {
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Verdict verdict = judge_one(noisy(60, 1, 0.05, seed)).verdict;
    alarms += verdict == Verdict::Regressed || verdict == Verdict::Improved ? 1 : 0;
  }
  EXPECT_LE(alarms, 19);
}

} // namespace
} // namespace dragnet::compare
