#include "analysis/rank/predecessors.h"

#include "analysis/rank/program.h"
#include "analysis/rank/rank.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/simulation.h"
#include "analysis/rank/test_model.h"
#include "analysis/rank/written.h"
#include "model/source.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::rank {
namespace {

// What an added function was made from; "" for nothing.
std::string predecessor_of(const Program& program, const std::string& name) {
  const auto& found = program.functions()[program.find(name).value()].predecessor;
  return found ? program.functions()[found->function].name : "";
}

const Written walk = loop("p != end", {call("visit"), work(5)}, {.walks = {0}});

// A piece of main becomes a function of its own, beside another that is new.
struct Extraction {
  SourceFunction visit = function("visit", {work(7)});
  SourceFacts base = facts({function("main", {call("visit"), walk, work(100)}), visit}, 1);
  SourceFacts next =
      facts({function("main", {call("visit"), call("walk_all"), work(100), call("other")}),
             function("other", {work(1), branch("y", {call("visit"), work(2)})}), visit,
             function("walk_all", {walk})},
            1);
};

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

TEST(Predecessors, tell_how_often_loops_repeat_that_were_only_moved) {
  // The loop walks something that nothing else tells the size of.
  Extraction commit;
  commit.next.functions.back().loops[0].walks.clear();
  const Program program(commit.base, commit.next);
  std::vector<SourceProfile> profiles;
  for (const double size : {4.0, 4000.0})
    profiles.push_back(Simulation(commit.base, {size}).run("test", "main"));
  for (const Estimate& estimate : ranked(program, profiles, Method::Ours)) {
    EXPECT_LT(estimate.change, 50) << "moving costs next to nothing";
    EXPECT_GT(estimate.change, -50);
  }
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

TEST(Predecessors, are_not_part_of_the_published_method) {
  Extraction commit;
  commit.next.functions.back().loops[0].walks.clear();
  const Program program(commit.base, commit.next);
  const std::vector profiles{Simulation(commit.base, {4000}).run("test", "main")};
  const auto loops = published_loops({.program = program,
                                      .test = model_of(program, profiles[0]),
                                      .usual = usual_costs(program, profiles, {})});
  const auto& added = program.functions()[program.find("walk_all").value()];
  EXPECT_NE(loops.next[added.next.first_loop], 4000) << "it takes the mean of the known loops";
}

} // namespace
} // namespace dragnet::rank
