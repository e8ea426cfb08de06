// Two versions of a program under common numbers: what a commit added, revised and removed, and
// which loops share collections. Knows nothing of tests.
#pragma once

#include "analysis/structure/blocks.h"
#include "analysis/structure/dependencies.h"
#include "analysis/structure/flow.h"
#include "model/source.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dragnet::structure {

enum class Fate : std::uint8_t { Unchanged, Revised, Added, Removed, Foreign };

/// One version of a function. Borrows the facts.
struct Version {
  const SourceFunction* source = nullptr; ///< null: there is none
  std::vector<PlacedBlock> blocks;
  std::vector<std::vector<FunctionNumber>> targets; ///< by call
  std::size_t first_loop = 0; ///< the number of its first loop among all of this version
};

/// What an added function was made from.
struct Predecessor {
  FunctionNumber function = 0;
  bool as_a_whole = false; ///< it does the same for other arguments; otherwise it is a piece of it
};

struct ProgramFunction {
  std::string name;
  Fate fate = Fate::Foreign; ///< foreign: called, but without source
  Version base;
  Version next;
  /// By block and by loop of the next version; where that was added, those of its predecessor.
  std::vector<std::optional<std::size_t>> old_block;
  std::vector<std::optional<std::size_t>> old_loop;
  std::optional<Predecessor> predecessor; ///< only of added functions
};

class Program {
public:
  /// The facts outlive the program.
  Program(const SourceFacts& base, const SourceFacts& next);

  const std::vector<ProgramFunction>& functions() const { return functions_; }
  std::optional<FunctionNumber> find(std::string_view name) const;

  /// The version that the old blocks and loops of a function belong to.
  const Version& before(const ProgramFunction& function) const;

  /// Of all loops of a version, in the order of functions and within them.
  const Correlation& base_loops() const { return base_loops_; }
  const Correlation& next_loops() const { return next_loops_; }

  /// For each loop of the next version the loop of the base that it was.
  const std::vector<std::optional<std::size_t>>& old_loops() const { return old_loops_; }

  /// For each loop of the next version, whether the commit changed what fills the collections that
  /// it walks.
  const std::vector<bool>& affected_loops() const { return affected_loops_; }

  /// The same for ours: what was only moved to another function is no change, and what a loop walks
  /// is told by its name where that may be too many things.
  const std::vector<bool>& refilled_loops() const { return refilled_loops_; }

  /// Collections with smaller numbers have their names from the base; others only got a name.
  std::size_t old_collections() const { return old_collections_; }

  const Flow& base_flow() const { return base_flow_; }
  const Flow& next_flow() const { return next_flow_; }

  /// For each handing of the next version the one of the base, where it hands over otherwise now.
  const std::vector<const Handing*>& old_handings() const { return old_handings_; }

  /// For each loop of the next version, whether it walks what calls hand over more or less of now.
  const std::vector<bool>& stretched_loops() const { return stretched_loops_; }

private:
  FunctionNumber number_of(const std::string& name);
  void take(const SourceFacts& facts, Version ProgramFunction::* version);
  void resolve_calls(Version ProgramFunction::* version);
  void compare(const std::vector<std::string>& unread);
  void set_old_loops();
  using ByLoop = std::vector<std::vector<std::size_t>>;
  std::vector<bool> affected(const ByLoop& walks, ByLoop Correlation::* changes,
                             std::size_t asked) const;
  void find_flows(const SourceFacts& base, const SourceFacts& next,
                  const CollectionNumbers& collections);
  void find_grown();
  void find_stretched();

  std::vector<ProgramFunction> functions_;
  std::unordered_map<std::string, FunctionNumber> numbers_;
  Correlation base_loops_;
  Correlation next_loops_;
  std::size_t old_collections_ = 0;
  std::vector<std::optional<std::size_t>> old_loops_;
  std::vector<bool> affected_loops_;
  std::vector<bool> refilled_loops_;
  Flow base_flow_;
  Flow next_flow_;
  std::vector<const Handing*> old_handings_;
  std::vector<bool> stretched_loops_;
};

} // namespace dragnet::structure
