// Evaluates the ways to select benchmarks on examples from files (see
// src/analysis/select/dataset.h): the tables and figures of Oliveira et al. 2017, section IV, with
// Algorithm 1 and ours side by side. Exits with 0 exactly if ours holds, for every program, a hit
// rate of 0.95 and a dismiss rate of 0.85 by ten folds, and is nowhere worse than Algorithm 1.

#include "analysis/select/dataset.h"
#include "analysis/select/evaluation.h"
#include "analysis/select/example.h"
#include "analysis/select/methods.h"
#include "stats/interval.h"
#include "tests/fakes/planted_history.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace select = dragnet::select;
using select::Division;
using select::Example;
using select::Examples;
using select::Rate;
using select::Score;
using select::Trainer;
using select::Truth;

constexpr double hit_bar = 0.95;
constexpr double dismiss_bar = 0.85;

struct Options {
  std::vector<std::string> files;
  bool quick = false;
  bool by_time = false;
  bool planted = false;
};

std::string text(const Rate& rate) {
  return rate.cases == 0 ? "n/a" : fmt::format("{:.3f}", rate.value());
}

std::string with_interval(const Rate& rate) {
  if (rate.cases == 0)
    return "n/a";
  const dragnet::stats::Interval interval = rate.interval();
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", rate.value(), interval.low, interval.high);
}

bool of_parent(const Example& example) {
  return example.hops <= 1;
}

bool is_compared(const Trainer& trainer) {
  return trainer.name == "perphecy" || trainer.name == "evidence";
}

Examples of_subject(const Examples& examples, const std::string& subject) {
  return where(examples, [&](const Example& example) { return example.subject == subject; });
}

void print_size(const std::string& subject, const Examples& examples) {
  std::set<std::string> commits;
  std::set<std::string> benchmarks;
  std::size_t hits = 0;
  std::size_t unknown = 0;
  for (const Example* example : examples) {
    commits.insert(example->new_commit);
    benchmarks.insert(example->benchmark);
    hits += example->truth == Truth::Hit ? 1 : 0;
    unknown += example->truth == Truth::Unknown ? 1 : 0;
  }
  fmt::print("\n== {}: {} commits, {} benchmarks, {} pairs of a commit and its parent, {} hits, {} "
             "unknown\n",
             subject, commits.size(), benchmarks.size(), examples.size(), hits, unknown);
}

// The scores by ten folds of the two that are compared.
struct Verdict {
  Score perphecy;
  Score evidence;
};

Verdict print_effectiveness(const Examples& parents, const Division& division) {
  fmt::print("\nTable IV: trained and tested on all; by ten folds\n{:<26}{:>8}{:>9}{:>24}{:>24}\n",
             "", "hit", "dismiss", "hit, 10-fold", "dismiss, 10-fold");
  Verdict verdict;
  for (const Trainer& trainer : select::trainers()) {
    const Score full = select::full(trainer.train, parents);
    const Score folds = select::cross_validated(trainer.train, parents, division);
    fmt::print("{:<26}{:>8}{:>9}{:>24}{:>24}\n", trainer.name, text(full.hit), text(full.dismiss),
               with_interval(folds.hit), with_interval(folds.dismiss));
    if (trainer.name == "perphecy")
      verdict.perphecy = folds;
    if (trainer.name == "evidence")
      verdict.evidence = folds;
  }
  return verdict;
}

void print_training_size(const Examples& parents, const Division& division) {
  fmt::print("\nFig. 3: by size of the training set\n{:<26}{:>6}{:>9}{:>24}{:>24}\n", "", "folds",
             "commits", "hit", "dismiss");
  for (const Trainer& trainer : select::trainers())
    if (is_compared(trainer))
      for (const auto& row : select::by_training_size(trainer.train, parents, division))
        fmt::print("{:<26}{:>6}{:>9.1f}{:>24}{:>24}\n", trainer.name, row.folds,
                   row.training_commits, with_interval(row.score.hit),
                   with_interval(row.score.dismiss));
}

void print_hops(const Examples& examples) {
  fmt::print("\nFig. 4: by distance, trained on the oldest quarter\n{:<26}{:>6}{:>7}{:>24}{:>24}\n",
             "", "hops", "hits", "hit", "dismiss");
  for (const Trainer& trainer : select::trainers())
    if (is_compared(trainer))
      for (const auto& row : select::by_hops(trainer.train, examples))
        fmt::print("{:<26}{:>6}{:>7}{:>24}{:>24}\n", trainer.name, row.hops, row.score.hit.cases,
                   with_interval(row.score.hit), with_interval(row.score.dismiss));
}

void print_synthetic(const Examples& examples, const Division& division) {
  fmt::print(
      "\nTable V: trained on pairs at any distance, by ten folds\n{:<26}{:>12}{:>24}{:>24}\n", "",
      "tested on", "hit", "dismiss");
  for (const Trainer& trainer : select::trainers()) {
    if (!is_compared(trainer))
      continue;
    for (const auto tested : {select::Tested::AllPairs, select::Tested::ParentsOnly}) {
      Division one = division;
      one.repetitions = 1;
      one.tested = tested;
      const Score score = select::cross_validated(trainer.train, examples, one);
      fmt::print("{:<26}{:>12}{:>24}{:>24}\n", trainer.name,
                 tested == select::Tested::AllPairs ? "all pairs" : "parents",
                 with_interval(score.hit), with_interval(score.dismiss));
    }
  }
}

void print_cross(const Examples& parents) {
  fmt::print("\nTrained on one program, tested on another\n{:<26}{:<20}{:<20}{:>24}{:>24}\n", "",
             "trained on", "tested on", "hit", "dismiss");
  for (const Trainer& trainer : select::trainers())
    if (is_compared(trainer))
      for (const auto& row : select::across_subjects(trainer.train, parents))
        fmt::print("{:<26}{:<20}{:<20}{:>24}{:>24}\n", trainer.name, row.trained_on, row.tested_on,
                   with_interval(row.score.hit), with_interval(row.score.dismiss));
}

bool holds(const Verdict& verdict) {
  const Score& ours = verdict.evidence;
  return ours.hit.value() >= hit_bar && ours.dismiss.value() >= dismiss_bar &&
         ours.hit.value() >= verdict.perphecy.hit.value() &&
         ours.dismiss.value() >= verdict.perphecy.dismiss.value();
}

Verdict print_subject(const std::string& subject, const Examples& examples,
                      const Division& division) {
  const Examples parents = where(examples, of_parent);
  print_size(subject, parents);
  const Verdict verdict = print_effectiveness(parents, division);
  print_training_size(parents, division);
  if (parents.size() < examples.size()) {
    print_hops(examples);
    print_synthetic(examples, division);
  }
  return verdict;
}

int evaluate(const std::vector<Example>& all, const Options& options) {
  const Division division{.repetitions = options.quick ? 1U : 5U};
  const Examples examples = select::all_of(all);
  std::set<std::string> subjects;
  for (const Example& example : all)
    subjects.insert(example.subject);
  bool held = true;
  std::string figures;
  for (const std::string& subject : subjects) {
    const Verdict verdict = print_subject(subject, of_subject(examples, subject), division);
    held = held && holds(verdict);
    figures +=
        fmt::format("{}: hit {} (at least {}), dismiss {} (at least {}), perphecy {} and "
                    "{}; ",
                    subject, text(verdict.evidence.hit), hit_bar, text(verdict.evidence.dismiss),
                    dismiss_bar, text(verdict.perphecy.hit), text(verdict.perphecy.dismiss));
  }
  if (subjects.size() > 1)
    print_cross(where(examples, of_parent));
  fmt::print("\nselect_table: {}{}\n", figures, held ? "held" : "NOT HELD");
  return held ? 0 : 1;
}

std::vector<Example> planted(bool quick) {
  std::vector<Example> all;
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const dragnet::fakes::PlantedSize size{.commits = quick ? 150U : 300U,
                                           .most_hops = quick ? 2U : 15U};
    for (Example& example :
         dragnet::fakes::PlantedHistory(fmt::format("planted {}", seed), size, seed).examples())
      all.push_back(std::move(example));
  }
  return all;
}

// Adds the examples of a file, or says what is wrong with it.
bool read(const std::string& path, std::vector<Example>& all) {
  std::ifstream file(path);
  const std::string content((std::istreambuf_iterator<char>(file)), {});
  if (!file) {
    fmt::print(stderr, "select_table: cannot read {}\n", path);
    return false;
  }
  auto examples = select::parse_examples(content);
  if (!examples) {
    fmt::print(stderr, "select_table: {}: {}\n", path, examples.error().what);
    return false;
  }
  for (Example& example : *examples)
    all.push_back(std::move(example));
  return true;
}

Options parse(std::span<char*> arguments) {
  Options options;
  for (const std::string_view argument : arguments)
    if (argument == "--quick")
      options.quick = true;
    else if (argument == "--time")
      options.by_time = true;
    else if (argument == "--planted")
      options.planted = true;
    else
      options.files.emplace_back(argument);
  return options;
}

} // namespace

int main(int count, char** values) {
  const Options options = parse(std::span(values, static_cast<std::size_t>(count)).subspan(1));
  std::vector<Example> all;
  if (options.planted)
    all = planted(options.quick);
  for (const std::string& path : options.files)
    if (!read(path, all))
      return 2;
  if (all.empty()) {
    fmt::print(stderr, "select_table: no examples; give files, or --planted\n");
    return 2;
  }
  if (options.by_time)
    for (Example& example : all)
      example.truth = example.truth_by_time;
  return evaluate(all, options);
}
