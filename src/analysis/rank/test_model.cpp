#include "analysis/rank/test_model.h"

#include "analysis/rank/loop_counts.h"
#include "analysis/structure/blocks.h"
#include "analysis/structure/program.h"
#include "model/source.h"
#include "stats/flow.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragnet::rank {
namespace {

void take_functions(const structure::Program& program, const SourceProfile& profile,
                    TestModel& model) {
  for (const SourceCounts& counts : profile.functions) {
    const auto number = program.find(counts.function);
    if (!number || counts.calls <= 0)
      continue;
    Executed& executed = model.functions[*number];
    executed.calls += counts.calls;
    executed.own += counts.own;
    // Counts of another version of the source fit no block.
    if (counts.blocks.size() == program.functions()[*number].base.blocks.size())
      executed.blocks = counts.blocks;
  }
}

void take_edges(const structure::Program& program, const SourceProfile& profile, TestModel& model) {
  for (const SourceEdge& edge : profile.edges) {
    const auto caller = program.find(edge.caller);
    const auto callee = program.find(edge.callee);
    if (caller && callee && edge.calls > 0 && model.functions.contains(*caller))
      model.functions[*caller].callees[*callee] += edge.calls;
  }
}

// From own costs over the whole test to those of one execution with all that is called.
void add_up(TestModel& model) {
  std::unordered_map<structure::FunctionNumber, std::size_t> nodes;
  std::vector<double> own;
  for (const auto& [function, executed] : model.functions) {
    nodes.emplace(function, own.size());
    own.push_back(executed.own);
  }
  std::vector<stats::Arc> arcs;
  for (const auto& [function, executed] : model.functions)
    for (const auto& [callee, calls] : executed.callees)
      if (const auto to = nodes.find(callee); to != nodes.end())
        arcs.push_back({.from = nodes.at(function), .to = to->second, .weight = calls});
  const auto parts = stats::parts_of(arcs, own.size());
  const auto sums = stats::accumulated(own, arcs, parts, model.cost);
  for (auto& [function, executed] : model.functions) {
    executed.cost = sums[nodes.at(function)] / executed.calls;
    executed.own /= executed.calls;
  }
}

// The operations of a function for one execution, from how often its blocks were reached.
double operations(const std::vector<structure::PlacedBlock>& blocks, const Executed& executed) {
  double sum = 0;
  for (std::size_t i = 0; i < executed.blocks.size(); ++i)
    sum += executed.blocks[i] * blocks[i].block->weight;
  return sum / executed.calls;
}

void add_blocks(const Executed& executed, std::vector<double>& sums) {
  sums.resize(executed.blocks.size(), 0.0);
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] += executed.blocks[i] / executed.calls;
}

// By function: what one execution cost, over the tests that execute it, and how many these are.
struct CostSums {
  const std::vector<double>& costs;
  const std::vector<double>& tests;
};

void set_functions(const structure::Program& program, const CostSums& sums,
                   const LibraryCosts& library, UsualCosts& usual) {
  double bodies = 0;
  for (std::size_t i = 0; i < sums.tests.size(); ++i) {
    if (sums.tests[i] > 0) {
      const double mean = sums.costs[i] / sums.tests[i];
      usual.functions[i] = mean;
      usual.average += mean;
      bodies += 1;
    } else if (const auto found = library.find(program.functions()[i].name); found != library.end())
      usual.functions[i] = found->second * usual.operation;
  }
  usual.average /= std::max(1.0, bodies);
}

// A loop inside a library, whose body has no place in the source that counters know.
bool is_hidden(const SourceBlock& loop) {
  return loop.line != 0 && loop.parts.front().line == 0;
}

} // namespace

void MeanLoops::add(const LoopCounts& counts) {
  sums_.resize(counts.size());
  tests_.resize(counts.size());
  for (std::size_t loop = 0; loop < counts.size(); ++loop)
    if (const auto& count = counts[loop]) {
      sums_[loop] += std::log1p(*count);
      tests_[loop] += 1;
    }
}

LoopCounts MeanLoops::means() const {
  LoopCounts means(sums_.size());
  for (std::size_t loop = 0; loop < means.size(); ++loop)
    if (tests_[loop] > 0)
      means[loop] = std::expm1(sums_[loop] / tests_[loop]);
  return means;
}

const Executed* TestModel::find(structure::FunctionNumber function) const {
  const auto found = functions.find(function);
  return found == functions.end() ? nullptr : &found->second;
}

TestModel model_of(const structure::Program& program, const SourceProfile& profile) {
  TestModel model{.test = profile.test,
                  .root = program.find(profile.root),
                  .cost = profile.cost,
                  .functions = {}};
  take_functions(program, profile, model);
  take_edges(program, profile, model);
  std::erase_if(model.functions, [](const auto& entry) { return entry.second.calls <= 0; });
  add_up(model);
  return model;
}

LoopCounts recorded_loops(const structure::Program& program, const TestModel& model) {
  LoopCounts counts(program.base_loops().walks.size());
  for (const auto& [function, executed] : model.functions) {
    const structure::Version& base = program.functions()[function].base;
    for (std::size_t i = 0; i + 1 < executed.blocks.size(); ++i)
      if (base.blocks[i].block->kind == BlockKind::Loop && executed.blocks[i] > 0 &&
          (executed.blocks[i + 1] > 0 || !is_hidden(*base.blocks[i].block)))
        counts[base.first_loop + base.blocks[i].block->subject] =
            executed.blocks[i + 1] / executed.blocks[i];
  }
  return counts;
}

double whole_cost(const SourceProfile& profile) {
  return std::max(profile.cost, profile.instructions);
}

double operation_of(const UsualCosts& usual, structure::FunctionNumber function) {
  const bool is_known = function < usual.operations.size() && usual.operations[function] > 0;
  return is_known ? usual.operations[function] : usual.operation;
}

UsualCosts usual_costs(const structure::Program& program, std::span<const SourceProfile> profiles,
                       const LibraryCosts& library) {
  const auto& functions = program.functions();
  std::vector<double> sums(functions.size(), 0.0);
  std::vector<double> tests(functions.size(), 0.0);
  std::vector<double> owns(functions.size(), 0.0);
  std::vector<double> operated(functions.size(), 0.0);
  std::vector<std::vector<double>> blocks(functions.size());
  MeanLoops loops;
  loops.add(LoopCounts(program.base_loops().walks.size()));
  for (const SourceProfile& profile : profiles) {
    const TestModel model = model_of(program, profile);
    loops.add(recorded_loops(program, model));
    for (const auto& [function, executed] : model.functions) {
      sums[function] += executed.cost;
      tests[function] += 1;
      const double here = operations(functions[function].base.blocks, executed);
      owns[function] += here > 0 ? executed.own * executed.calls : 0;
      operated[function] += here * executed.calls;
      add_blocks(executed, blocks[function]);
    }
  }
  UsualCosts usual{.functions = std::vector<std::optional<double>>(functions.size()),
                   .operations = std::vector<double>(functions.size(), 0.0),
                   .blocks = std::move(blocks),
                   .loops = loops.means(),
                   .guesses = {}};
  const double own = std::accumulate(owns.begin(), owns.end(), 0.0);
  const double all_operations = std::accumulate(operated.begin(), operated.end(), 0.0);
  usual.operation = all_operations > 0 && own > 0 ? own / all_operations : 1;
  for (structure::FunctionNumber i = 0; i < functions.size(); ++i)
    usual.operations[i] = operated[i] > 0 ? owns[i] / operated[i] : 0;
  set_functions(program, {sums, tests}, library, usual);
  return usual;
}

} // namespace dragnet::rank
