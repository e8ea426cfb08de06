// The state of a comparison: its rows, what was seen for each, and what that means so far.
#pragma once

#include "analysis/compare/compare.h"
#include "model/benchmark.h"
#include "model/lab.h"
#include "model/run.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::compare {

// One duel and the rows that its pairs feed.
struct Contest {
  Duel duel;
  std::vector<std::size_t> rows;
  double worth = 1;
  std::size_t pairs = 0;
  double seconds = 0;
};

class Board {
public:
  /// One row for each benchmark and metric of the question, which it borrows.
  Board(const Lab& lab, const Question& question);

  std::vector<Contest>& contests() { return contests_; }
  Comparison& comparison() { return comparison_; }
  const Comparison& comparison() const { return comparison_; }

  /// Takes a pair in, without looking at it.
  void take(Contest& contest, const Pair& pair);

  /// Looks at what a contest has shown so far.
  void assess_rows(const Contest& contest);

  /// Gives every row its verdict so far.
  void judge_all();

  /// Whether more pairs can decide a row of it.
  bool is_open(const Contest& contest) const;

private:
  static void take_sample(Row& row, const Pair& pair);
  void add_row(const Lab& lab, const Benchmark& benchmark, const std::string& metric);
  Contest& contest_of(const Benchmark& benchmark, Method method);
  double worth_of(const Benchmark& benchmark) const;
  void confirm(Row& row) const;

  const Question& question_;
  std::vector<Contest> contests_;
  Comparison comparison_;
};

} // namespace dragnet::compare
