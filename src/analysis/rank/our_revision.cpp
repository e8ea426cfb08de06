// Ours: own costs, probabilities of branches, exits, and sizes of collections.

#include "analysis/rank/frequencies.h"
#include "analysis/rank/loop_counts.h"
#include "analysis/rank/program.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/test_model.h"
#include "model/source.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::rank {
namespace {

using Probabilities = std::vector<std::optional<double>>;

// For the parts of branches of the base, how often the branch took them.
Probabilities base_probabilities(const Version& base, std::span<const double> counts) {
  Probabilities result(base.blocks.size());
  if (counts.empty())
    return result;
  for (std::size_t i = 0; i < base.blocks.size(); ++i) {
    if (base.blocks[i].block->kind != BlockKind::Branch || counts[i] <= 0)
      continue;
    double sum = 0;
    for (std::size_t part = i + 1; part < base.blocks[i].end; part = base.blocks[part].end)
      sum += counts[part];
    for (std::size_t part = i + 1; part < base.blocks[i].end; part = base.blocks[part].end)
      if (sum > 0)
        result[part] = counts[part] / sum;
  }
  return result;
}

Probabilities next_probabilities(const ProgramFunction& both, const Probabilities& base) {
  Probabilities result(both.next.blocks.size());
  for (std::size_t i = 0; i < result.size(); ++i)
    if (const auto& block = both.old_block[i])
      result[i] = base[*block];
  return result;
}

std::span<const double> slice(const Version& version, const std::vector<double>& loops) {
  return std::span(loops).subspan(version.first_loop, version.source->loops.size());
}

double geometric_mean(const LoopCounts& counts) {
  double sum = 0;
  double known = 0;
  for (const auto& count : counts)
    if (count && *count > 0) {
      sum += std::log(*count);
      known += 1;
    }
  return known == 0 ? 1 : std::exp(sum / known);
}

class Loops {
public:
  explicit Loops(const Circumstances& circumstances)
      : circumstances_(circumstances), program_(circumstances.program),
        base_(recorded_loops(program_, circumstances.test)), usual_(geometric_mean(base_)) {}

  AllLoops run() {
    const LoopCounts& elsewhere = circumstances_.usual.loops;
    AllLoops loops{.base =
                       filled(program_.base_loops(), sure(program_.base_loops(), base_, elsewhere)),
                   .next = filled(program_.next_loops(), shared(sure_next()))};
    grow(loops);
    return loops;
  }

  // What is guessed of the loops of the next version about which nothing is sure.
  LoopCounts guesses() const {
    const LoopCounts known = sure_next();
    const auto all = filled(program_.next_loops(), known);
    LoopCounts result(known.size());
    for (std::size_t loop = 0; loop < known.size(); ++loop)
      if (!known[loop])
        result[loop] = all[loop];
    return result;
  }

private:
  LoopCounts in_next(const LoopCounts& base) const {
    LoopCounts next(program_.next_loops().walks.size());
    for (std::size_t loop = 0; loop < next.size(); ++loop)
      if (const auto& old_loop = program_.old_loops()[loop])
        if (const auto& count = base[*old_loop])
          next[loop] =
              *count * program_.next_loops().rates[loop] / program_.base_loops().rates[*old_loop];
    return next;
  }

  void set_constants(LoopCounts& next) const {
    for (const ProgramFunction& function : program_.functions())
      if (const SourceFunction* source = function.next.source)
        for (std::size_t loop = 0; loop < source->loops.size(); ++loop)
          if (auto& count = next[function.next.first_loop + loop];
              !count && source->loops[loop].times > 0)
            count = static_cast<double>(source->loops[loop].times);
  }

  // What other tests did comes before what other collections tell.
  static LoopCounts sure(const Correlation& correlation, LoopCounts known,
                         const LoopCounts& elsewhere) {
    LoopCounts result = inferred_by_name(correlation, std::move(known));
    for (std::size_t loop = 0; loop < result.size(); ++loop)
      if (!result[loop])
        result[loop] = elsewhere[loop];
    return inferred_by_identity(correlation, std::move(result));
  }

  LoopCounts sure_next() const {
    LoopCounts next = in_next(base_);
    set_constants(next);
    return sure(program_.next_loops(), std::move(next), in_next(circumstances_.usual.loops));
  }

  // Guesses differ by chance between tests: all take what is guessed on average.
  LoopCounts shared(LoopCounts known) const {
    const LoopCounts& guesses = circumstances_.usual.guesses;
    for (std::size_t loop = 0; loop < guesses.size(); ++loop)
      if (!known[loop])
        known[loop] = guesses[loop];
    return known;
  }

  std::vector<double> filled(const Correlation& correlation, LoopCounts known) const {
    std::vector<double> result;
    for (const auto& count : inferred_by_size(correlation, std::move(known)))
      result.push_back(count.value_or(usual_));
    return result;
  }

  // Iterations of a loop over the whole test, for each loop of the base.
  std::vector<double> base_totals() const {
    std::vector<double> totals(base_.size(), 0.0);
    for (const auto& [function, executed] : circumstances_.test.functions) {
      const Version& base = program_.functions()[function].base;
      for (std::size_t i = 0; i + 1 < executed.blocks.size(); ++i)
        if (base.blocks[i].block->kind == BlockKind::Loop)
          totals[base.first_loop + base.blocks[i].block->subject] = executed.blocks[i + 1];
    }
    return totals;
  }

  // The same for the next version: as before where it was there, otherwise by the way through its
  // function.
  std::vector<double> next_totals(const AllLoops& loops, const std::vector<double>& before) const {
    std::vector<double> totals(loops.next.size(), 0.0);
    for (FunctionNumber number = 0; number < program_.functions().size(); ++number) {
      const ProgramFunction& function = program_.functions()[number];
      const Executed* executed = circumstances_.test.find(number);
      if (function.next.source == nullptr || (executed == nullptr && function.fate != Fate::Added))
        continue;
      add_totals(function, executed, loops, totals);
    }
    for (std::size_t loop = 0; loop < totals.size(); ++loop)
      if (const auto& old_loop = program_.old_loops()[loop])
        totals[loop] = before[*old_loop];
    return totals;
  }

  static void add_totals(const ProgramFunction& function, const Executed* executed,
                         const AllLoops& loops, std::vector<double>& totals) {
    if (std::ranges::all_of(function.old_loop, [](const auto& loop) { return loop.has_value(); }))
      return;
    const auto base = base_probabilities(
        function.base, executed == nullptr ? std::span<const double>{} : executed->blocks);
    const auto probabilities = next_probabilities(function, base);
    const Reached all = reached(function.next.blocks, {.loops = slice(function.next, loops.next),
                                                       .probabilities = probabilities});
    const double calls = executed == nullptr ? 1 : executed->calls;
    for (std::size_t i = 0; i + 1 < all.blocks.size(); ++i)
      if (function.next.blocks[i].block->kind == BlockKind::Loop)
        totals[function.next.first_loop + function.next.blocks[i].block->subject] =
            calls * all.blocks[i + 1];
  }

  static std::vector<double> put_in(const Correlation& loops, const std::vector<double>& totals) {
    std::vector<double> sums(loops.collections, 0.0);
    for (std::size_t loop = 0; loop < totals.size(); ++loop)
      for (const std::size_t collection : loops.fills[loop])
        sums[collection] += totals[loop];
    return sums;
  }

  // Loops that walk what is filled otherwise now grow or shrink with it.
  void grow(AllLoops& loops) const {
    const auto& affected = program_.affected_loops();
    if (std::ranges::none_of(affected, [](bool is) { return is; }))
      return;
    const auto totals = base_totals();
    const auto before = put_in(program_.base_loops(), totals);
    const auto after = put_in(program_.next_loops(), next_totals(loops, totals));
    for (std::size_t loop = 0; loop < affected.size(); ++loop)
      if (affected[loop])
        loops.next[loop] =
            grown(loops.next[loop], program_.next_loops().walks[loop], before, after);
  }

  static double grown(double count, const std::vector<std::size_t>& collections,
                      const std::vector<double>& before, const std::vector<double>& after) {
    double result = count;
    for (const std::size_t one : collections) {
      if (before[one] == after[one])
        continue;
      const double now = before[one] > 0 ? count * after[one] / before[one] : count + after[one];
      if (std::abs(now - count) > std::abs(result - count))
        result = now;
    }
    return result;
  }

  const Circumstances& circumstances_;
  const Program& program_;
  LoopCounts base_;
  double usual_;
};

// The cost of one operation of a function: its own where it was executed, otherwise the usual.
double operation_cost(const Circumstances& circumstances, const Executed* executed,
                      double operations) {
  return executed != nullptr && operations > 0 && executed->own > 0 ? executed->own / operations
                                                                    : circumstances.usual.operation;
}

} // namespace

AllLoops our_loops(const Circumstances& circumstances) {
  return Loops(circumstances).run();
}

LoopCounts guessed_loops(const Circumstances& circumstances) {
  return Loops(circumstances).guesses();
}

Revision our_revision(const Circumstances& circumstances, const AllLoops& loops,
                      FunctionNumber function) {
  const ProgramFunction& both = circumstances.program.functions()[function];
  const Executed* executed = circumstances.test.find(function);
  Revision revision{.before = recorded(circumstances, function), .after = {}};
  if (both.next.source == nullptr)
    return revision;
  const auto targets = resolved(circumstances, function);
  const auto base = base_probabilities(both.base, executed == nullptr ? std::span<const double>{}
                                                                      : executed->blocks);
  Work before;
  if (both.base.source != nullptr && executed != nullptr)
    before = work_of(
        both.base.blocks,
        reached(both.base.blocks, {.loops = slice(both.base, loops.base), .probabilities = base}),
        resolved_base(circumstances, function));
  const auto probabilities = next_probabilities(both, base);
  const Work after = work_of(both.next.blocks,
                             reached(both.next.blocks, {.loops = slice(both.next, loops.next),
                                                        .probabilities = probabilities}),
                             targets);
  revision.after = revision.before;
  for (const auto& [callee, frequency] : before.calls)
    revision.after[callee] -= frequency;
  for (const auto& [callee, frequency] : after.calls)
    revision.after[callee] += frequency;
  for (auto& [callee, frequency] : revision.after)
    frequency = std::max(0.0, frequency);
  revision.own = (after.operations - before.operations) *
                 operation_cost(circumstances, executed, before.operations);
  return revision;
}

} // namespace dragnet::rank
