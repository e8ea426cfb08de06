#include "analysis/blame/impact_sets.h"

#include "analysis/blame/plain_traces.h"
#include "analysis/blame/trace_folder.h"
#include "model/trace.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::blame {
namespace {

// "me ae ar mr" as a trace; a function is a letter, "x" the end of an execution.
PlainTrace written(std::string_view text) {
  PlainTrace trace;
  for (std::size_t at = 0; at < text.size(); at += 3)
    if (text[at] == 'x')
      trace.push_back({0, EventKind::Cut, 0});
    else
      trace.push_back({0, text[at + 1] == 'e' ? EventKind::Enter : EventKind::Leave,
                       static_cast<std::uint32_t>(text[at] - 'a')});
  return trace;
}

ImpactSets folded(const PlainTrace& trace, std::size_t functions, ExecutionScope scope,
                  std::span<const std::uint32_t> changed) {
  ImpactSets sets(functions, changed);
  TraceFolder folder(functions, scope, [&](auto execution) { sets.add(execution); });
  for (const auto& [thread, event] : kept(trace))
    folder.add(thread, std::span(&event, 1));
  folder.finish();
  EXPECT_EQ(folder.passed_over(), 0U);
  return sets;
}

std::string letters(const std::vector<std::uint32_t>& functions) {
  std::string text;
  for (const auto function : functions)
    text += static_cast<char>('a' + function);
  return text;
}

std::string impact_of_c(std::string_view text) {
  const std::vector<std::uint32_t> changed{2};
  return letters(folded(written(text), 26, ExecutionScope::Process, changed).of(0));
}

TEST(ImpactSets, are_those_of_the_papers_figure_4) {
  const std::string first = "me be ce fe fr cr br mr";
  const std::string second = "me ae de ae ar dr ce fe fr cr ar mr";
  const std::string third = "me be ce cr ee er br mr";
  EXPECT_EQ(impact_of_c(first), "bfm");
  EXPECT_EQ(impact_of_c(second), "afm");
  EXPECT_EQ(impact_of_c(third), "bem");
  EXPECT_EQ(impact_of_c(first + " x  " + second + " x  " + third), "abefm");
}

TEST(ImpactSets, do_not_cross_the_end_of_an_execution) {
  EXPECT_EQ(impact_of_c("ce cr x  fe fr"), "");
  EXPECT_EQ(impact_of_c("ce cr fe fr"), "f");
}

TEST(ImpactSets, hold_what_is_on_the_stack_when_an_execution_is_cut) {
  EXPECT_EQ(impact_of_c("me ce cr x  fe fr x  mr"), "m");
}

TEST(ImpactSets, hold_what_never_returns) {
  EXPECT_EQ(impact_of_c("me ae ce"), "am");
}

TEST(ImpactSets, of_changes_that_are_not_executed_are_empty) {
  const std::vector<std::uint32_t> changed{2, 5};
  const auto sets = folded(written("me fe fr mr"), 26, ExecutionScope::Process, changed);
  EXPECT_FALSE(sets.executed(0));
  EXPECT_TRUE(sets.executed(1));
  EXPECT_TRUE(sets.of(0).empty());
  EXPECT_EQ(letters(sets.of(1)), "m");
}

// 1,000 traces with recursion, threads and boundaries, of both scopes: first and last events tell
// the same as the definition on the whole trace.
TEST(ImpactSets, from_first_and_last_events_are_those_of_full_traces) {
  constexpr std::uint32_t functions = 70;
  std::vector<std::uint32_t> changed(functions);
  std::iota(changed.begin(), changed.end(), 0U);
  std::size_t members = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomCalls calls(seed, seed % 2 == 0 ? 8 : functions);
    const auto trace = calls.make();
    const auto scope = seed % 4 < 2 ? ExecutionScope::Process : ExecutionScope::Thread;
    const auto sets = folded(trace, functions, scope, changed);
    const PlainCutter plain(trace, scope);
    for (std::uint32_t function = 0; function < functions; ++function) {
      std::set<std::uint32_t> expected;
      for (const auto& execution : plain.executions)
        expected.merge(execution.impact_of(function));
      const auto found = sets.of(function);
      ASSERT_EQ(std::set(found.begin(), found.end()), expected) << seed << " " << function;
      members += expected.size();
    }
  }
  EXPECT_GT(members, 100000U);
}

} // namespace
} // namespace dragnet::blame
