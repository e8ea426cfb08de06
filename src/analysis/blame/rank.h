// Orders the changed functions of a new version by how much of its difference in cost from the old
// one they are to blame for. docs/analyses/blame.md.
#pragma once

#include "analysis/blame/edited_code.h"
#include "analysis/blame/impact_sets.h"
#include "analysis/blame/paired_tree.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace dragnet::blame {

enum class Method : std::uint8_t {
  Published, ///< the sum of the differences of all functions in the impact set
  Own,       ///< the difference of the function itself
  Subtree,   ///< the difference of the function with all that it calls
  Paths,     ///< what the function decides about on each call path, and what it affects nearby
  Credited   ///< the same, where it counts what the edited code itself does otherwise
};

/// The method that is known by this name: published, own, subtree, paths or credited.
std::optional<Method> method_named(std::string_view name);
std::string_view name_of(Method method);

/// What a change is blamed for, by each method, as cost per run; negative where it saves.
struct Blame {
  std::size_t change = 0; ///< its position among the changed functions
  bool executed = false;
  std::size_t affected = 0; ///< functions in its impact set
  double published = 0;
  double own = 0;
  double subtree = 0;
  double paths = 0;
  double credited = 0;

  double by(Method method) const;
};

struct Ranking {
  std::vector<Blame> blames; ///< the most to blame first; of equals, those executed first
  double difference = 0;     ///< between the versions, per run
  double unexplained = 0;    ///< of that: by call paths, no change's
};

/// With what the edited code of each change executed, where that is known.
Ranking rank(const PairedTree& tree, const ImpactSets& impact, Method method,
             std::span<const std::optional<EditedCode>> edits = {});

} // namespace dragnet::blame
