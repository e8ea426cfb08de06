#include "analysis/structure/program.h"

#include "analysis/structure/blocks.h"
#include "analysis/structure/dependencies.h"
#include "analysis/structure/written.h"
#include "model/source.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::structure {
namespace {

Fate fate_of(const Program& program, const std::string& name) {
  return program.functions()[program.find(name).value()].fate;
}

TEST(Blocks, know_the_innermost_loop_around_them) {
  const auto x = function("x", {loop("outer", {call("a"), loop("inner", {call("b")})}), call("c")});
  std::vector<std::size_t> loops;
  for (const PlacedBlock& placed : in_order(x.body))
    if (placed.block->kind == BlockKind::Call)
      loops.push_back(placed.inner_loop);
  EXPECT_EQ(loops, (std::vector<std::size_t>{0, 1, no_loop}));
}

TEST(Program, does_not_take_for_removed_what_could_not_be_read) {
  auto base = facts({function("a", {work(1)}), function("b", {work(1)})});
  base.functions[0].file = "a.cpp";
  base.functions[1].file = "b.cpp";
  auto next = facts({});
  next.unread = {"b.cpp"};
  const Program program(base, next);
  EXPECT_EQ(fate_of(program, "a"), Fate::Removed);
  EXPECT_EQ(fate_of(program, "b"), Fate::Foreign);
}

// It may be that only what could not be read includes it.
TEST(Program, does_not_take_for_removed_what_a_header_defined_where_something_could_not_be_read) {
  auto base = facts({function("a", {work(1)})});
  base.functions[0].file = "a.h";
  auto next = facts({});
  EXPECT_EQ(fate_of(Program(base, next), "a"), Fate::Removed);
  next.unread = {"b.cpp"};
  EXPECT_EQ(fate_of(Program(base, next), "a"), Fate::Foreign);
}

TEST(Program, takes_a_caller_for_revised_whose_callee_became_virtual) {
  const auto base = facts({function("a", {call("b")}), function("b", {work(1)})});
  auto next = base;
  next.functions[0].calls[0].kind = CallKind::Indirect;
  EXPECT_EQ(fate_of(Program(base, next), "a"), Fate::Revised);
  EXPECT_EQ(fate_of(Program(base, base), "a"), Fate::Unchanged);
}

TEST(Program, tells_added_revised_removed_and_unchanged_functions_apart) {
  const auto base =
      facts({function("a", {call("b")}), function("b", {}), function("c", {work(1)})});
  const auto next =
      facts({function("a", {call("d")}), function("c", {work(1)}), function("d", {call("puts")})});
  const Program program(base, next);
  EXPECT_EQ(fate_of(program, "a"), Fate::Revised);
  EXPECT_EQ(fate_of(program, "b"), Fate::Removed);
  EXPECT_EQ(fate_of(program, "c"), Fate::Unchanged);
  EXPECT_EQ(fate_of(program, "d"), Fate::Added);
  EXPECT_EQ(fate_of(program, "puts"), Fate::Foreign);
  EXPECT_FALSE(program.find("nobody"));
}

TEST(Program, knows_which_loops_walk_what_the_commit_fills) {
  const auto walk = function("walk", {loop("w", {call("a")}, {.walks = {0}})});
  const auto other = function("other", {loop("o", {call("a")}, {.walks = {1}})});
  const auto base = facts({function("fill", {call("a")}), other, walk}, 2);
  const auto next =
      facts({function("fill", {call("a"), loop("f", {}, {.fills = {0}})}), other, walk}, 2);
  const Program program(base, next);
  EXPECT_EQ(program.affected_loops(), (std::vector<bool>{false, false, true}));
  EXPECT_EQ(program.old_loops()[0], std::nullopt);
  EXPECT_EQ(program.old_loops()[2], 1U);
}

// Figure 5 of the paper: v depends on loop A, w on loop B inside it.
TEST(Dependencies, follow_calls_but_not_inner_loops) {
  auto add_v = function("add_v", {});
  add_v.fills = {0};
  auto add_w = function("add_w", {});
  add_w.fills = {1};
  const auto x = function("x", {loop("A", {call("add_v"), loop("B", {call("add_w")})})});
  CollectionNumbers numbers;
  const auto loops = dependencies(facts({add_v, add_w, x}, 2), numbers);
  EXPECT_EQ(loops.fills[0], (std::vector<std::size_t>{0}));
  EXPECT_EQ(loops.fills[1], (std::vector<std::size_t>{1}));
}

TEST(Dependencies, do_not_follow_calls_into_loops_of_the_callee) {
  const auto callee = function("callee", {loop("inner", {}, {.fills = {0}})});
  const auto x = function("x", {loop("A", {call("callee")})});
  CollectionNumbers numbers;
  const auto loops = dependencies(facts({callee, x}, 1), numbers);
  EXPECT_EQ(loops.fills[0], (std::vector<std::size_t>{0}));
  EXPECT_TRUE(loops.fills[1].empty());
}

TEST(Dependencies, end_in_recursion_and_see_through_aliases) {
  auto callee = function("callee", {call("callee")});
  callee.fills = {0};
  callee.empties = {2};
  auto all = facts({callee, function("x", {loop("A", {call("callee")})})}, 3);
  all.aliases = {{.collection = 0, .source = 1}, {.collection = 1, .source = 0}};
  CollectionNumbers numbers;
  const auto loops = dependencies(all, numbers);
  EXPECT_EQ(loops.fills[0], (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(loops.changes[0], (std::vector<std::size_t>{0, 1, 2}));
}

} // namespace
} // namespace dragnet::structure
