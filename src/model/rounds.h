// The laboratory as a search along a history sees it: it builds commits and measures rounds, in
// which both ends of the search and a commit between them run next to each other.
#pragma once

#include "base/result.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dragnet {

/// Both ends of a search and a commit between them, or the ends alone, on one benchmark by one
/// method.
struct Trio {
  Build good;
  Build bad;
  std::optional<Build> between;
  Benchmark benchmark;
  Method method = Method::Timed;
};

enum class RoundSide : std::uint8_t { Good, Bad, Between };

/// One run of each member of a trio, next to each other in time.
struct MeasuredRound {
  std::size_t number = 0;
  Run good;
  Run bad;
  std::optional<Run> between;

  double seconds() const { return good.seconds + bad.seconds + (between ? between->seconds : 0); }
};

/// Builds and measures for a search, or remembers what was built and measured.
class SearchLab {
public:
  virtual ~SearchLab() = default;

  /// The build of a commit, made where it is not kept. That it does not build is its outcome.
  virtual Result<Build> build(const Commit& commit) = 0;

  /// The build of a commit if it is kept; makes nothing.
  virtual Result<std::optional<Build>> known_build(const Commit& commit) = 0;

  /// The complete rounds of a trio that are kept already, in order.
  virtual Result<std::vector<MeasuredRound>> kept_rounds(const Trio& trio) = 0;

  /// Measures the next round in an order and keeps each run as it ends. A run that fails is an
  /// outcome in the round, not an Error.
  virtual Result<MeasuredRound> measure_round(const Trio& trio,
                                              std::span<const RoundSide> order) = 0;

  /// Runs of a benchmark on a build until `count` are kept; oldest first.
  virtual Result<std::vector<Run>> runs(const Build& build, const Benchmark& benchmark,
                                        Method method, std::size_t count) = 0;
};

} // namespace dragnet
