#include "analysis/rank/shares.h"

#include "analysis/rank/frequencies.h"
#include "analysis/rank/probabilities.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/test_model.h"
#include "analysis/structure/blocks.h"
#include "analysis/structure/program.h"
#include "model/source.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace dragnet::rank {
namespace {

bool holds(const SourceDecision& decision, double number) {
  switch (decision.comparison) {
  case Comparison::Equal:
    return number == decision.number;
  case Comparison::Unequal:
    return number != decision.number;
  case Comparison::Less:
    return number < decision.number;
  case Comparison::LessOrEqual:
    return number <= decision.number;
  case Comparison::Greater:
    return number > decision.number;
  case Comparison::GreaterOrEqual:
    return number >= decision.number;
  }
  return false;
}

// Whether a branch takes its first part when a function is called so; nothing where that is open.
std::optional<bool> decided(const SourceBlock& branch, const SourceFunction& callee,
                            const SourceCall& call) {
  if (branch.kind != BlockKind::Branch || branch.subject == 0 || branch.parts.empty())
    return std::nullopt;
  const SourceDecision& decision = callee.decisions[branch.subject - 1];
  if (decision.parameter >= call.arguments.size())
    return std::nullopt;
  const auto& argument = call.arguments[decision.parameter];
  return argument && argument->number ? std::optional(holds(decision, *argument->number))
                                      : std::nullopt;
}

class Callee {
public:
  Callee(const Circumstances& circumstances, const AllLoops& loops,
         structure::FunctionNumber function)
      : circumstances_(circumstances), function_(function),
        version_(circumstances.program.functions()[function].base),
        executed_(circumstances.test.find(function)), loops_(loops) {}

  double share(const SourceCall& call) const {
    if (version_.source == nullptr || version_.source->decisions.empty() || executed_ == nullptr ||
        executed_->blocks.empty())
      return 1;
    const Probabilities usual = base_probabilities(version_, executed_->blocks);
    Probabilities here = usual;
    if (!decide(call, here))
      return 1;
    const double average = cost(usual);
    return average > 0 ? cost(here) / average : 1;
  }

private:
  // Whether the call decides a branch.
  bool decide(const SourceCall& call, Probabilities& probabilities) const {
    bool any = false;
    for (std::size_t i = 0; i < version_.blocks.size(); ++i) {
      const auto first = decided(*version_.blocks[i].block, *version_.source, call);
      if (!first)
        continue;
      any = true;
      for (std::size_t part = i + 1; part < version_.blocks[i].end;
           part = version_.blocks[part].end)
        probabilities[part] = (part == i + 1) == *first ? 1 : 0;
    }
    return any;
  }

  double cost(const Probabilities& probabilities) const {
    const Work work = work_of(version_.blocks,
                              reached(version_.blocks, {.loops = loops_of(version_, loops_.base),
                                                        .probabilities = probabilities}),
                              version_.targets);
    double sum = work.operations * operation_of(circumstances_.usual, function_);
    for (const auto& [callee, frequency] : work.calls)
      if (const Executed* executed = circumstances_.test.find(callee))
        sum += frequency * executed->cost;
    return sum;
  }

  const Circumstances& circumstances_;
  structure::FunctionNumber function_;
  const structure::Version& version_;
  const Executed* executed_;
  const AllLoops& loops_;
};

} // namespace

Shares shares_of(const Circumstances& circumstances, const AllLoops& loops,
                 const structure::Version& version, const Targets& targets) {
  Shares shares;
  for (std::size_t call = 0; call < targets.size(); ++call) {
    auto& all = shares.emplace_back();
    for (const structure::FunctionNumber target : targets[call])
      all.push_back(Callee(circumstances, loops, target).share(version.source->calls[call]));
  }
  return shares;
}

} // namespace dragnet::rank
