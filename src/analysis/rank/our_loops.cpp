// Ours: how often loops repeat, from what was recorded, sizes of collections, and what calls hand
// over.

#include "analysis/rank/growth.h"
#include "analysis/rank/handed_sizes.h"
#include "analysis/rank/loop_counts.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/test_model.h"
#include "analysis/structure/blocks.h"
#include "analysis/structure/flow.h"
#include "analysis/structure/program.h"
#include "model/source.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace dragnet::rank {
namespace {

constexpr double most_by_size = 100;
// Calls of added functions through others are followed so far.
constexpr std::size_t deepest_added = 3;

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

// How often the test reached each block of the next version: as before where it was there,
// otherwise as often as what is around it.
std::vector<double> block_times(const structure::ProgramFunction& function,
                                const Executed* executed, double calls) {
  const auto& blocks = function.next.blocks;
  std::vector<double> times(blocks.size(), calls);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto& old_block = function.old_block[i];
    if (old_block && executed != nullptr && !executed->blocks.empty())
      times[i] = executed->blocks[*old_block];
    for (std::size_t part = i + 1; part < blocks[i].end; part = blocks[part].end)
      times[part] = times[i];
  }
  return times;
}

double largest_of(const std::vector<double>& values) {
  return values.empty() ? 0 : std::ranges::max(values);
}

class Loops {
public:
  explicit Loops(const Circumstances& circumstances)
      : circumstances_(circumstances), program_(circumstances.program),
        base_(recorded_loops(program_, circumstances.test)), usual_(geometric_mean(base_)),
        sizes_(base_sizes()), calls_(calls_of_next()), next_times_(times_of_next()) {}

  AllLoops run() {
    const LoopCounts& elsewhere = circumstances_.usual.loops;
    const LoopCounts known = sure_next();
    AllLoops loops{.base = filled(program_.base_loops(),
                                  sure(program_.base_loops(), base_, sizes_, elsewhere)),
                   .next = filled(program_.next_loops(), shared(known))};
    keep_guesses(loops);
    limit_new(known, std::numeric_limits<double>::infinity(), loops.next);
    const Sight sight{
        .circumstances = circumstances_, .sizes = sizes_, .calls = calls_, .times = next_times_};
    grow(sight, known, loops);
    stretch(sight, loops);
    return loops;
  }

  // What is guessed of a loop of the base is guessed of it in the next version, too: guesses that
  // differ are no change.
  void keep_guesses(AllLoops& loops) const {
    for (std::size_t loop = 0; loop < loops.next.size(); ++loop)
      if (const auto& old_loop = program_.old_loops()[loop]; old_loop && !base_[*old_loop])
        loops.next[loop] = loops.base[*old_loop] * change_of_head(loop, *old_loop);
  }

  // What is guessed of a new loop is no more over the whole test than the one that repeated most
  // does, what a size tells no more than a hundred times that: what is called a list may be a tree.
  // Guesses are the same for all tests in the end, and stay as they are then.
  void limit_new(const LoopCounts& known, double most_by_guess, std::vector<double>& next) const {
    const double most = std::max(1.0, largest_of(base_totals(circumstances_)));
    for (structure::FunctionNumber number = 0; number < calls_.size(); ++number)
      if (const structure::Version& version = program_.functions()[number].next;
          version.source != nullptr && !version.source->loops.empty() && calls_[number] > 0)
        limit_new(number, known, {.by_size = most * most_by_size, .by_guess = most * most_by_guess},
                  next);
  }

  struct Limits {
    double by_size = 0;
    double by_guess = 0;
  };

  void limit_new(structure::FunctionNumber number, const LoopCounts& known, const Limits& limits,
                 std::vector<double>& next) const {
    const structure::ProgramFunction& function = program_.functions()[number];
    const auto& blocks = function.next.blocks;
    auto times = times_in(number, calls_);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].block->kind != BlockKind::Loop || function.old_block[i])
        continue;
      const std::size_t loop = function.next.first_loop + blocks[i].block->subject;
      const double limit = known[loop] ? limits.by_size : limits.by_guess;
      double& count = next[loop];
      count = std::min(count, std::max(1.0, limit / std::max(1.0, times[i])));
      for (std::size_t inner = i + 1; inner < blocks[i].end; ++inner)
        if (!function.old_block[inner])
          times[inner] *= count;
    }
  }

  // What is guessed of the loops of the next version about which nothing is sure.
  LoopCounts guesses() const {
    const LoopCounts known = sure_next();
    auto all = filled(program_.next_loops(), known);
    limit_new(known, 1, all);
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
          next[loop] = *count * change_of_head(loop, *old_loop);
    return next;
  }

  void set_constants(LoopCounts& next) const {
    for (const structure::ProgramFunction& function : program_.functions())
      if (const SourceFunction* source = function.next.source)
        for (std::size_t loop = 0; loop < source->loops.size(); ++loop)
          if (auto& count = next[function.next.first_loop + loop];
              !count && source->loops[loop].times > 0)
            count = static_cast<double>(source->loops[loop].times);
  }

  // What other tests did comes before what other collections tell, and before sizes of what a loop
  // need not walk to its end.
  static LoopCounts sure(const structure::Correlation& correlation, LoopCounts known,
                         const LoopCounts& sizes, const LoopCounts& elsewhere) {
    for (std::size_t loop = 0; loop < known.size(); ++loop)
      if (!known[loop] && correlation.partial[loop])
        known[loop] = elsewhere[loop];
    LoopCounts result =
        counted_by(correlation, sizes, inferred_by_name(correlation, std::move(known)));
    for (std::size_t loop = 0; loop < result.size(); ++loop)
      if (!result[loop])
        result[loop] = elsewhere[loop];
    return inferred_by_identity(correlation, std::move(result));
  }

  LoopCounts sure_next() const {
    LoopCounts next = in_next(base_);
    set_constants(next);
    const LoopCounts sizes =
        sizes_of_parameters({.flow = program_.next_flow(), .times = next_times_},
                            joined(sizes_, walked_sizes(program_.next_loops(), next)));
    return sure(program_.next_loops(), std::move(next), sizes, in_next(circumstances_.usual.loops));
  }

  static LoopCounts joined(LoopCounts first, const LoopCounts& second) {
    for (std::size_t i = 0; i < first.size(); ++i)
      if (!first[i])
        first[i] = second[i];
    return first;
  }

  static LoopCounts at_least(double least, LoopCounts sizes) {
    for (auto& size : sizes)
      if (size && *size < least)
        size.reset();
    return sizes;
  }

  // Another step, or another constant bound.
  double change_of_head(std::size_t next, std::size_t base) const {
    const double now = program_.next_loops().times[next];
    const double before = program_.base_loops().times[base];
    return now > 0 && before > 0
               ? now / before
               : program_.next_loops().rates[next] / program_.base_loops().rates[base];
  }

  LoopCounts base_sizes() const {
    std::vector<double> times;
    for (const structure::Handing& handing : program_.base_flow().handings) {
      const Executed* executed = circumstances_.test.find(handing.caller);
      times.push_back(
          executed == nullptr || executed->blocks.empty() ? 0 : executed->blocks[handing.block]);
    }
    const Handed handed{.flow = program_.base_flow(), .times = times};
    auto sizes = sizes_both_ways(handed, walked_sizes(program_.base_loops(), base_));
    // What was reached is the least that a size can be: the larger ones say more.
    const auto reached = reached_sizes(program_.base_loops(), base_);
    for (const double least : {4096.0, 512.0, 64.0, 8.0, 0.0})
      sizes = sizes_both_ways(handed, joined(std::move(sizes), at_least(least, reached)));
    return sizes;
  }

  // How often each handing of the next version would take place.
  std::vector<double> times_of_next() const {
    std::vector<double> times;
    structure::FunctionNumber last = calls_.size();
    std::vector<double> blocks;
    for (const structure::Handing& handing : program_.next_flow().handings) {
      if (std::exchange(last, handing.caller) != handing.caller)
        blocks = times_in(handing.caller, calls_);
      times.push_back(blocks[handing.block]);
    }
    return times;
  }

  std::vector<double> times_in(structure::FunctionNumber function,
                               const std::vector<double>& calls) const {
    return block_times(program_.functions()[function], circumstances_.test.find(function),
                       calls[function]);
  }

  // By function. What the commit adds is called by what it revised, and through others it added.
  std::vector<double> calls_of_next() const {
    const auto& functions = program_.functions();
    std::vector<double> calls(functions.size(), 0.0);
    for (const auto& [function, executed] : circumstances_.test.functions)
      calls[function] = executed.calls;
    for (std::size_t round = 0; round < deepest_added; ++round) {
      std::vector<double> added(functions.size(), 0.0);
      for (structure::FunctionNumber i = 0; i < functions.size(); ++i)
        if (functions[i].fate == structure::Fate::Revised ||
            functions[i].fate == structure::Fate::Added)
          add_calls(functions[i].next, times_in(i, calls), added);
      for (structure::FunctionNumber i = 0; i < functions.size(); ++i)
        if (functions[i].fate == structure::Fate::Added)
          calls[i] = added[i];
    }
    return calls;
  }

  static void add_calls(const structure::Version& version, const std::vector<double>& times,
                        std::vector<double>& calls) {
    for (std::size_t i = 0; i < version.blocks.size(); ++i)
      if (version.blocks[i].block->kind == BlockKind::Call)
        for (const structure::FunctionNumber target :
             version.targets[version.blocks[i].block->subject])
          calls[target] += times[i];
  }

  // Guesses differ by chance between tests: all take what is guessed on average.
  LoopCounts shared(LoopCounts known) const {
    const LoopCounts& guesses = circumstances_.usual.guesses;
    for (std::size_t loop = 0; loop < guesses.size(); ++loop)
      if (!known[loop])
        known[loop] = guesses[loop];
    return known;
  }

  std::vector<double> filled(const structure::Correlation& correlation, LoopCounts known) const {
    std::vector<double> result;
    for (const auto& count : inferred_by_size(correlation, std::move(known)))
      result.push_back(count.value_or(usual_));
    return result;
  }

  const Circumstances& circumstances_;
  const structure::Program& program_;
  LoopCounts base_;
  double usual_;
  LoopCounts sizes_;          // of collections, as this test shows them
  std::vector<double> calls_; // of each function of the next version, about
  std::vector<double> next_times_;
};

} // namespace

AllLoops our_loops(const Circumstances& circumstances) {
  return Loops(circumstances).run();
}

LoopCounts guessed_loops(const Circumstances& circumstances) {
  return Loops(circumstances).guesses();
}

} // namespace dragnet::rank
