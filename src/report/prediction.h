// Which benchmarks to run for a commit, for people and for programs.
#pragma once

#include "analysis/select/select.h"
#include "model/commit.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::report {

/// A decision with what it was compared with.
struct PredictedRow {
  select::Decision decision;
  std::optional<Commit> base;
  std::size_t hops = 0;
};

struct PredictedCommit {
  std::string project;
  Commit commit;
  std::string method;
  bool trained = false;
  std::vector<PredictedRow> rows;
};

enum class Detail { Short, Why };

/// One sentence, then a line per benchmark: run or skip, probability, the decisive reason; with
/// Detail::Why all reasons.
std::string prediction_text(const PredictedCommit& predicted, Detail detail, bool colours);

/// The document "prediction".
std::string prediction_json(const PredictedCommit& predicted, const std::string& version);

} // namespace dragnet::report
