#include "analysis/explain/explain.h"

#include "analysis/explain/both_sides.h"
#include "analysis/explain/call_tree.h"
#include "model/check.h"
#include "model/function.h"
#include "model/profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace dragnet::explain {
namespace {

FunctionCounts counts(const std::string& name, std::uint64_t calls, std::uint64_t instructions) {
  return {.function = {"app", name}, .calls = calls, .instructions = instructions};
}

CallEdge edge(const std::string& caller, const std::string& callee, std::uint64_t calls) {
  return {.caller = {"app", caller}, .callee = {"app", callee}, .calls = calls};
}

FunctionChange changed(const std::string& name, ChangeKind kind = ChangeKind::Changed) {
  FunctionChange change;
  change.kind = kind;
  change.binary = "app";
  change.name = name;
  change.old_instructions = change.new_instructions = 10;
  change.edited = 4;
  return change;
}

// main calls walk and idle; walk calls step. The commit changes walk, which calls step twice as
// often: the invariant is that what changed functions explain is what the run costs more.
class Explanations : public testing::Test {
protected:
  Explanations() {
    before.functions = {counts("idle", 1, 100), counts("main", 1, 100), counts("step", 100, 600),
                        counts("walk", 10, 200)};
    before.edges = {edge("main", "idle", 1), edge("main", "walk", 10), edge("walk", "step", 100)};
    before.instructions = 1000;
    now = before;
    now.functions[2] = counts("step", 200, 1200);
    now.functions[3] = counts("walk", 10, 250);
    now.edges[2] = edge("walk", "step", 200);
    now.instructions = 1650;
    difference.changes = {changed("walk")};
  }
  BothSides sides() const { return both_sides(before, now, difference); }

  Profile before;
  Profile now;
  Difference difference;
};

TEST_F(Explanations, put_what_an_unchanged_callee_costs_more_down_to_its_changed_caller) {
  const auto functions = changed_functions(sides(), Direction::Worse, 10);
  ASSERT_EQ(functions.size(), 2);
  EXPECT_EQ(functions[0].function.name, "walk");
  EXPECT_EQ(functions[0].change, CodeChange::Changed);
  EXPECT_DOUBLE_EQ(functions[0].explains, 0.65);
  EXPECT_EQ(functions[0].before.instructions, 200);
  EXPECT_EQ(functions[0].now.instructions, 250);
  EXPECT_EQ(functions[1].function.name, "step");
  EXPECT_EQ(functions[1].change, CodeChange::None);
  EXPECT_DOUBLE_EQ(functions[1].explains, 0.6);
}

TEST_F(Explanations, list_changed_functions_that_explain_nothing_last) {
  difference.changes.push_back(changed("idle"));
  const auto functions = changed_functions(sides(), Direction::Worse, 10);
  ASSERT_EQ(functions.size(), 3);
  EXPECT_EQ(functions.back().function.name, "idle");
  EXPECT_EQ(functions.back().explains, 0);
}

TEST_F(Explanations, turn_round_for_an_improvement) {
  std::swap(before, now);
  difference.changes.push_back(changed("idle"));
  now.functions[0].instructions = 150;
  const auto functions = changed_functions(sides(), Direction::Better, 10);
  EXPECT_EQ(functions.front().function.name, "walk");
  EXPECT_LT(functions.front().explains, 0);
}

TEST_F(Explanations, know_a_renamed_function_again) {
  now.functions = {counts("idle", 1, 100), counts("main", 1, 100), counts("step", 100, 600),
                   counts("stroll", 10, 200)};
  now.edges = {edge("main", "idle", 1), edge("main", "stroll", 10), edge("stroll", "step", 100)};
  now.instructions = 1000;
  FunctionChange renamed = changed("stroll", ChangeKind::Renamed);
  renamed.old_name = "walk";
  renamed.edited = 0;
  difference.changes = {renamed};
  EXPECT_TRUE(changed_functions(sides(), Direction::Worse, 10).empty());
  EXPECT_TRUE(executes_nothing_changed(sides()));
}

TEST_F(Explanations, exonerate_only_where_no_side_executes_a_change) {
  EXPECT_FALSE(executes_nothing_changed(sides()));
  difference.changes = {changed("elsewhere")};
  EXPECT_TRUE(executes_nothing_changed(sides()));
  EXPECT_EQ(work_difference(sides()).changed, 0);
  // New code that the new side reaches.
  now.functions.push_back(counts("added", 1, 5));
  difference.changes = {changed("added", ChangeKind::New)};
  EXPECT_FALSE(executes_nothing_changed(sides()));
}

TEST_F(Explanations, tell_how_much_of_the_work_differs) {
  const WorkDifference work = work_difference(sides());
  EXPECT_DOUBLE_EQ(work.total, 0.65);
  EXPECT_DOUBLE_EQ(work.changed, 0.2);
  EXPECT_DOUBLE_EQ(work.edited, 0.05);
  EXPECT_DOUBLE_EQ(work.unchanged, 0.6);
  EXPECT_DOUBLE_EQ(work.outside, 0);
  now.instructions += 30;
  EXPECT_DOUBLE_EQ(work_difference(sides()).outside, 0.03);
}

TEST_F(Explanations, see_work_that_only_moved_between_unchanged_functions) {
  now = before;
  now.functions[0].instructions += 50;
  now.functions[2].instructions -= 50;
  const WorkDifference work = work_difference(sides());
  EXPECT_DOUBLE_EQ(work.total, 0);
  EXPECT_DOUBLE_EQ(work.unchanged, 0.1);
}

std::uint64_t below(const CallNode& node) {
  std::uint64_t sum = 0;
  for (const CallNode& callee : node.callees)
    sum += callee.new_instructions;
  return sum;
}

void expect_no_more_below(const CallNode& node) {
  EXPECT_LE(below(node), node.new_instructions) << node.function;
  for (const CallNode& callee : node.callees)
    expect_no_more_below(callee);
}

TEST_F(Explanations, show_both_sides_in_one_tree) {
  const CallNode root = call_tree(sides(), {});
  expect_no_more_below(root);
  EXPECT_EQ(root.old_instructions, 1000);
  EXPECT_EQ(root.new_instructions, 1650);
  ASSERT_EQ(root.callees.size(), 1);
  EXPECT_EQ(root.callees[0].function, "main");
  ASSERT_EQ(root.callees[0].callees.size(), 2);
  EXPECT_EQ(root.callees[0].callees[0].function, "walk");
  EXPECT_EQ(root.callees[0].callees[0].old_instructions, 800);
  EXPECT_EQ(root.callees[0].callees[0].new_instructions, 1450);
}

TEST_F(Explanations, end_the_tree_at_recursion_and_small_places) {
  now.edges.push_back(edge("step", "walk", 5));
  now.functions.push_back(counts("tiny", 1, 1));
  now.edges.push_back(edge("main", "tiny", 1));
  const CallNode root = call_tree(sides(), {});
  expect_no_more_below(root);
  const auto& callees = root.callees.front().callees;
  EXPECT_TRUE(
      std::ranges::none_of(callees, [](const CallNode& n) { return n.function == "tiny"; }));
}

} // namespace
} // namespace dragnet::explain
