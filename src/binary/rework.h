// What remains of the edits of a function when what only moved, was copied or uses other registers
// is left out, and where it stands: that is what can cost time.
#pragma once

#include "binary/outline.h"
#include "model/function.h"

namespace dragnet::binary {

/// Two versions of a function.
struct Versions {
  const Outline& before;
  const Outline& now;
  const FunctionTable& old_table; ///< of the programs, which calls point into
  const FunctionTable& new_table;
};

/// Fills in where and how a changed function was edited.
void describe_edits(const Versions& versions, FunctionChange& change);

} // namespace dragnet::binary
