// Simulates comparisons of a program with itself (A/A) and with a slower one, and counts what the
// paired sequential procedure and the usual fixed-size methods say. The raw results are a histogram
// of verdicts (eval/results/aa.csv); every figure of the table is computed from it.

#include "histogram.h"
#include "noise.h"

#include "analysis/compare/judge.h"
#include "model/verdict.h"
#include "stats/classic.h"
#include "stats/holm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fmt/core.h>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using dragnet::Verdict;
using dragnet::compare::Assessment;
using dragnet::compare::Evidence;
using dragnet::compare::Rule;
using dragnet::eval::batched;
using dragnet::eval::Cell;
using dragnet::eval::Histogram;
using dragnet::eval::interleaved;
using dragnet::eval::noises;
using dragnet::eval::Random;
using dragnet::eval::Runs;
using dragnet::eval::Setting;
using dragnet::eval::Summary;

constexpr std::array<double, 6> spreads = {0.005, 0.01, 0.02, 0.03, 0.05, 0.1};
constexpr std::array<std::string_view, 6> baselines = {"Welch",    "Mann-Whitney", "over 2 %",
                                                       "over 5 %", "Welch mixed",  "Welch looking"};
constexpr std::size_t most_pairs = 100;
constexpr std::size_t fixed_runs = 10;
constexpr std::size_t question_size = 50;

struct Effort {
  std::size_t equal_per_cell = 4000;
  std::size_t slower_per_cell = 2000;
  std::size_t questions = 1500;
};

struct Slower {
  double spread;
  double slowdown;
};
constexpr std::array<Slower, 5> slower_cells = {{{.spread = 0.01, .slowdown = 0.02},
                                                 {.spread = 0.03, .slowdown = 0.02},
                                                 {.spread = 0.03, .slowdown = 0.03},
                                                 {.spread = 0.03, .slowdown = 0.05},
                                                 {.spread = 0.03, .slowdown = 0.1}}};

Evidence evidence_of(const Runs& runs, std::size_t pairs) {
  const auto old_values = std::span(runs.old_values).first(pairs);
  const auto new_values = std::span(runs.new_values).first(pairs);
  Evidence evidence;
  evidence.old_values.assign(old_values.begin(), old_values.end());
  evidence.new_values.assign(new_values.begin(), new_values.end());
  return evidence;
}

// The first number of pairs at which a condition holds that never ceases to hold again.
std::size_t first_look(const std::function<bool(std::size_t)>& holds) {
  std::size_t low = 1;
  std::size_t high = most_pairs + 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (holds(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

struct Outcome {
  Verdict verdict;
  Assessment assessment;
};

// What looking after every pair and stopping at the first verdict gives. The p-value only falls and
// equivalence stays, so that only the looks from the first of either on need to be made.
Outcome look_after_every_pair(const Runs& runs, const Rule& rule) {
  const auto at = [&](std::size_t pairs) { return assess(evidence_of(runs, pairs), rule); };
  const std::size_t begin = first_look([&](std::size_t pairs) {
    const Assessment row = at(pairs);
    return row.equivalent || row.p_value <= rule.alarm_rate;
  });
  const Evidence all = evidence_of(runs, most_pairs);
  for (std::size_t pairs = begin; pairs <= most_pairs; ++pairs) {
    const Assessment row = at(pairs);
    const Verdict verdict = judge(std::span(&all, 1), std::span(&row, 1), rule).front().verdict;
    if (verdict != Verdict::Inconclusive)
      return {.verdict = verdict, .assessment = row};
  }
  return {.verdict = Verdict::Inconclusive, .assessment = at(most_pairs)};
}

// The p-value of Welch's test on the first runs of each side.
double welch_p(const Runs& runs, std::size_t size) {
  const auto first = std::span(runs.old_values).first(size);
  return dragnet::stats::welch(first, std::span(runs.new_values).first(size)).p_value;
}

// The smallest p-value of who repeats Welch's test after every pair, from the third on.
double welch_p_looking(const Runs& pairs) {
  double smallest = 1;
  for (std::size_t size = 3; size <= most_pairs; ++size)
    smallest = std::min(smallest, welch_p(pairs, size));
  return smallest;
}

// 0 if the mean of the new runs is away from that of the old by more than the threshold, else 1.
double threshold_p(const Runs& runs, double threshold) {
  const auto sum = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  return std::abs((sum(runs.new_values) / sum(runs.old_values)) - 1) > threshold ? 0 : 1;
}

// In the order of the baselines.
std::array<double, baselines.size()> baseline_p_values(const Runs& batches, const Runs& pairs) {
  return {welch_p(batches, fixed_runs),
          dragnet::stats::mann_whitney(batches.old_values, batches.new_values).p_value,
          threshold_p(batches, 0.02),
          threshold_p(batches, 0.05),
          welch_p(pairs, fixed_runs),
          welch_p_looking(pairs)};
}

std::string share(double value) {
  return fmt::format("{:g}", value);
}

void count_paired(const Setting& setting, const Runs& pairs, const Rule& rule,
                  std::string_view method, Histogram& histogram) {
  const Outcome outcome = look_after_every_pair(pairs, rule);
  ++histogram[{std::string(noises.at(setting.noise)), share(setting.spread),
               share(setting.slowdown), std::string(method), std::string(name(outcome.verdict)),
               outcome.assessment.pairs}];
}

void count_baselines(const Setting& setting, const Runs& pairs, Histogram& histogram,
                     Random& random) {
  const auto p_values = baseline_p_values(batched(setting, fixed_runs, random), pairs);
  for (std::size_t method = 0; method < baselines.size(); ++method)
    ++histogram[{std::string(noises.at(setting.noise)), share(setting.spread),
                 share(setting.slowdown), std::string(baselines.at(method)),
                 p_values.at(method) <= Rule{}.alarm_rate ? "alarm" : "quiet", fixed_runs}];
}

// The rule that one row of a question of 50 meets while no other row is rejected.
Rule rule_in_question() {
  Rule rule;
  rule.alarm_rate /= question_size;
  return rule;
}

void count_question_alarm(std::string_view method, bool alarm, Histogram& histogram) {
  ++histogram[{"mixed", "mixed", "0", fmt::format("{} in a question", method),
               alarm ? "alarm" : "quiet", 0}];
}

bool any_alarm(std::span<const Evidence> evidence, std::span<const Assessment> rows) {
  return std::ranges::any_of(judge(evidence, rows, Rule{}), [](const auto& judgement) {
    return judgement.verdict == Verdict::Regressed || judgement.verdict == Verdict::Improved;
  });
}

// One question: 50 benchmarks of all noises and spreads, each measured until it is settled.
void count_question(Histogram& histogram, Random& random) {
  std::vector<Evidence> evidence;
  std::vector<Assessment> rows;
  std::vector<std::vector<double>> p_values(baselines.size());
  for (std::size_t i = 0; i < question_size; ++i) {
    const double spread = spreads.at(i / noises.size() % spreads.size());
    const Setting setting{.noise = i % noises.size(), .spread = spread, .slowdown = 0};
    const Runs pairs = interleaved(setting, most_pairs, random);
    evidence.push_back(evidence_of(pairs, most_pairs));
    rows.push_back(look_after_every_pair(pairs, rule_in_question()).assessment);
    const auto row = baseline_p_values(batched(setting, fixed_runs, random), pairs);
    for (std::size_t method = 0; method < baselines.size(); ++method)
      p_values[method].push_back(row.at(method));
  }
  count_question_alarm("dragnet", any_alarm(evidence, rows), histogram);
  for (std::size_t method = 0; method < baselines.size(); ++method) {
    const auto& row = p_values[method];
    const auto adjusted = dragnet::stats::holm_adjusted(row);
    const std::string_view name = baselines.at(method);
    count_question_alarm(name, std::ranges::min(row) <= Rule{}.alarm_rate, histogram);
    count_question_alarm(fmt::format("{} with Holm", name),
                         std::ranges::min(adjusted) <= Rule{}.alarm_rate, histogram);
  }
}

void simulate_noise(std::size_t noise, const Effort& effort, Histogram& histogram) {
  Random random(1000 + noise);
  for (const double spread : spreads)
    for (std::size_t i = 0; i < effort.equal_per_cell; ++i) {
      const Setting setting{.noise = noise, .spread = spread, .slowdown = 0};
      const Runs pairs = interleaved(setting, most_pairs, random);
      count_paired(setting, pairs, Rule{}, "dragnet", histogram);
      count_baselines(setting, pairs, histogram, random);
    }
  for (const Slower& slower : slower_cells)
    for (std::size_t i = 0; i < effort.slower_per_cell; ++i) {
      const Setting setting{.noise = noise, .spread = slower.spread, .slowdown = slower.slowdown};
      const Runs pairs = interleaved(setting, most_pairs, random);
      count_paired(setting, pairs, Rule{}, "dragnet", histogram);
      count_paired(setting, pairs, rule_in_question(), "dragnet in 50", histogram);
      count_baselines(setting, pairs, histogram, random);
    }
}

Histogram simulate(const Effort& effort) {
  Histogram histogram;
  for (std::size_t noise = 0; noise < noises.size(); ++noise)
    simulate_noise(noise, effort, histogram);
  Random random(2000);
  for (std::size_t i = 0; i < effort.questions; ++i)
    count_question(histogram, random);
  return histogram;
}

std::string percent(double rate) {
  return fmt::format("{:.2f}", 100 * rate);
}

void print_baseline_names() {
  for (const std::string_view method : baselines)
    fmt::print("{:>14}", method);
  fmt::print("\n");
}

void print_baselines(const Histogram& histogram, Cell cell) {
  for (const std::string_view method : baselines) {
    cell.method = method;
    const Summary summary = summarize(histogram, cell);
    fmt::print("{:>14}", percent(summary.rate(summary.alarms)));
  }
  fmt::print("\n");
}

void print_equal_row(const Histogram& histogram, std::string_view noise, double spread) {
  const Cell cell{.noise = std::string(noise),
                  .spread = spread > 0 ? share(spread) : "",
                  .effect = "0",
                  .method = "dragnet"};
  const Summary ours = summarize(histogram, cell);
  fmt::print("{:<13}{:>7}{:>9}{:>10}{:>7}", noise.empty() ? "all" : noise,
             spread > 0 ? fmt::format("{:g} %", 100 * spread) : "all",
             percent(ours.rate(ours.alarms)), percent(ours.rate(ours.unchanged)),
             pairs_at(ours, 0.5));
  print_baselines(histogram, cell);
}

void print_equal(const Histogram& histogram) {
  fmt::print(
      "A/A: false alarms in % of comparisons. dragnet looks after every pair, up to {0}.\n"
      "The others, at 1 %: {1} runs of old, then {1} of new; mixed: the first {1} pairs that "
      "dragnet sees;\nlooking: a test after each of its pairs.\n\n"
      "{2:<13}{3:>7}{4:>9}{5:>10}{6:>7}",
      most_pairs, fixed_runs, "noise", "spread", "dragnet", "unchanged", "pairs");
  print_baseline_names();
  for (const std::string_view noise : noises)
    for (const double spread : spreads)
      print_equal_row(histogram, noise, spread);
  for (const std::string_view noise : noises)
    print_equal_row(histogram, noise, 0);
  print_equal_row(histogram, "", 0);
}

void print_questions(const Histogram& histogram) {
  fmt::print("\nA/A: questions of {} benchmarks with a false alarm, in %\n\n", question_size);
  const auto line = [&](const std::string& method) {
    const Cell cell{.noise = "", .spread = "", .effect = "", .method = method + " in a question"};
    const Summary summary = summarize(histogram, cell);
    fmt::print("{:<26}{:>8}\n", method, percent(summary.rate(summary.alarms)));
  };
  line("dragnet");
  for (const std::string_view method : baselines) {
    line(std::string(method));
    if (!method.starts_with("over"))
      line(fmt::format("{} with Holm", method));
  }
}

std::string found(const Histogram& histogram, const Cell& cell) {
  const Summary summary = summarize(histogram, cell);
  return fmt::format("{} ({}, {})", percent(summary.rate(summary.slower)), pairs_at(summary, 0.5),
                     pairs_at(summary, 0.95));
}

void print_slower(const Histogram& histogram) {
  fmt::print("\nTrue slowdowns: found in % of comparisons (pairs: median, 95 %)\n\n"
             "{:<13}{:>7}{:>9}{:>10}{:>17}{:>17}",
             "noise", "spread", "slowdown", "unchanged", "dragnet", "in a question");
  print_baseline_names();
  for (const Slower& slower : slower_cells)
    for (const std::string_view noise : noises) {
      Cell cell{.noise = std::string(noise),
                .spread = share(slower.spread),
                .effect = share(slower.slowdown),
                .method = "dragnet"};
      const Summary ours = summarize(histogram, cell);
      fmt::print("{:<13}{:>7}{:>9}{:>10}{:>17}", noise, fmt::format("{:g} %", 100 * slower.spread),
                 fmt::format("{:g} %", 100 * slower.slowdown), percent(ours.rate(ours.unchanged)),
                 found(histogram, cell));
      cell.method = "dragnet in 50";
      fmt::print("{:>17}", found(histogram, cell));
      print_baselines(histogram, cell);
    }
}

// What must be held, by the noise that is worst at it.
struct Figures {
  double comparisons = 0;       // A/A
  double alarms = 0;            // per benchmark
  double question_alarms = 0;   // per question
  double found = 1;             // of 5 % slowdown at 3 % spread
  std::size_t median_pairs = 0; // until then
  double wrongly_unchanged = 0; // where the slowdown is the smallest effect
};

Summary of_dragnet(const Histogram& histogram, std::string_view noise, std::string_view spread,
                   std::string_view effect) {
  return summarize(histogram, {.noise = std::string(noise),
                               .spread = std::string(spread),
                               .effect = std::string(effect),
                               .method = "dragnet"});
}

Figures figures(const Histogram& histogram) {
  Figures worst;
  for (const std::string_view noise : noises) {
    const Summary equal = of_dragnet(histogram, noise, "", "0");
    worst.comparisons += equal.total;
    worst.alarms = std::max(worst.alarms, equal.rate(equal.alarms));
    const Summary slower = of_dragnet(histogram, noise, "0.03", "0.05");
    worst.found = std::min(worst.found, slower.rate(slower.slower));
    worst.median_pairs = std::max(worst.median_pairs, pairs_at(slower, 0.5));
    for (const char* spread : {"0.01", "0.03"}) {
      const Summary edge = of_dragnet(histogram, noise, spread, "0.02");
      worst.wrongly_unchanged = std::max(worst.wrongly_unchanged, edge.rate(edge.unchanged));
    }
  }
  const Summary question = summarize(
      histogram, {.noise = "", .spread = "", .effect = "", .method = "dragnet in a question"});
  worst.question_alarms = question.rate(question.alarms);
  worst.comparisons += question.total * question_size;
  return worst;
}

// The last line; 0 exactly if all is held. A small simulation is forgiven three standard errors.
int conclude(const Histogram& histogram, const Effort& effort) {
  const Figures worst = figures(histogram);
  const bool small = effort.questions < Effort{}.questions;
  const auto at_most = [&](double rate, double bar, std::size_t size) {
    const double error = std::sqrt(bar * (1 - bar) / static_cast<double>(size));
    return rate <= bar + (small ? 3 * error : 0);
  };
  const bool held = at_most(worst.alarms, 0.01, effort.equal_per_cell * spreads.size()) &&
                    at_most(worst.question_alarms, 0.05, effort.questions) &&
                    at_most(1 - worst.found, 0.05, effort.slower_per_cell) &&
                    at_most(worst.wrongly_unchanged, 0.05, effort.slower_per_cell) &&
                    worst.median_pairs <= 30;
  fmt::print(
      "\naa: {} A/A comparisons; false alarms: {} % per benchmark in the worst noise (at "
      "most 1), {} % of questions of 50 (at most 5); 5 % slowdown at 3 % spread: found in {} "
      "% (at least 95) with a median of {} pairs (at most 30); 2 % slowdown called "
      "unchanged: {} % (at most 5): {}\n",
      worst.comparisons, percent(worst.alarms), percent(worst.question_alarms),
      percent(worst.found), worst.median_pairs, percent(worst.wrongly_unchanged),
      held ? "held" : "NOT HELD");
  return held ? 0 : 1;
}

int run(std::span<const std::string> arguments) {
  const auto given = [&](std::string_view option) {
    return std::ranges::find(arguments, option) != arguments.end();
  };
  const bool folder_given = !arguments.empty() && !arguments.back().starts_with("--");
  const std::string path = (folder_given ? arguments.back() : "eval/results") + "/aa.csv";
  const Effort effort = given("--quick")
                            ? Effort{.equal_per_cell = 200, .slower_per_cell = 200, .questions = 60}
                            : Effort{};
  const Histogram histogram = given("--recompute") ? dragnet::eval::read(path) : simulate(effort);
  if (histogram.empty()) {
    fmt::print(stderr, "aa: {} has no results\n", path);
    return 2;
  }
  if (!given("--quick") && !given("--recompute") && !dragnet::eval::write(histogram, path)) {
    fmt::print(stderr, "aa: cannot write {}\n", path);
    return 2;
  }
  print_equal(histogram);
  print_questions(histogram);
  print_slower(histogram);
  return conclude(histogram, effort);
}

} // namespace

int main(int count, char** values) {
  const auto given = std::span(values, static_cast<std::size_t>(count)).subspan(1);
  const std::vector<std::string> arguments(given.begin(), given.end());
  return run(arguments);
}
