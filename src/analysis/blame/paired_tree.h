// The call trees of an old and a new version as one: a node for each call path of either, with what
// both did there.
#pragma once

#include "analysis/blame/call_tree.h"
#include "model/profile.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace dragnet::blame {

/// What was traced of a version.
struct TracedSide {
  std::vector<FunctionId> functions; ///< by the numbers in the tree
  CallTree tree;
  double runs = 1; ///< that the tree is the sum of
};

enum Version : std::uint8_t { Old = 0, New = 1 };
using OldAndNew = std::array<double, 2>;

struct PairedNode {
  std::uint32_t function = 0;
  std::uint32_t parent = 0;
  OldAndNew calls{}; ///< per run
  OldAndNew cost{};  ///< of its own, per run
};

struct PairedTree {
  std::vector<FunctionId> functions; ///< those of the new version with their numbers, then others
  std::vector<PairedNode> nodes;     ///< parents before callees; the first is the root

  /// The cost of each function itself, new minus old, by number.
  std::vector<double> own_differences() const;
  /// The same of each node with all that is called from it, by node.
  std::vector<double> subtree_differences() const;
};

/// Functions are the same if their ids are; `renamed` tells the new id of an old one.
PairedTree paired(const TracedSide& old_side, const TracedSide& new_side,
                  const std::map<FunctionId, FunctionId>& renamed = {});

} // namespace dragnet::blame
