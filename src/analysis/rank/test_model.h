// What is known of one test before the commit, by the numbers of the program.
#pragma once

#include "analysis/rank/loop_counts.h"
#include "analysis/structure/blocks.h"
#include "analysis/structure/program.h"
#include "model/source.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace dragnet::rank {

/// What a test executed of one function. Blocks are borrowed from the profile.
struct Executed {
  double calls = 0;
  double own = 0;  ///< for one execution
  double cost = 0; ///< with what it calls, for one execution
  std::span<const double> blocks;
  std::map<structure::FunctionNumber, double> callees; ///< calls over the whole test
};

struct TestModel {
  std::string test;
  std::optional<structure::FunctionNumber> root;
  double cost = 0; ///< of the whole test
  std::unordered_map<structure::FunctionNumber, Executed> functions;

  const Executed* find(structure::FunctionNumber function) const;
};

/// The profile outlives the model. What the program does not know is left out.
TestModel model_of(const structure::Program& program, const SourceProfile& profile);

/// The average iterations of each loop of the base.
LoopCounts recorded_loops(const structure::Program& program, const TestModel& model);

/// The cost of a test with what it executes outside of the source, such as its start.
double whole_cost(const SourceProfile& profile);

/// What functions cost in general, for those that a test did not execute before.
struct UsualCosts {
  std::vector<std::optional<double>> functions; ///< the mean over the tests that execute it
  double average = 0;                           ///< over all function bodies
  double operation = 1;                         ///< of one operation of the source
  std::vector<double> operations; ///< the same by function, as far as tests execute it
  /// By function, how often its blocks are reached for one execution, summed over those tests.
  std::vector<std::vector<double>> blocks;
  LoopCounts loops;   ///< of the base, over the tests that execute them
  LoopCounts guesses; ///< of the loops of the next version, where nothing is known; may be empty
};

/// What loops do on average over tests, where it is known: the geometric mean, which one test with
/// long loops does not rule.
class MeanLoops {
public:
  void add(const LoopCounts& counts);
  LoopCounts means() const;

private:
  std::vector<double> sums_;
  std::vector<double> tests_;
};

/// What an operation of a function costs in general.
double operation_of(const UsualCosts& usual, structure::FunctionNumber function);

UsualCosts usual_costs(const structure::Program& program, std::span<const SourceProfile> profiles,
                       const LibraryCosts& library);

} // namespace dragnet::rank
