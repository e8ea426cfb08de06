#include "analysis/rank/growth.h"

#include "analysis/rank/frequencies.h"
#include "analysis/rank/handed_sizes.h"
#include "analysis/rank/loop_counts.h"
#include "analysis/rank/probabilities.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/test_model.h"
#include "analysis/structure/blocks.h"
#include "analysis/structure/dependencies.h"
#include "analysis/structure/flow.h"
#include "analysis/structure/program.h"
#include "model/source.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace dragnet::rank {
namespace {

class Growth {
public:
  explicit Growth(const Sight& sight)
      : sight_(sight), circumstances_(sight.circumstances), program_(circumstances_.program) {}

  void stretch(AllLoops& loops) const {
    const auto& stretched = program_.stretched_loops();
    if (std::ranges::none_of(stretched, [](bool is) { return is; }))
      return;
    const structure::Correlation& next = program_.next_loops();
    const auto growth = growth_of({.flow = program_.next_flow(), .times = sight_.times},
                                  grown_handings(), next.collections);
    for (std::size_t loop = 0; loop < stretched.size(); ++loop) {
      double most = 1;
      for (const std::size_t one : next.names[loop])
        if (std::abs(growth[one] - 1) > std::abs(most - 1))
          most = growth[one];
      loops.next[loop] *= most;
    }
  }

  void grow(AllLoops& loops, const LoopCounts& known) const {
    const auto& affected = program_.refilled_loops();
    if (std::ranges::none_of(affected, [](bool is) { return is; }))
      return;
    const auto walks = program_.next_loops().known_walks();
    const auto totals = base_totals(circumstances_);
    const auto before = put_in(program_.base_loops(), totals);
    auto totals_after = next_totals(loops, totals);
    for (std::size_t loop = 0; loop < known.size(); ++loop)
      if (!known[loop])
        totals_after[loop] = 0;
    const auto after = put_in(program_.next_loops(), totals_after);
    const double most = std::max(1.0, totals.empty() ? 1.0 : std::ranges::max(totals));
    for (std::size_t loop = 0; loop < affected.size(); ++loop)
      if (affected[loop])
        loops.next[loop] = grown(loops.next[loop], walks[loop], {before, after, most});
  }

private:
  // For each handing of the next version how many times more it hands over than before.
  std::vector<double> grown_handings() const {
    std::vector<double> grown;
    for (std::size_t i = 0; i < program_.old_handings().size(); ++i) {
      const structure::Handing* old = program_.old_handings()[i];
      grown.push_back(old == nullptr ? 1 : growth(*old, program_.next_flow().handings[i]));
    }
    return grown;
  }

  // The size that both are made from is that of the collection, or what the parameter says of it.
  double growth(const structure::Handing& before, const structure::Handing& after) const {
    if (!after.collection || (before.more == 0 && after.more == 0))
      return after.factor / before.factor;
    auto size = sight_.sizes[*after.collection];
    if (const auto& parameter = sight_.sizes[after.parameter]; !size && parameter)
      size = std::max(0.0, *parameter - before.more) / before.factor;
    if (!size)
      return before.more == after.more ? after.factor / before.factor : 1;
    const double old = (*size * before.factor) + before.more;
    return old > 0 ? std::max(0.0, (*size * after.factor) + after.more) / old : 1;
  }

  // The same for the next version: as before where it was there, otherwise by the way through its
  // function.
  std::vector<double> next_totals(const AllLoops& loops, const std::vector<double>& before) const {
    std::vector<double> totals(loops.next.size(), 0.0);
    for (structure::FunctionNumber number = 0; number < program_.functions().size(); ++number) {
      if (program_.functions()[number].next.source != nullptr && sight_.calls[number] > 0)
        add_totals(number, sight_.calls[number], loops, totals);
    }
    for (std::size_t loop = 0; loop < totals.size(); ++loop)
      if (const auto& old_loop = program_.old_loops()[loop])
        totals[loop] = before[*old_loop];
    return totals;
  }

  void add_totals(structure::FunctionNumber number, double calls, const AllLoops& loops,
                  std::vector<double>& totals) const {
    const structure::ProgramFunction& function = program_.functions()[number];
    if (std::ranges::all_of(function.old_loop, [](const auto& loop) { return loop.has_value(); }))
      return;
    const structure::FunctionNumber old =
        function.predecessor ? function.predecessor->function : number;
    const auto probabilities = next_probabilities(function, program_.before(function),
                                                  base_probabilities(circumstances_, old));
    const Reached all = reached(function.next.blocks, {.loops = loops_of(function.next, loops.next),
                                                       .probabilities = probabilities});
    for (std::size_t i = 0; i + 1 < all.blocks.size(); ++i)
      if (function.next.blocks[i].block->kind == BlockKind::Loop)
        totals[function.next.first_loop + function.next.blocks[i].block->subject] =
            calls * all.blocks[i + 1];
  }

  static std::vector<double> put_in(const structure::Correlation& loops,
                                    const std::vector<double>& totals) {
    std::vector<double> sums(loops.collections, 0.0);
    for (std::size_t loop = 0; loop < totals.size(); ++loop)
      for (const std::size_t collection : loops.fills[loop])
        sums[collection] += totals[loop];
    return sums;
  }

  struct Filled {
    const std::vector<double>& before;
    const std::vector<double>& after;
    double most = 0; ///< of all loops of the test
  };

  // What is only called by another name now is not filled by more than before. Of what nothing
  // filled before no loop walks more than the test's longest one.
  double grown(double count, const std::vector<std::size_t>& collections,
               const Filled& filled) const {
    double result = count;
    for (const std::size_t one : collections) {
      const double before = filled.before[one];
      const double after = filled.after[one];
      if (one >= program_.old_collections() || before == after)
        continue;
      const double now = before > 0 ? count * after / before
                                    : std::min(count + after, std::max(count, filled.most));
      if (std::abs(now - count) > std::abs(result - count))
        result = now;
    }
    return result;
  }

  const Sight& sight_;
  const Circumstances& circumstances_;
  const structure::Program& program_;
};

} // namespace

std::vector<double> base_totals(const Circumstances& circumstances) {
  const structure::Program& program = circumstances.program;
  std::vector<double> totals(program.base_loops().walks.size(), 0.0);
  for (const auto& [function, executed] : circumstances.test.functions) {
    const structure::Version& base = program.functions()[function].base;
    for (std::size_t i = 0; i + 1 < executed.blocks.size(); ++i)
      if (base.blocks[i].block->kind == BlockKind::Loop)
        totals[base.first_loop + base.blocks[i].block->subject] = executed.blocks[i + 1];
  }
  return totals;
}

void grow(const Sight& sight, const LoopCounts& known, AllLoops& loops) {
  Growth(sight).grow(loops, known);
}

void stretch(const Sight& sight, AllLoops& loops) {
  Growth(sight).stretch(loops);
}

} // namespace dragnet::rank
