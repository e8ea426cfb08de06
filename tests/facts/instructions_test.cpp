#include "facts/instructions.h"

#include "model/source.h"

#include <gtest/gtest.h>
#include <string>

namespace dragnet::facts {
namespace {

// main calls sum, which has inlined square; both and main have 10 operations; and malloc.
SourceProfile sample() {
  SourceProfile profile;
  profile.functions = {{.function = "main", .calls = 1, .own = 10, .blocks = {1}},
                       {.function = "sum@a.cpp", .calls = 2, .own = 10, .blocks = {2}},
                       {.function = "square", .calls = 8, .own = 10, .blocks = {8}},
                       {.function = "malloc", .calls = 1, .own = 20, .blocks = {}}};
  profile.edges = {{.caller = "main", .callee = "sum@a.cpp", .calls = 2},
                   {.caller = "sum@a.cpp", .callee = "square", .calls = 8},
                   {.caller = "main", .callee = "malloc", .calls = 1}};
  profile.cost = 50;
  return profile;
}

TEST(Instructions, of_code_are_shared_with_what_was_inlined_into_it) {
  SourceProfile profile = sample();
  set_instructions(profile, {{"main", 20}, {"sum", 100}});
  EXPECT_DOUBLE_EQ(profile.functions[0].own, 20);
  EXPECT_DOUBLE_EQ(profile.functions[1].own, 50);
  EXPECT_DOUBLE_EQ(profile.functions[2].own, 50);
  EXPECT_DOUBLE_EQ(profile.functions[3].own, 20 * 4) << "at the usual rate of 120 for 30";
  EXPECT_DOUBLE_EQ(profile.cost, 200);
}

TEST(Instructions, of_local_functions_are_told_apart_by_their_files) {
  const auto own_of_sum = [](const std::string& function, const Instructions& executed) {
    SourceProfile profile;
    profile.functions = {{.function = function, .calls = 2, .own = 10, .blocks = {2}}};
    set_instructions(profile, executed);
    return profile.functions[0].own;
  };
  EXPECT_EQ(own_of_sum("sum@src/a.c", {{"sum@a.c", 70}, {"sum@b.c", 900}}), 70);
  EXPECT_EQ(own_of_sum("sum@src/a.h", {{"sum@a.c", 70}, {"sum@b.c", 900}}), 970);
  EXPECT_EQ(own_of_sum("sum@src/c.c", {{"sum@a.c", 70}, {"sum@b.c", 900}}), 10) << "not known";
}

TEST(Instructions, that_are_not_known_change_nothing) {
  SourceProfile profile = sample();
  set_instructions(profile, {{"other", 100}});
  EXPECT_EQ(profile.cost, 50);
  EXPECT_EQ(profile.functions[1].own, 10);
}

TEST(Instructions, end_where_functions_call_themselves) {
  SourceProfile profile = sample();
  profile.edges.push_back({.caller = "square", .callee = "square", .calls = 7});
  set_instructions(profile, {{"main", 20}, {"sum", 100}});
  EXPECT_GT(profile.functions[2].own, 0);
}

} // namespace
} // namespace dragnet::facts
