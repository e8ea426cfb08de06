#include "facts/counts.h"

#include "model/profile.h"
#include "model/source.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace dragnet::facts {
namespace {

//  1  void f() {
//  2    for (...) {
//  3      if (x) {
//  4        g();
//  5      }
//  6    }
//  7    h();
//  8  }
SourceFacts sample() {
  SourceFunction f;
  f.name = "f";
  f.file = "f.cpp";
  f.calls = {{.kind = CallKind::Direct, .targets = {"g"}},
             {.kind = CallKind::Indirect, .targets = {"h1", "h2", "h3"}}};
  f.loops.resize(1);
  SourceBlock then{.kind = BlockKind::Sequence, .weight = 5, .line = 3, .column = 12};
  then.parts = {{.kind = BlockKind::Call, .subject = 0, .line = 4, .column = 7}};
  SourceBlock branch{.kind = BlockKind::Branch, .line = 3, .column = 5};
  branch.parts = {then, {.kind = BlockKind::Sequence, .weight = 100}};
  SourceBlock body{.kind = BlockKind::Sequence, .weight = 2, .line = 2, .column = 13};
  body.parts = {branch};
  SourceBlock loop{.kind = BlockKind::Loop, .line = 2, .column = 3};
  loop.parts = {body};
  f.body = {.kind = BlockKind::Sequence, .line = 1, .column = 10};
  f.body.parts = {loop, {.kind = BlockKind::Call, .subject = 1, .line = 7, .column = 3}};
  SourceFacts facts;
  facts.functions = {f};
  return facts;
}

CountedFunction counted_f() {
  return {.name = "f",
          .file = "f.cpp",
          .regions = {{.line = 1, .column = 10, .end_line = 8, .end_column = 2, .count = 2},
                      {.line = 2, .column = 13, .end_line = 6, .end_column = 4, .count = 20},
                      {.line = 3, .column = 12, .end_line = 5, .end_column = 6, .count = 15}}};
}

TEST(Counts, a_block_is_reached_as_often_as_the_innermost_region_around_its_begin) {
  const auto profile = joined(sample(), {counted_f()});
  ASSERT_EQ(profile.functions.size(), 5U);
  const SourceCounts& f = profile.functions[0];
  EXPECT_EQ(f.calls, 2);
  // The body, the loop, its body, the branch, then, the call of g, else, the call of h.
  EXPECT_EQ(f.blocks, (std::vector<double>{2, 2, 20, 20, 15, 15, 5, 2}));
  EXPECT_EQ(f.own, 20 * 2 + 15 * 5 + 5 * 100);
  // g and h1 to h3 have no source here.
  EXPECT_DOUBLE_EQ(profile.cost, f.own + (15 + 2) * library_operations);
}

TEST(Counts, parts_without_a_place_share_what_is_left_but_those_that_leave_were_not_taken) {
  SourceFacts facts = sample();
  SourceBlock& branch = facts.functions[0].body.parts[0].parts[0].parts[0];
  branch.parts[0].line = 0; // as in a macro: if (x) ; else if (...) fail();
  branch.parts[0].parts = {{.kind = BlockKind::Exit}};
  branch.parts.push_back({.kind = BlockKind::Sequence});
  const auto profile = joined(facts, {counted_f()});
  // The body, the loop, its body, the branch, the part that leaves, its exit, and the two others.
  EXPECT_EQ(profile.functions[0].blocks, (std::vector<double>{2, 2, 20, 20, 0, 0, 10, 10, 2}));
}

TEST(Counts, calls_are_divided_by_how_often_their_targets_were_executed) {
  SourceFacts facts = sample();
  for (const char* name : {"h1", "h2", "h3"})
    facts.functions.emplace_back().name = name;
  const auto executed = [](const std::string& name, double count) {
    return CountedFunction{
        .name = name,
        .file = "h.cpp",
        .regions = {{.line = 1, .column = 1, .end_line = 2, .end_column = 1, .count = count}}};
  };
  const auto profile = joined(facts, {counted_f(), executed("h1", 30), executed("h3", 10)});
  ASSERT_EQ(profile.edges.size(), 3U);
  EXPECT_EQ(profile.edges[0].callee, "g");
  EXPECT_EQ(profile.edges[0].calls, 15);
  EXPECT_EQ(profile.edges[1].callee, "h1");
  EXPECT_DOUBLE_EQ(profile.edges[1].calls, 1.5);
  EXPECT_DOUBLE_EQ(profile.edges[2].calls, 0.5);
}

// Deleting nothing calls no destructor, though its call stands there.
TEST(Counts, what_is_counted_and_was_not_executed_was_not_called) {
  SourceFacts facts = sample();
  SourceFunction g;
  g.name = "g";
  g.file = "f.cpp";
  facts.functions.push_back(g);
  std::vector<std::string> callees;
  for (const SourceEdge& edge : joined(facts, {counted_f()}).edges)
    callees.push_back(edge.callee);
  EXPECT_EQ(callees, (std::vector<std::string>{"h1", "h2", "h3"}));
}

TEST(Counts, a_function_with_another_name_is_found_by_its_place) {
  CountedFunction lambda = counted_f();
  lambda.name = "_ZZ4mainENK3$_7clEv";
  EXPECT_EQ(joined(sample(), {lambda}).functions.at(0).function, "f");
}

// A function of a header that is local to each unit.
TEST(Counts, of_a_function_in_several_units_are_added_up) {
  CountedFunction first = counted_f();
  CountedFunction second = counted_f();
  first.name = "a.c;f";
  second.name = "b.c;f";
  for (CountedRegion& region : second.regions)
    region.count *= 10;
  const auto profile = joined(sample(), {first, second});
  ASSERT_EQ(profile.functions[0].function, "f");
  EXPECT_EQ(profile.functions[0].calls, 22);
  EXPECT_EQ(profile.functions[0].blocks, (std::vector<double>{22, 22, 220, 220, 165, 165, 55, 22}));
  EXPECT_EQ(profile.functions[1].function, "g") << "f once";
}

TEST(Counts, what_is_not_in_the_facts_or_not_executed_is_left_out) {
  CountedFunction idle = counted_f();
  idle.regions[0].count = 0;
  EXPECT_TRUE(joined(sample(), {idle}).functions.empty());
  CountedFunction unknown = counted_f();
  unknown.name = "unknown";
  unknown.file = "unknown.cpp";
  EXPECT_TRUE(
      joined(sample(), {unknown, {.name = "f", .file = "f.cpp", .regions = {}}}).functions.empty());
}

TEST(Counts, executions_that_no_call_explains_are_calls_of_main) {
  SourceFacts facts = sample();
  for (const char* name : {"main", "destructor"})
    facts.functions.emplace_back().name = name;
  facts.functions[1].calls = {{.kind = CallKind::Direct, .targets = {"f"}}};
  facts.functions[1].body.parts = {{.kind = BlockKind::Call, .subject = 0}};
  const auto once = [](const std::string& name, double count) {
    return CountedFunction{
        .name = name,
        .file = "h.cpp",
        .regions = {{.line = 1, .column = 1, .end_line = 2, .end_column = 1, .count = count}}};
  };
  const auto profile = joined(facts, {once("main", 1), counted_f(), once("destructor", 7)});
  double calls_of_f = 0;
  double calls_of_destructor = 0;
  for (const SourceEdge& edge : profile.edges) {
    calls_of_f += edge.caller == "main" && edge.callee == "f" ? edge.calls : 0;
    calls_of_destructor += edge.caller == "main" && edge.callee == "destructor" ? edge.calls : 0;
  }
  EXPECT_EQ(calls_of_f, 2); // one that is written, one that is not
  EXPECT_EQ(calls_of_destructor, 7);
}

TEST(Counts, functions_without_source_cost_what_was_measured) {
  auto profile = joined(sample(), {counted_f()});
  const double before = profile.cost;
  set_prices(profile, {{"g", 50}, {"f", 9}});
  EXPECT_DOUBLE_EQ(profile.cost, before + 15 * (50 - library_operations));
  EXPECT_EQ(profile.functions[0].own, 20 * 2 + 15 * 5 + 5 * 100); // it has source
}

TEST(Counts, reads_back_what_was_written) {
  auto profile = joined(sample(), {counted_f()});
  profile.test = "a test";
  profile.root = "main";
  profile.instructions = 12345;
  const std::string text = to_text(profile);
  const auto read = parse_profile(text);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(to_text(*read), text);
  EXPECT_EQ(read->test, "a test");
  EXPECT_EQ(read->instructions, 12345);
  EXPECT_EQ(read->functions[0].blocks, profile.functions[0].blocks);
}

TEST(Counts, refuses_lines_that_are_wrong) {
  EXPECT_FALSE(parse_profile("dragnet counts 2\nP\ta\tb\tmany\n"));
  EXPECT_FALSE(parse_profile("dragnet counts 2\nF\tf\t1\n"));
  EXPECT_FALSE(parse_profile("dragnet counts 2\nE\ta\tb\t-1\n"));
  EXPECT_FALSE(parse_profile("dragnet counts 2\nE\ta\tb\tnan\n"));
  EXPECT_FALSE(parse_profile("dragnet counts 3\n"));
}

} // namespace
} // namespace dragnet::facts
