// The published comparison of two revisions by what each call of a stack does on average (Bezemer,
// Milon, Zaidman and Pouwelse, "Detecting and analyzing I/O performance regressions", 2014,
// section 4), for one stack: values in, numbers of its row out.
#pragma once

#include "analysis/explain/watched.h"
#include "stats/interval.h"

#include <cstddef>
#include <optional>
#include <span>

namespace dragnet::explain {

/// The lowest and the highest average per call over the runs that called; none where no run did.
std::optional<stats::Interval> range_of(std::span<const RunUse> runs);

/// Ochiai's similarity of a row of zeros and ones with a row of ones: a / sqrt((a + b)(a + c)),
/// where b is 0 and a + c is the length. 1 for an empty row.
double similarity_to_ones(std::size_t ones, std::size_t length);

/// The row of a stack in the similarity report.
struct Spectrum {
  double similarity = 1;       ///< SC: 1 like before, 0 in no run like before
  double calls = 0;            ///< per run
  double calls_difference = 0; ///< per run, against before
  double impact = 0;           ///< how far outside the range, per call; negative below it
  double total_impact = 0;     ///< calls x impact
  std::optional<stats::Interval> range;
  std::size_t runs = 0; ///< in which the stack did anything
  std::size_t of = 0;   ///< runs in all
};

/// Runs in which the stack did nothing have no average: they are neither inside nor outside.
Spectrum spectrum_of(std::span<const RunUse> before, std::span<const RunUse> now);

/// The mean over runs; zeros where there is none.
RunUse mean_of(std::span<const RunUse> runs);

} // namespace dragnet::explain
