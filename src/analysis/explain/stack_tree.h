// The calls of a benchmark as a tree, from real stacks on both sides: what stands in a place did
// happen there, unlike in call_tree.h.
#pragma once

#include "analysis/explain/call_tree.h"
#include "analysis/explain/watched.h"
#include "model/check.h"
#include "model/function.h"
#include "model/stacks.h"

#include <string>

namespace dragnet::explain {

/// What the tree is made of; the metric's amounts or calls take the place of instructions.
struct TreeQuestion {
  std::string metric;
  Quantity quantity = Quantity::Amount;
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  TreeLimits limits = {};
};

/// A function that was renamed is one node. The root stands for the whole run.
CallNode stack_tree(const StackProfile& before, const StackProfile& now,
                    const Difference& difference, const TreeQuestion& question);

} // namespace dragnet::explain
