#include "analysis/structure/predecessors.h"

#include "analysis/structure/extraction.h"
#include "analysis/structure/program.h"
#include "analysis/structure/written.h"

#include <gtest/gtest.h>
#include <string>

namespace dragnet::structure {
namespace {

// What an added function was made from; "" for nothing.
std::string predecessor_of(const Program& program, const std::string& name) {
  const auto& found = program.functions()[program.find(name).value()].predecessor;
  return found ? program.functions()[found->function].name : "";
}

TEST(Predecessors, of_a_piece_is_the_function_that_it_stood_in) {
  const Extraction commit;
  const Program program(commit.base, commit.next);
  EXPECT_EQ(predecessor_of(program, "walk_all"), "main");
  EXPECT_EQ(predecessor_of(program, "other"), "");
}

// Of a loop that is written anew less is the same.
TEST(Predecessors, of_a_loop_is_the_function_that_lost_it) {
  const auto walk_otherwise = loop("q++", {call("visit"), call("step")}, {.walks = {0}});
  const auto visit = function("visit", {work(7)});
  const auto base = facts({function("main", {walk, work(100)}), visit}, 1);
  const auto moved = function("walk_all", {walk_otherwise});
  const auto lost = facts({function("main", {call("walk_all"), work(100)}), visit, moved}, 1);
  EXPECT_EQ(predecessor_of(Program(base, lost), "walk_all"), "main");
  const auto kept =
      facts({function("main", {call("walk_all"), loop("p != end", {work(5)}, {.walks = {0}})}),
             visit, moved},
            1);
  EXPECT_EQ(predecessor_of(Program(base, kept), "walk_all"), "");
}

TEST(Predecessors, of_an_overload_is_the_function_of_that_name_that_is_most_alike) {
  const auto find = [](const std::string& name, const std::string& first) {
    return function(name, {call(first), loop("search", {call("compare"), work(3)}), call("found")});
  };
  const auto unlike = function("_Z4findb", {call("nothing")});
  const auto base =
      facts({unlike, find("_Z4findd", "check"), function("main", {call("_Z4findd")})});
  const auto next = facts({unlike, find("_Z4findd", "check"), find("_Z4findi", "look"),
                           function("main", {call("_Z4findi")})});
  EXPECT_EQ(predecessor_of(Program(base, next), "_Z4findi"), "_Z4findd");
}

} // namespace
} // namespace dragnet::structure
