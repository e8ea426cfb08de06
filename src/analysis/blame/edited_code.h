// How much of what a changed function does otherwise is done by the instructions that were edited.
// The rest of it runs more or less often than before: by its edit too, or because another change
// gave it other arguments, results or data.
#pragma once

#include "analysis/blame/paired_tree.h"
#include "model/function.h"
#include "model/profile.h"

#include <optional>
#include <span>

namespace dragnet::blame {

/// Instructions that a call of a changed function executes in itself.
struct EditedCode {
  OldAndNew edited{}; ///< of those, what only one version has
  OldAndNew all{};

  /// The part of what a call costs more that edited instructions cost, 0 to 1; 1 where it costs
  /// less, or hardly more.
  double own_part() const;

  /// How much the edit shows in the function itself: what edited instructions cost more or less,
  /// and what the others save, as a logarithm.
  double otherness() const;
};

/// From exact profiles of both versions; nothing where one did not call the function.
std::optional<EditedCode> edited_code(const FunctionCounts& before, const FunctionCounts& now,
                                      std::span<const Hunk> hunks);

} // namespace dragnet::blame
