// The functions that a change can have had an effect on: the impact sets of path-based dynamic
// impact analysis (Law and Rothermel 2003, as Luo, Poshyvanyk and Grechanik 2016 use it in section
// 3.3). A function is in the impact set of a changed one if, in some execution, it is called after
// it or still on the stack when it returns. Both are so exactly when its last event comes after the
// first entry of the changed one, so that first and last events suffice (Apiwattanapong, Orso and
// Harrold 2005).
#pragma once

#include "model/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragnet::blame {

class ImpactSets {
public:
  /// For functions numbered below `functions`, of which these were changed, each once.
  ImpactSets(std::size_t functions, std::span<const std::uint32_t> changed);

  /// Takes in an execution.
  void add(std::span<const FunctionSpan> execution);

  /// Whether a function can be affected by a change, which is a position among the changed ones. A
  /// changed function is not in its own set.
  bool contains(std::size_t change, std::uint32_t function) const {
    return (sets_[(change * words_) + (function / 64)] >> (function % 64) & 1) != 0;
  }

  /// The impact set of a change, ascending.
  std::vector<std::uint32_t> of(std::size_t change) const;

  /// Whether any execution entered the changed function.
  bool executed(std::size_t change) const { return executed_[change]; }

  std::span<const std::uint32_t> changed() const { return changed_; }
  std::size_t functions() const { return functions_; }

private:
  std::size_t functions_;
  std::size_t words_; // of 64 functions, in each set
  std::vector<std::uint32_t> changed_;
  std::vector<std::uint32_t> change_of_; // by function; `none` for those that are as before
  std::vector<std::uint64_t> sets_;      // one bit for each change and function
  std::vector<bool> executed_;
  std::vector<FunctionSpan> by_last_; // kept to reuse their memory
  std::vector<FunctionSpan> entered_;
  std::vector<std::uint64_t> later_;
};

} // namespace dragnet::blame
