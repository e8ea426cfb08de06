// Divides the difference between two versions among the functions that decide about it. The cost of
// a call path is a product: how often each function on it calls the next, times what one call of
// the last costs. The difference is divided among these factors by the logarithms of their changes,
// so that the parts add up to it (Ang 2005, logarithmic mean Divisia index). How often a callee is
// called is its caller's decision, what a call costs the function's own. A path that only one
// version has is the decision of the function where it leaves what both have.
#pragma once

#include "analysis/blame/edited_code.h"
#include "analysis/blame/impact_sets.h"
#include "analysis/blame/paired_tree.h"

#include <optional>
#include <span>
#include <vector>

namespace dragnet::blame {

/// For each node, the part of the difference that its function decides about there. They add up to
/// the whole difference.
std::vector<double> decisions(const PairedTree& tree);

/// A part of the difference for each change, and what none of them explains.
struct PathShares {
  std::vector<double> of_change;
  std::vector<double> credited; ///< the same, by what the edited code shows
  double unexplained = 0;
};

/// What changed functions decide is theirs. A function that is as before can decide otherwise only
/// because a change gave it other arguments, results or data: such a part is divided among the
/// changes whose impact sets hold the function, those that are near in the tree most. Where it is
/// known what edited code executed, `credited` takes what a changed function does in the rest of
/// its code for a part of that kind, and gives most to the changes that show most in their
/// functions.
PathShares path_shares(const PairedTree& tree, const ImpactSets& impact,
                       std::span<const std::optional<EditedCode>> edits = {});

} // namespace dragnet::blame
