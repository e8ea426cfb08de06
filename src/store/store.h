// What was built and measured, kept for good. The interface is small so that another database can
// stand behind it; every write is one transaction, and writing the same thing twice changes
// nothing.
#pragma once

#include "base/result.h"
#include "model/lab.h"
#include "model/machine.h"
#include "model/record.h"
#include "model/rounds.h"
#include "model/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::store {

/// What determines the result of a run.
struct RunKey {
  std::string build;
  std::string benchmark;
  std::string machine;
  Method method = Method::Timed;
};

/// What determines the pairs of a duel. A new series begins when the user asks to measure again.
struct DuelKey {
  RunKey base;
  std::string candidate_build;

  /// The key under which its pairs are kept.
  std::string text() const;
};

/// What determines the rounds of a trio. A new series begins when the user asks to measure again.
struct TrioKey {
  RunKey good;
  std::string bad_build;
  std::string between_build; ///< empty for the ends alone

  /// The key under which its rounds are kept; never that of a duel.
  std::string text() const;
};

/// In a round, Base is the good end and Candidate the bad one.
enum class Side { Base, Candidate, Between };

/// Where a run stands in a duel or a trio.
struct Place {
  std::string duel;
  std::int64_t series = 1;
  std::size_t pair = 0;
  Side side = Side::Base;
};

/// Which records are wanted; empty means all.
struct Filter {
  std::string commit;
  std::vector<std::string> benchmarks;
};

class Store {
public:
  virtual ~Store() = default;

  virtual Result<> keep(const Machine& machine) = 0;
  virtual Result<> keep(const Definition& definition) = 0;
  virtual Result<> keep(const Commit& commit) = 0;
  virtual Result<> keep(const Build& build) = 0;

  /// The build of a key, if one has ended.
  virtual Result<std::optional<Build>> build(const std::string& key) = 0;

  /// Forgets a build's outcome, so that it is built again; its runs stay.
  virtual Result<> forget_build(const std::string& key) = 0;

  /// Keeps a run with its samples, in its place of a duel if it has one; returns its id.
  virtual Result<std::int64_t> keep(const RunKey& key, const Run& run,
                                    const std::optional<Place>& place) = 0;

  /// All runs of a key, oldest first.
  virtual Result<std::vector<Run>> runs(const RunKey& key) = 0;

  /// The last series of a duel; 1 when there is none.
  virtual Result<std::int64_t> last_series(const std::string& duel) = 0;

  /// The complete pairs of a duel's series, in order.
  virtual Result<std::vector<Pair>> pairs(const std::string& duel, std::int64_t series) = 0;

  /// The rounds of a trio's series that have both ends, in order.
  virtual Result<std::vector<MeasuredRound>> rounds(const std::string& trio,
                                                    std::int64_t series) = 0;

  /// The number after the highest that any run of the series has, complete or not.
  virtual Result<std::size_t> next_pair(const std::string& duel, std::int64_t series) = 0;

  /// All records that pass a filter, oldest first.
  virtual Result<std::vector<Record>> records(const Filter& filter) = 0;

  /// Checks the database itself; an Error names what is broken.
  virtual Result<> check_integrity() = 0;
};

} // namespace dragnet::store
