// A comparison for people and for programs.
#pragma once

#include "analysis/compare/compare.h"
#include "base/result.h"
#include "model/check.h"
#include "model/machine.h"

#include <string>

namespace dragnet::report {

/// What a report names beside the comparison itself.
struct Heading {
  std::string project;
  Machine machine;
  std::string version; ///< of Dragnet
  std::vector<std::string>
      notes; ///< what the reader should know: benchmarks that only one side has, ...
};

/// How the text looks.
struct Look {
  bool colours = false;
  bool reasons = false; ///< a line under each row with the rule that made its verdict
};

/// A row in the form that it has in a check.
CheckedMetric as_checked(const compare::Row& row);

/// Verdict first, then a table, then how it was measured.
std::string comparison_text(const compare::Comparison& comparison, const Heading& heading,
                            const Look& look);

/// The document "comparison", as docs/json.md describes it.
std::string comparison_json(const compare::Comparison& comparison, const Heading& heading);

} // namespace dragnet::report
