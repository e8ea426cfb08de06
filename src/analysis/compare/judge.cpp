// The pairs' log ratios are tested by betting on their signs (stats/sequential.h): against 0 for a
// change, and against the smallest effect on both sides for equivalence.

#include "analysis/compare/judge.h"

#include "base/ensure.h"
#include "base/units.h"
#include "model/verdict.h"
#include "stats/holm.h"
#include "stats/interval.h"
#include "stats/quantiles.h"
#include "stats/sequential.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <span>
#include <string>
#include <vector>

namespace dragnet::compare {
namespace {

// Counts that differ by no more than this, relatively, repeat.
constexpr double repeatable = 1e-4;

// Comparing a change with the smallest effect forgives rounding.
constexpr double rounding = 1e-9;

// A change that is known to this part of the smallest effect, on either side, needs no more pairs.
constexpr double close_enough = 0.25;

// The pairs whose two values can be compared.
struct Pairs {
  std::vector<double> old_values;
  std::vector<double> new_values;
  std::size_t dropped = 0;
};

bool usable(double value) {
  return std::isfinite(value) && value >= 0;
}

Pairs usable_pairs(const Evidence& evidence) {
  Pairs pairs;
  const std::size_t size = std::min(evidence.old_values.size(), evidence.new_values.size());
  for (std::size_t i = 0; i < size; ++i) {
    if (!usable(evidence.old_values[i]) || !usable(evidence.new_values[i])) {
      ++pairs.dropped;
      continue;
    }
    pairs.old_values.push_back(evidence.old_values[i]);
    pairs.new_values.push_back(evidence.new_values[i]);
  }
  return pairs;
}

// The logarithm of new / old within the limit; 0 and 0 are equal, 0 and more are the limit apart.
double log_ratio(double old_value, double new_value) {
  if (old_value == new_value)
    return 0;
  const double ratio = old_value == 0 ? ratio_limit : new_value / old_value;
  return std::log(std::clamp(ratio, 1 / ratio_limit, ratio_limit));
}

double threshold(double smallest_effect) {
  return std::log1p(smallest_effect);
}

bool repeats(std::span<const double> values) {
  const auto [least, most] = std::ranges::minmax(values);
  return most <= least * (1 + repeatable);
}

bool is_exact(const Pairs& pairs, Evidence::Nature nature) {
  switch (nature) {
  case Evidence::Nature::Noisy:
    return false;
  case Evidence::Nature::Exact:
    return true;
  case Evidence::Nature::Count:
    return pairs.old_values.size() >= 2 && repeats(pairs.old_values) && repeats(pairs.new_values);
  }
  return false;
}

// The ratio itself is the truth; the interval is what the repetitions span.
Assessment assess_exact(const Pairs& pairs, double smallest_effect) {
  const auto [old_least, old_most] = std::ranges::minmax(pairs.old_values);
  const auto [new_least, new_most] = std::ranges::minmax(pairs.new_values);
  const double ratio = log_ratio(stats::median(pairs.old_values), stats::median(pairs.new_values));
  return {.change = std::expm1(ratio),
          .low = std::expm1(log_ratio(old_most, new_least)),
          .high = std::expm1(log_ratio(old_least, new_most)),
          .p_value = std::abs(ratio) <= repeatable ? 1.0 : 0.0,
          .equivalent = std::abs(ratio) < threshold(smallest_effect) * (1 - rounding),
          .exact = true,
          .pairs = pairs.old_values.size(),
          .dropped = pairs.dropped};
}

bool rules_out_both_sides(const stats::SequentialTest& test, double effect, double rate) {
  return effect > 0 && test.rejects(effect, stats::Side::Below, rate) &&
         test.rejects(-effect, stats::Side::Above, rate);
}

Assessment assess_noisy(const Pairs& pairs, double smallest_effect, const Rule& rule) {
  std::vector<double> ratios;
  ratios.reserve(pairs.old_values.size());
  for (std::size_t i = 0; i < pairs.old_values.size(); ++i)
    ratios.push_back(log_ratio(pairs.old_values[i], pairs.new_values[i]));
  const double effect = threshold(smallest_effect);
  const double guess = effect > 0 ? effect : threshold(Evidence{}.smallest_effect);
  const stats::SequentialTest test(ratios, guess);
  const double limit = std::log(ratio_limit);
  const stats::Interval interval =
      test.confidence_interval(1 - rule.confidence, {.low = -limit, .high = limit});
  const double centre = stats::pseudo_median(ratios);
  return {.change = std::expm1(centre),
          .low = std::expm1(std::min(interval.low, centre)),
          .high = std::expm1(std::max(interval.high, centre)),
          .p_value = test.p_value(0),
          .equivalent = rules_out_both_sides(test, effect, rule.equivalence_rate),
          .exact = false,
          .pairs = ratios.size(),
          .dropped = pairs.dropped};
}

bool at_least_smallest(const Assessment& row, double smallest_effect) {
  return std::abs(std::log1p(row.change)) >= threshold(smallest_effect) * (1 - rounding);
}

// A change that is as large as the smallest effect could be measured for ever.
bool is_known_closely(const Assessment& row, double smallest_effect) {
  const double width = std::log1p(row.high) - std::log1p(row.low);
  return smallest_effect > 0 && width <= 2 * close_enough * threshold(smallest_effect);
}

Verdict direction(const Assessment& row, Better better) {
  return (row.change > 0) == (better == Better::Lower) ? Verdict::Regressed : Verdict::Improved;
}

std::string smallest(const Evidence& evidence) {
  return fmt::format("the smallest interesting effect, {:.3g} %", 100 * evidence.smallest_effect);
}

Judgement judge_exact(const Evidence& evidence, const Assessment& row) {
  const std::string counted = fmt::format("exact count: {} is ", format_change(row.change));
  if (row.change != 0 && at_least_smallest(row, evidence.smallest_effect))
    return {.verdict = direction(row, evidence.better),
            .rule = counted + "at least " + smallest(evidence)};
  return {.verdict = Verdict::Unchanged, .rule = counted + "less than " + smallest(evidence)};
}

// Why a row is neither called changed nor unchanged.
std::string undecided(const Evidence& evidence, const Assessment& row, bool significant) {
  if (significant)
    return fmt::format("{} is significant (p {:.2g}), but not clearly on one side of {}",
                       format_change(row.change), row.p_value, smallest(evidence));
  return row.pairs == 1
             ? fmt::format("1 pair neither shows a change nor rules out {}", smallest(evidence))
             : fmt::format("{} pairs neither show a change (p {:.2g}) nor rule out {}", row.pairs,
                           row.p_value, smallest(evidence));
}

Judgement judge_noisy(const Evidence& evidence, const Assessment& row, bool significant) {
  if (significant && row.change != 0 && at_least_smallest(row, evidence.smallest_effect))
    return {.verdict = direction(row, evidence.better),
            .rule =
                fmt::format("{} in {} pairs is significant (p {:.2g}) and at least {}",
                            format_change(row.change), row.pairs, row.p_value, smallest(evidence))};
  if (row.equivalent)
    return {.verdict = Verdict::Unchanged,
            .rule = fmt::format("{} pairs rule out a change of {}", row.pairs, smallest(evidence))};
  if (significant && is_known_closely(row, evidence.smallest_effect))
    return {.verdict = Verdict::Unchanged,
            .rule = fmt::format("{} pairs show {}, known to a quarter of {}, and less than it",
                                row.pairs, format_change(row.change), smallest(evidence))};
  return {.verdict = Verdict::Inconclusive, .rule = undecided(evidence, row, significant)};
}

// Holm's adjusted p-values; a row that is exact is no test and does not count, one that is not
// measured yet does, because it may still be.
std::vector<double> adjusted_p_values(std::span<const Assessment> rows) {
  std::vector<double> tested;
  for (const Assessment& row : rows)
    if (!row.exact)
      tested.push_back(row.p_value);
  const std::vector<double> adjusted = stats::holm_adjusted(tested);
  std::vector<double> all;
  auto next = adjusted.begin();
  for (const Assessment& row : rows)
    all.push_back(row.exact ? row.p_value : *next++);
  return all;
}

} // namespace

Assessment assess(const Evidence& evidence, const Rule& rule) {
  const Pairs pairs = usable_pairs(evidence);
  if (pairs.old_values.empty())
    return {.low = (1 / ratio_limit) - 1, .high = ratio_limit - 1, .dropped = pairs.dropped};
  if (is_exact(pairs, evidence.nature))
    return assess_exact(pairs, evidence.smallest_effect);
  return assess_noisy(pairs, evidence.smallest_effect, rule);
}

std::vector<Judgement> judge(std::span<const Evidence> evidence,
                             std::span<const Assessment> assessments, const Rule& rule) {
  ensure(evidence.size() == assessments.size(), "each row of a question has one assessment");
  const std::vector<double> adjusted = adjusted_p_values(assessments);
  std::vector<Judgement> judgements;
  judgements.reserve(assessments.size());
  for (std::size_t i = 0; i < assessments.size(); ++i) {
    const Assessment& row = assessments[i];
    const bool significant = adjusted[i] <= rule.alarm_rate;
    if (row.pairs == 0)
      judgements.push_back({Verdict::NotMeasured, "no pair of runs gave two usable values"});
    else
      judgements.push_back(row.exact ? judge_exact(evidence[i], row)
                                     : judge_noisy(evidence[i], row, significant));
    if (row.dropped > 0)
      judgements.back().rule += fmt::format("; {} unusable pairs left out", row.dropped);
  }
  return judgements;
}

} // namespace dragnet::compare
