#include "analysis/rank/revision.h"

#include "analysis/rank/frequencies.h"
#include "analysis/rank/loop_counts.h"
#include "analysis/rank/test_model.h"
#include "analysis/structure/blocks.h"
#include "analysis/structure/program.h"
#include "model/source.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::rank {
namespace {

constexpr std::array<std::string_view, 4> names{"perfranker", "dragnet", "coverage",
                                                "loop-coverage"};

std::vector<double> values_of(const LoopCounts& counts) {
  std::vector<double> values;
  values.reserve(counts.size());
  for (const auto& count : counts)
    values.push_back(count.value_or(1));
  return values;
}

// Recorded frequencies that grow as the structure says.
Frequencies scaled(Frequencies recorded, const Frequencies& before, const Frequencies& after) {
  for (auto& [callee, frequency] : recorded) {
    const auto old_value = before.find(callee);
    const auto new_value = after.find(callee);
    if (old_value != before.end() && new_value != after.end() && old_value->second > 0)
      frequency *= new_value->second / old_value->second;
  }
  return recorded;
}

// Of several targets, those that the function called in this test, if any.
void keep_recorded(std::vector<structure::FunctionNumber>& targets, const Executed& executed) {
  std::vector<structure::FunctionNumber> seen;
  for (const structure::FunctionNumber target : targets)
    if (executed.callees.contains(target))
      seen.push_back(target);
  if (targets.size() > 1 && !seen.empty())
    targets = std::move(seen);
}

// Whether a version has one of these loops.
bool has_any(const structure::Version& version, const std::vector<bool>& loops) {
  if (version.source == nullptr)
    return false;
  const auto first = loops.begin() + static_cast<std::ptrdiff_t>(version.first_loop);
  return std::any_of(first, first + static_cast<std::ptrdiff_t>(version.source->loops.size()),
                     [](bool is) { return is; });
}

} // namespace

std::string_view name(Method method) {
  return names[static_cast<std::size_t>(method)];
}

std::optional<Method> method_of(std::string_view name) {
  const auto* const found = std::ranges::find(names, name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<Method>(found - names.begin());
}

AllLoops published_loops(const Circumstances& circumstances) {
  const structure::Program& program = circumstances.program;
  const LoopCounts base = recorded_loops(program, circumstances.test);
  LoopCounts next(program.next_loops().walks.size());
  for (const structure::ProgramFunction& function : program.functions())
    for (std::size_t i = 0; !function.predecessor && i < function.old_loop.size(); ++i)
      if (const auto& old_loop = function.old_loop[i];
          old_loop && !program.affected_loops()[function.next.first_loop + i])
        next[function.next.first_loop + i] = base[function.base.first_loop + *old_loop];
  return {.base = values_of(inferred_or_average(program.base_loops(), base)),
          .next = values_of(inferred_or_average(program.next_loops(), next))};
}

Revision published_revision(const Circumstances& circumstances, const AllLoops& loops,
                            structure::FunctionNumber function) {
  const structure::ProgramFunction& both = circumstances.program.functions()[function];
  Revision revision{.before = recorded(circumstances, function), .after = {}};
  if (both.fate == structure::Fate::Removed || both.fate == structure::Fate::Foreign)
    return revision;
  const auto targets = resolved(circumstances, function);
  Frequencies after = published_frequencies(
      both.next.source->body, {.loops = loops_of(both.next, loops.next), .targets = targets});
  if (both.fate != structure::Fate::Unchanged) {
    revision.after = std::move(after);
    return revision;
  }
  const Frequencies before = published_frequencies(
      both.base.source->body, {.loops = loops_of(both.base, loops.base), .targets = targets});
  revision.after = scaled(revision.before, before, after);
  return revision;
}

std::span<const double> loops_of(const structure::Version& version,
                                 const std::vector<double>& loops) {
  const std::size_t count = version.source == nullptr ? 0 : version.source->loops.size();
  return std::span(loops).subspan(count == 0 ? 0 : version.first_loop, count);
}

Frequencies recorded(const Circumstances& circumstances, structure::FunctionNumber function) {
  Frequencies frequencies;
  if (const Executed* executed = circumstances.test.find(function))
    for (const auto& [callee, calls] : executed->callees)
      frequencies[callee] = calls / executed->calls;
  return frequencies;
}

Targets resolved(const Circumstances& circumstances, structure::FunctionNumber function) {
  const structure::ProgramFunction& both = circumstances.program.functions()[function];
  auto targets = both.next.targets;
  const Executed* executed = circumstances.test.find(function);
  if (executed == nullptr)
    return targets;
  for (std::size_t i = 0; i < both.next.blocks.size(); ++i) {
    const SourceBlock& block = *both.next.blocks[i].block;
    if (block.kind == BlockKind::Call && both.old_block[i])
      keep_recorded(targets[block.subject], *executed);
  }
  return targets;
}

Targets resolved_base(const Circumstances& circumstances, structure::FunctionNumber function) {
  auto targets = circumstances.program.functions()[function].base.targets;
  if (const Executed* executed = circumstances.test.find(function))
    for (auto& call : targets)
      keep_recorded(call, *executed);
  return targets;
}

bool has_affected_loops(const structure::Program& program, structure::FunctionNumber function) {
  return has_any(program.functions()[function].next, program.affected_loops());
}

bool has_refilled_loops(const structure::Program& program, structure::FunctionNumber function) {
  return has_any(program.functions()[function].next, program.refilled_loops());
}

bool has_stretched_loops(const structure::Program& program, structure::FunctionNumber function) {
  return has_any(program.functions()[function].next, program.stretched_loops());
}

} // namespace dragnet::rank
