// How often functions call others after a commit, for one test: as published, and ours.
#pragma once

#include "analysis/rank/frequencies.h"
#include "analysis/rank/loop_counts.h"
#include "analysis/rank/test_model.h"
#include "analysis/structure/blocks.h"
#include "analysis/structure/program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace dragnet::rank {

enum class Method : std::uint8_t {
  Published, ///< Mostafa, Wang and Xie (2017)
  Ours,      ///< with own costs, probabilities of branches, exits and sizes of collections
  // Their baselines, which estimate nothing:
  Coverage,    ///< additional coverage of functions
  LoopCoverage ///< additional coverage of loops
};

/// "perfranker", "dragnet", "coverage" or "loop-coverage".
std::string_view name(Method method);

/// The method of a name.
std::optional<Method> method_of(std::string_view name);

/// What is known when one test is estimated. Borrowed.
struct Circumstances {
  const structure::Program& program;
  const TestModel& test;
  const UsualCosts& usual;
};

/// Average iterations of all loops of both versions, each of them set.
struct AllLoops {
  std::vector<double> base;
  std::vector<double> next;
};

/// Published: recorded counts where the commit does not affect a loop, otherwise by Algorithm 1.
AllLoops published_loops(const Circumstances& circumstances);

/// Ours: recorded counts; sizes of collections; constants; growth by what fills them now; where
/// nothing is known, the geometric mean, which few long loops do not rule.
AllLoops our_loops(const Circumstances& circumstances);

/// What ours has to guess, of the loops of the new version.
LoopCounts guessed_loops(const Circumstances& circumstances);

/// One function before and after: calls for one execution, and the change of its own cost.
struct Revision {
  Frequencies before;
  Frequencies after;
  double own = 0;
};

/// Formulas 1 to 3 for functions that the commit added or revised, against what was recorded. Of
/// functions with affected loops only, the recorded frequencies grow with the loops.
Revision published_revision(const Circumstances& circumstances, const AllLoops& loops,
                            structure::FunctionNumber function);

/// The recorded frequencies, and on top of them the difference between both versions, each taken
/// through its blocks by the same rules.
Revision our_revision(const Circumstances& circumstances, const AllLoops& loops,
                      structure::FunctionNumber function);

/// Of the counts of all loops those of one version.
std::span<const double> loops_of(const structure::Version& version,
                                 const std::vector<double>& loops);

/// The recorded calls of a function for one execution.
Frequencies recorded(const Circumstances& circumstances, structure::FunctionNumber function);

/// By call, the functions that it reaches.
using Targets = std::vector<std::vector<structure::FunctionNumber>>;

/// The targets of each call of the new version: those that were recorded where the call was there
/// before, all possible ones otherwise.
Targets resolved(const Circumstances& circumstances, structure::FunctionNumber function);

/// The targets of each call of the base: those that were recorded, all possible ones where none
/// was.
Targets resolved_base(const Circumstances& circumstances, structure::FunctionNumber function);

/// Whether the new version of a function has loops that other functions made longer or shorter.
bool has_affected_loops(const structure::Program& program, structure::FunctionNumber function);

/// The same for ours.
bool has_refilled_loops(const structure::Program& program, structure::FunctionNumber function);

/// Whether it has loops over what calls hand over more or less of now.
bool has_stretched_loops(const structure::Program& program, structure::FunctionNumber function);

} // namespace dragnet::rank
