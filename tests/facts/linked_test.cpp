#include "facts/unit_facts.h"
#include "model/profile.h"
#include "model/source.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace dragnet::facts {
namespace {

using Targets = std::vector<std::string>;

SourceFunction calling(const std::string& name, const Targets& targets) {
  SourceFunction function;
  function.name = name;
  function.calls = {{.kind = CallKind::Indirect, .targets = targets}};
  return function;
}

Targets targets_of(const SourceFacts& facts, const std::string& name) {
  for (const SourceFunction& function : facts.functions)
    if (function.name == name)
      return function.calls.at(0).targets;
  return {"there is no function " + name};
}

TEST(Linked, has_each_function_once_and_sorted) {
  UnitFacts one;
  one.facts.functions = {calling("z", {}), calling("inline", {})};
  UnitFacts other;
  other.facts.functions = {calling("inline", {}), calling("a", {})};
  const SourceFacts all = linked({one, other});
  ASSERT_EQ(all.functions.size(), 3U);
  EXPECT_EQ(all.functions[0].name, "a");
  EXPECT_EQ(all.functions[2].name, "z");
}

TEST(Linked, finds_overriders_in_other_units_and_below_them) {
  UnitFacts caller;
  caller.facts.functions = {calling("caller", {"virtual pure"})};
  UnitFacts derived;
  derived.facts.functions = {calling("derived", {}), calling("deeper", {})};
  derived.overrides = {{.method = "derived", .overridden = "pure"},
                       {.method = "deeper", .overridden = "derived"}};
  EXPECT_EQ(targets_of(linked({caller, derived}), "caller"), (Targets{"deeper", "derived"}));
  EXPECT_EQ(targets_of(linked({caller}), "caller"), (Targets{"pure"}))
      << "where nobody overrides it, it is foreign";
}

TEST(Linked, finds_functions_of_a_type_whose_address_is_taken_anywhere) {
  UnitFacts caller;
  caller.facts.functions = {calling("caller", {"pointer void (int)"}),
                            calling("other", {"pointer int ()"})};
  UnitFacts taker;
  taker.taken = {{.type = "void (int)", .function = "f"}, {.type = "void (int)", .function = "g"}};
  const SourceFacts all = linked({caller, taker});
  EXPECT_EQ(targets_of(all, "caller"), (Targets{"f", "g"}));
  EXPECT_TRUE(targets_of(all, "other").empty());
}

TEST(Linked, keeps_collections_that_loops_need_under_common_numbers) {
  UnitFacts one;
  one.facts.collections = {"unused", "argument", "parameter"};
  one.facts.aliases = {{.collection = 2, .source = 1}, {.collection = 0, .source = 1}};
  UnitFacts other;
  other.facts.collections = {"parameter"};
  SourceFunction walker;
  walker.name = "walker";
  walker.loops.push_back({.times = 0, .walks = {0}, .fills = {}, .empties = {}});
  other.facts.functions = {walker};
  const SourceFacts all = linked({one, other});
  ASSERT_EQ(all.collections.size(), 2U);
  const CollectionNumber walked = all.functions[0].loops[0].walks[0];
  EXPECT_EQ(all.collections[walked], "parameter");
  ASSERT_EQ(all.aliases.size(), 1U);
  EXPECT_EQ(all.aliases[0].collection, walked);
  EXPECT_EQ(all.collections[all.aliases[0].source], "argument");
}

// Whoever overrides a method gets what is handed over to it.
TEST(Linked, hands_over_what_a_virtual_call_is_given_to_all_that_it_reaches) {
  UnitFacts unit;
  unit.facts.collections = {"argument", parameter_name("derived", 0), "other"};
  SourceFunction caller = calling("caller", {"virtual pure"});
  caller.calls[0].arguments = {SourceArgument{.collection = 0}};
  SourceFunction elsewhere = calling("elsewhere", {"caller"});
  elsewhere.calls[0].arguments = {SourceArgument{.collection = 2}};
  SourceFunction walker = calling("derived", {});
  walker.loops.push_back({.times = 0, .walks = {1}, .fills = {}, .empties = {}});
  unit.facts.functions = {caller, elsewhere, walker};
  unit.overrides = {{.method = "derived", .overridden = "pure"}};
  const SourceFacts all = linked({unit});
  ASSERT_EQ(all.aliases.size(), 1U);
  EXPECT_EQ(all.collections[all.aliases[0].source], "argument");
  EXPECT_EQ(all.functions[0].calls[0].arguments.at(0)->collection, all.aliases[0].source);
  EXPECT_FALSE(all.functions[2].calls[0].arguments.at(0)) << "no loop needs it";
}

} // namespace
} // namespace dragnet::facts
