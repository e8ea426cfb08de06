// Functions as their source shows them: what they call, in which loops and branches, and which
// collections these loops walk, fill and empty.
#pragma once

#include "model/profile.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dragnet {

enum class BlockKind : std::uint8_t {
  Sequence, ///< parts one after the other
  Branch,   ///< one of its parts; an empty one where nothing may be done
  Loop,     ///< its only part, again and again
  Call,     ///< no parts
  Exit      ///< leaves the function: return, throw; no parts
};

struct SourceBlock {
  BlockKind kind = BlockKind::Sequence;
  std::uint32_t subject = 0;  ///< the number of the loop or call among the function's; of a branch
                              ///< that of its decision and one more, 0 where none is known
  std::uint32_t weight = 0;   ///< operations of its own, outside its parts
  std::uint64_t identity = 0; ///< of the text of its head, the same while that is not edited
  std::uint32_t line = 0;     ///< where it begins; 0: not known
  std::uint32_t column = 0;
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<SourceBlock> parts = {};
};

/// A variable that holds many: by its number among the collections of the facts.
using CollectionNumber = std::uint32_t;

/// What a call hands over to a parameter, as far as the source tells: a number, or a size.
struct SourceArgument {
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::optional<double> number = {};
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::optional<CollectionNumber> collection = {}; ///< what it is, or whose size it tells
  double factor = 1;                               ///< of that size
  double more = 0;                                 ///< what is added to that
};

enum class Comparison : std::uint8_t { Equal, Unequal, Less, LessOrEqual, Greater, GreaterOrEqual };

/// What decides a branch: its first part is taken where a parameter compares so with a number.
struct SourceDecision {
  std::uint32_t parameter = 0;
  Comparison comparison = Comparison::Equal;
  double number = 0;
};

/// A place where a function calls others.
struct SourceCall {
  CallKind kind = CallKind::Direct;
  std::vector<std::string> targets; ///< names of the possible callees; none: unknown
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<std::optional<SourceArgument>> arguments = {}; ///< nothing: not known
};

struct SourceLoop {
  std::uint64_t times = 0;               ///< how often it repeats, where that is a constant; 0: no
  std::vector<CollectionNumber> walks;   ///< its count depends on their sizes
  std::vector<CollectionNumber> fills;   ///< it adds to them, outside inner loops
  std::vector<CollectionNumber> empties; ///< it removes from them, outside inner loops
  double rate = 1;      ///< repetitions for each element: 0.125 where it takes eight at once
  bool partial = false; ///< its body moves on as well, or another condition may end it: it repeats
                        ///< less often than there are elements
};

struct SourceFunction {
  std::string name; ///< mangled
  std::string file; ///< below the root where it lies there
  std::uint32_t line = 0;
  std::uint64_t body_hash = 0; ///< without comments, layout and line numbers
  SourceBlock body;
  std::vector<SourceCall> calls;
  std::vector<SourceLoop> loops;
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::vector<SourceDecision> decisions = {};
  std::vector<CollectionNumber> fills;   ///< it adds to them, outside loops
  std::vector<CollectionNumber> empties; ///< it removes from them, outside loops
};

/// What facts call a parameter of a function among the collections.
inline std::string parameter_name(const std::string& function, std::size_t index) {
  return "param " + function + " " + std::to_string(index);
}

/// One collection may be another: an argument for a parameter, what a reference refers to.
struct SourceAlias {
  CollectionNumber collection = 0;
  CollectionNumber source = 0;

  auto operator<=>(const SourceAlias&) const = default;
};

/// What is known about the source of one version of a program.
struct SourceFacts {
  std::vector<SourceFunction> functions; ///< by name, each once
  std::vector<std::string> collections;  ///< names that mean the same in each version
  std::vector<SourceAlias> aliases;
  std::vector<std::string> warnings; ///< what could not be read, and is unknown therefore
  std::vector<std::string> unread;   ///< files that could not be read, or not as a whole
};

/// What a run executed of one function, by its source.
struct SourceCounts {
  std::string function;
  double calls = 0;
  double own = 0;             ///< its cost without its callees, over all calls
  std::vector<double> blocks; ///< how often each block was reached, in order, outer before inner
};

struct SourceEdge {
  std::string caller;
  std::string callee;
  double calls = 0;
};

/// What a call of a function without source costs, by its name, in operations of the source.
using LibraryCosts = std::map<std::string, double>;

/// What a test executed. A cost is in instructions, or another unit that is the same throughout.
struct SourceProfile {
  std::string test;
  std::string root;        ///< the function that the test is
  double cost = 0;         ///< of the whole test
  double instructions = 0; ///< executed by the whole test, as costs are then; 0: not counted
  std::vector<SourceCounts> functions;
  std::vector<SourceEdge> edges;
};

} // namespace dragnet
