#include "analysis/rank/rank.h"

#include "analysis/rank/baselines.h"
#include "analysis/rank/estimate.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/simulation.h"
#include "analysis/structure/program.h"
#include "analysis/structure/written.h"
#include "model/source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::rank {
namespace {

constexpr CollectionNumber limits = 0;
constexpr CollectionNumber list = 1;
constexpr std::array both_methods{Method::Published, Method::Ours};

/// Two versions and tests that differ by the sizes of their collections.
struct Case {
  SourceFacts base;
  SourceFacts next;

  std::vector<SourceProfile> profiles(const SourceFacts& of,
                                      const std::vector<std::vector<double>>& sizes) const {
    std::vector<SourceProfile> all;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      all.push_back(Simulation(of, sizes[i]).run("test" + std::to_string(i), "main"));
    return all;
  }
};

std::vector<std::string> order_of(const std::vector<Estimate>& estimates) {
  std::vector<std::string> order;
  for (const Estimate& estimate : estimates)
    order.push_back(estimate.test);
  return order;
}

const Estimate& of(const std::vector<Estimate>& estimates, const std::string& test) {
  return *std::ranges::find(estimates, test, &Estimate::test);
}

SourceFunction arc() {
  return function("arc", {work(10)});
}

// Listing 1: a new loop over what a known loop fills.
Case listing_1() {
  const auto read = loop("A", {call("limit")}, {.fills = {limits}});
  const auto limit = function("limit", {work(4)});
  // What the known loop A reads is as large as limits in the simulation.
  auto base_main = function("main", {work(1000), read});
  auto next_main = function(
      "main", {work(1000), read, loop("B", {call("arc")}, {.walks = {limits}, .fills = {list}})});
  base_main.loops[0].walks = next_main.loops[0].walks = {2};
  return {.base = facts({arc(), limit, base_main}, 3), .next = facts({arc(), limit, next_main}, 3)};
}

TEST(Rank, a_new_loop_repeats_as_often_as_the_loop_that_filled_its_collection) {
  const Case listing = listing_1();
  const structure::Program program(listing.base, listing.next);
  const auto profiles = listing.profiles(listing.base, {{5, 0, 5}, {500, 0, 500}, {50, 0, 50}});
  for (const Method method : both_methods) {
    const auto estimates = ranked(program, profiles, method);
    EXPECT_EQ(order_of(estimates), (std::vector<std::string>{"test1", "test2", "test0"}));
  }
  // arc is not executed before: the published method takes the average body for it, ours its
  // source.
  const auto ours = ranked(program, profiles, Method::Ours);
  EXPECT_NEAR(of(ours, "test1").change, 500 * 10, 1e-6);
  EXPECT_NEAR(of(ours, "test0").change, 5 * 10, 1e-6);
}

// Listing 2: calls of known functions are added in a known loop.
TEST(Rank, a_call_in_a_known_loop_costs_what_it_cost_before) {
  const auto fix = function("fix", {work(25)});
  const auto one = function("one", {work(3)});
  const Case listing{
      .base = facts(
          {fix, function("main", {call("fix"), loop("i", {call("one")}, {.walks = {0}})}), one}, 1),
      .next = facts(
          {fix,
           function("main", {call("fix"), loop("i", {call("one"), call("fix")}, {.walks = {0}})}),
           one},
          1)};
  const structure::Program program(listing.base, listing.next);
  const auto profiles = listing.profiles(listing.base, {{7}, {70}, {700}});
  const auto truth = listing.profiles(listing.next, {{7}, {70}, {700}});
  for (const Method method : both_methods)
    for (const Estimate& estimate : ranked(program, profiles, method)) {
      const auto i = static_cast<std::size_t>(estimate.test.back() - '0');
      EXPECT_NEAR(estimate.change, truth[i].cost - profiles[i].cost, 1e-6) << estimate.test;
    }
}

// Listing 3: a new loop walks a collection that a known loop walks too.
TEST(Rank, a_new_loop_repeats_as_often_as_a_known_one_over_the_same_collection) {
  const auto one = function("one", {work(3)});
  const auto known = loop("known", {call("one")}, {.walks = {0}});
  const auto added = loop("added", {call("one")}, {.walks = {0}});
  const Case listing{.base = facts({function("main", {work(50), known}), one}, 1),
                     .next = facts({function("main", {work(50), known, added}), one}, 1)};
  const structure::Program program(listing.base, listing.next);
  const auto profiles = listing.profiles(listing.base, {{7}, {70}});
  for (const Method method : both_methods) {
    const auto estimates = ranked(program, profiles, method);
    EXPECT_NEAR(of(estimates, "test0").change, 7 * 3, 1e-6);
    EXPECT_NEAR(of(estimates, "test1").change, 70 * 3, 1e-6);
  }
}

// Libraries for tests bring their main function along: nobody has its source.
TEST(Rank, a_root_without_source_gets_what_arises_below_it) {
  const auto one = function("one", {work(3)});
  const auto test = function("test", {loop("L", {call("one")}, {.walks = {0}})});
  const Case commit{.base = facts({one, test}, 1),
                    .next = facts({function("one", {work(8)}), test}, 1)};
  const structure::Program program(commit.base, commit.next);
  for (const double size : {10, 1000}) {
    auto profile = Simulation(commit.base, {size}).run("foreign", "test");
    profile.root = "main";
    const auto estimates = ranked(program, {&profile, 1}, Method::Ours);
    EXPECT_NEAR(estimates.front().change, 5 * size, 1e-6);
    EXPECT_FALSE(estimates.front().path.empty());
  }
}

// A test costs what it adds to a run of its program without any: the start is in none of them.
TEST(Rank, what_a_program_does_without_a_test_is_no_part_of_it) {
  const auto one = function("one", {work(3)});
  const auto main = [&](std::uint32_t start) {
    return function("main", {work(start), loop("L", {call("one")}, {.walks = {0}})});
  };
  const Case commit{.base = facts({main(1000), one}, 1),
                    .next = facts({main(1400), function("one", {work(6)})}, 1)};
  const structure::Program program(commit.base, commit.next);
  const auto profiles = commit.profiles(commit.base, {{10}, {1000}});
  const auto start = commit.profiles(commit.base, {{0}});
  const Starts starts(profiles.size(), &start.front());
  const auto whole = ranked(program, profiles, Method::Ours);
  EXPECT_NEAR(of(whole, "test0").relative(), (400.0 + 30) / (1000 + 30), 0.01);
  for (const Estimate& estimate : ranked(program, profiles, Method::Ours, {}, starts))
    EXPECT_NEAR(estimate.relative(), 1, 0.01) << estimate.test;
}

// The test that does not execute a loop takes its count from those that do.
TEST(Rank, a_loop_that_a_test_did_not_execute_is_as_long_as_in_others) {
  const auto sum = function("sum", {loop("S", {work(1)}, {.walks = {limits}})});
  const Case one{
      .base = facts({function("idle", {work(1)}), function("main", {call("sum")}), sum}, 1),
      .next = facts({function("idle", {call("sum")}), function("main", {call("sum")}), sum}, 1)};
  const structure::Program program(one.base, one.next);
  std::vector<SourceProfile> profiles = one.profiles(one.base, {{80}});
  profiles.push_back(Simulation(one.base, {5000}).run("idle", "idle"));
  EXPECT_NEAR(of(ranked(program, profiles, Method::Ours), "idle").change, 80, 20);
}

// Where an edit says nothing about its cost, the test that executes it most often is first.
TEST(Rank, an_edit_that_is_not_understood_counts_by_how_often_it_is_executed) {
  const auto edited = [](const char* head) {
    return function("edited", {branch(head, {sequence({}), sequence({})})});
  };
  const auto main =
      function("main", {work(1000), loop("L", {call("edited")}, {.walks = {limits}})});
  const Case one{.base = facts({edited("x"), main}, 1), .next = facts({edited("y"), main}, 1)};
  const structure::Program program(one.base, one.next);
  const auto profiles = one.profiles(one.base, {{1}, {100}, {10}});
  const auto estimates = ranked(program, profiles, Method::Ours);
  EXPECT_EQ(order_of(estimates), (std::vector<std::string>{"test1", "test2", "test0"}));
  EXPECT_EQ(estimates.front().change, 0);
}

// Listing 4: a check at the beginning may leave the function. The published method sees only what
// the check costs; ours sees that the rest is done less often.
TEST(Rank, an_early_exit_makes_the_rest_cheaper_in_ours_only) {
  const auto check = function("check", {work(2)});
  const auto rest = function("rest", {work(5000)});
  const auto guard = branch("bad", {sequence({leave()}), sequence({})});
  const Case listing{
      .base = facts({check, function("main", {call("check"), call("rest")}), rest}),
      .next = facts(
          {check, function("main", {call("check"), call("check"), guard, call("rest")}), rest})};
  const structure::Program program(listing.base, listing.next);
  const auto profiles = listing.profiles(listing.base, {{}});
  EXPECT_NEAR(ranked(program, profiles, Method::Published)[0].change, 2, 1e-6);
  EXPECT_NEAR(ranked(program, profiles, Method::Ours)[0].change, 2 - 0.0001 * 5000, 1e-6);
}

// Listing 5: a loop that correlates with nothing gets the average count, a new recursion depth 1.
TEST(Rank, an_uncorrelated_loop_gets_the_average_and_a_new_recursion_depth_1) {
  const auto random = function("random", {work(10)});
  const auto known = loop("known", {call("random")}, {.walks = {0}});
  const Case listing{
      .base = facts(
          {function("main", {known, call("next")}), function("next", {call("random")}), random}, 1),
      .next = facts({function("main", {known, call("next")}),
                     function("next", {call("random"), loop("true", {call("random")}),
                                       branch("deeper", {sequence({call("next")}), sequence({})})}),
                     random},
                    1)};
  const structure::Program program(listing.base, listing.next);
  const auto profiles = listing.profiles(listing.base, {{20}});
  // 20 more calls of random, and next calls itself at its old cost of 10.
  EXPECT_NEAR(ranked(program, profiles, Method::Published)[0].change, 20 * 10 + 10, 1e-6);
}

TEST(Rank, a_loop_elsewhere_grows_with_the_collection_that_the_commit_fills_more) {
  const auto one = function("one", {work(3)});
  const auto walk = function("walk", {loop("w", {call("one")}, {.walks = {1}})});
  const auto first = loop("first", {call("one")}, {.walks = {0}, .fills = {1}});
  const auto second = loop("second", {call("one")}, {.walks = {0}, .fills = {1}});
  const Case grown{.base = facts({function("main", {first, call("walk")}), one, walk}, 2),
                   .next = facts({function("main", {first, second, call("walk")}), one, walk}, 2)};
  const structure::Program program(grown.base, grown.next);
  const auto profiles = grown.profiles(grown.base, {{10, 10}, {1000, 1000}});
  // 1000 calls in the second loop, and 1000 more in the walk.
  const auto ours = ranked(program, profiles, Method::Ours);
  EXPECT_NEAR(of(ours, "test1").change, 3 * 2000, 1e-6);
  // Algorithm 1 sets the walk before it knows the second loop, and sets it only once.
  const auto published = ranked(program, profiles, Method::Published);
  EXPECT_NEAR(of(published, "test1").change, 3 * 1000, 1e-6);
}

// What a removed function called is subtracted once, with that function.
TEST(Rank, ours_subtracts_removed_functions_once) {
  const auto deep = function("deep", {work(100)});
  const auto helper = function("helper", {work(5), call("deep")});
  const auto removed = function("removed", {work(3), call("helper")});
  const auto keep = loop("A", {call("deep")}, {.walks = {limits}});
  const Case one{
      .base = facts({function("main", {keep, loop("B", {call("removed")}, {.walks = {limits}})}),
                     removed, helper, deep},
                    1),
      .next = facts({function("main", {keep}), deep}, 1)};
  const structure::Program program(one.base, one.next);
  const auto profiles = one.profiles(one.base, {{10}});
  EXPECT_NEAR(ranked(program, profiles, Method::Ours)[0].change, -10 * 108, 1e-6);
}

// A library calls it, which no source shows.
TEST(Rank, ours_subtracts_what_is_removed_and_was_called_from_elsewhere) {
  const auto root = function("main", {work(50)});
  const Case one{.base = facts({root, function("less", {work(7)})}), .next = facts({root})};
  const structure::Program program(one.base, one.next);
  auto profiles = one.profiles(one.base, {{}});
  profiles[0].functions.push_back({.function = "less", .calls = 20, .own = 140, .blocks = {20}});
  profiles[0].edges.push_back({.caller = "main", .callee = "less", .calls = 20});
  EXPECT_NEAR(ranked(program, profiles, Method::Ours)[0].change, -140, 1e-6);
}

// A field that a new parameter begins with is not filled more than before.
TEST(Rank, ours_takes_another_name_of_a_collection_for_no_change) {
  const auto walk = function("walk", {loop("w", {work(3)}, {.walks = {0}})});
  const auto fill = loop("f", {work(1)}, {.walks = {0}, .fills = {1}});
  const auto root = function("main", {fill, call("walk")});
  Case one{.base = facts({root, walk}, 2), .next = facts({root, walk}, 3)};
  one.base.aliases = {{.collection = 0, .source = 1}};
  one.next.aliases = {{.collection = 0, .source = 1}, {.collection = 1, .source = 2}};
  const structure::Program program(one.base, one.next);
  const auto profiles = one.profiles(one.base, {{1000, 1000}});
  EXPECT_EQ(ranked(program, profiles, Method::Ours)[0].change, 0);
}

TEST(Rank, tests_that_reach_nothing_changed_come_last_with_no_change) {
  const auto quick = function("quick", {work(1)});
  const Case apart{
      .base = facts({function("a", {call("quick")}), function("b", {call("quick")}), quick}),
      .next = facts(
          {function("a", {call("quick")}), function("b", {call("quick"), call("quick")}), quick})};
  const structure::Program program(apart.base, apart.next);
  const std::vector<SourceProfile> profiles{Simulation(apart.base, {}).run("of a", "a"),
                                            Simulation(apart.base, {}).run("of b", "b")};
  for (const Method method : both_methods) {
    const auto estimates = ranked(program, profiles, method);
    EXPECT_EQ(order_of(estimates), (std::vector<std::string>{"of b", "of a"}));
    EXPECT_TRUE(estimates[0].reached);
    EXPECT_FALSE(estimates[1].reached);
    EXPECT_EQ(estimates[1].change, 0);
  }
}

TEST(Rank, faster_and_slower_count_alike) {
  const auto big = function("big", {work(100)});
  const auto small = function("small", {work(10)});
  const auto main_of = [](const char* callee) {
    return function(std::string("main_") + callee, {work(100), call(callee)});
  };
  const Case both{
      .base = facts({big, main_of("big"), main_of("small"), small}),
      .next = facts({big, function("main_big", {work(100)}),
                     function("main_small", {work(100), call("small"), call("small")}), small})};
  const structure::Program program(both.base, both.next);
  const std::vector<SourceProfile> profiles{Simulation(both.base, {}).run("slower", "main_small"),
                                            Simulation(both.base, {}).run("faster", "main_big")};
  for (const Method method : both_methods) {
    const auto estimates = ranked(program, profiles, method);
    EXPECT_EQ(order_of(estimates), (std::vector<std::string>{"faster", "slower"}));
    EXPECT_NEAR(estimates[0].relative(), -0.5, 1e-9);
  }
}

TEST(Rank, tells_the_path_from_the_root_to_what_changed) {
  const auto leaf = function("leaf", {work(5)});
  const Case chain{.base = facts({leaf, function("main", {loop("l", {call("middle")})}),
                                  function("middle", {call("leaf")})}),
                   .next = facts({leaf, function("main", {loop("l", {call("middle")})}),
                                  function("middle", {call("leaf"), call("leaf")})})};
  const structure::Program program(chain.base, chain.next);
  const auto profiles = chain.profiles(chain.base, {{}});
  for (const Method method : both_methods) {
    const auto estimate = ranked(program, profiles, method)[0];
    ASSERT_EQ(estimate.path.size(), 2U);
    EXPECT_EQ(program.functions()[estimate.path[1].function].name, "middle");
    EXPECT_DOUBLE_EQ(estimate.path[1].frequency, 3);
    EXPECT_NEAR(estimate.origins.front().change, 15, 1e-9);
  }
}

// A call with arguments, by what it hands over to each parameter.
using Arguments = std::vector<std::optional<SourceArgument>>;

SourceFunction handing(SourceFunction made, std::vector<Arguments> calls) {
  for (std::size_t i = 0; i < calls.size(); ++i)
    made.calls.at(i).arguments = std::move(calls[i]);
  for (const SourceCall& one : made.calls)
    for (const auto& argument : one.arguments)
      made.body_hash =
          (31 * made.body_hash) + static_cast<std::uint64_t>(argument ? 8 * argument->factor : 0);
  return made;
}

// Two texts: a known loop walks one of them; the other is twice as often given to a sum whose mean
// length is known. What a new loop finds in it is what the sum leaves.
TEST(Rank, a_text_that_no_loop_walks_is_as_large_as_what_its_callee_says) {
  enum : CollectionNumber { key, value, text };
  const auto one = function("one", {work(3)});
  auto base_main = handing(function("main", {work(100), loop("k", {call("one")}, {.walks = {key}}),
                                             call("sum"), call("sum"), call("sum")}),
                           {{},
                            {SourceArgument{.collection = key}},
                            {SourceArgument{.collection = value}},
                            {SourceArgument{.collection = value}}});
  auto next_main = base_main;
  const auto added =
      function("main", {work(100), loop("k", {call("one")}, {.walks = {key}}), call("sum"),
                        call("sum"), call("sum"), loop("v", {call("one")}, {.walks = {value}})});
  next_main.body = added.body;
  next_main.body_hash = added.body_hash;
  next_main.loops = added.loops;
  next_main.calls.push_back(added.calls.back());
  const auto sum = function("sum", {loop("s", {work(1)}, {.walks = {text}})});
  Case two{.base = facts({base_main, one, sum}, 2), .next = facts({next_main, one, sum}, 2)};
  for (SourceFacts* all : {&two.base, &two.next}) {
    all->collections.push_back(parameter_name("sum", 0));
    all->aliases = {{.collection = text, .source = key}, {.collection = text, .source = value}};
  }
  const structure::Program program(two.base, two.next);
  // The text is 70 long on average: keys of 10 and values of 100, or keys of 30 and of 90.
  const auto profiles = two.profiles(two.base, {{10, 0, 70}, {30, 0, 70}});
  const auto ours = ranked(program, profiles, Method::Ours);
  EXPECT_NEAR(of(ours, "test0").change, 3 * 100, 1e-6);
  EXPECT_NEAR(of(ours, "test1").change, 3 * 90, 1e-6);
}

TEST(Rank, a_loop_grows_with_what_a_call_hands_over) {
  const auto main = [](double factor) {
    return handing(function("main", {work(100), call("walk")}),
                   {{SourceArgument{.collection = 0, .factor = factor}}});
  };
  const auto walk = handing(function("walk", {call("inner")}), {{SourceArgument{.collection = 1}}});
  const auto inner = function("inner", {loop("i", {work(4)}, {.walks = {2}})});
  Case grown{.base = facts({inner, main(1), walk}, 1), .next = facts({inner, main(3), walk}, 1)};
  for (SourceFacts* all : {&grown.base, &grown.next}) {
    all->collections.push_back(parameter_name("walk", 0));
    all->collections.push_back(parameter_name("inner", 0));
  }
  const structure::Program program(grown.base, grown.next);
  const auto profiles = grown.profiles(grown.base, {{5, 5, 5}, {50, 50, 50}});
  const auto ours = ranked(program, profiles, Method::Ours);
  EXPECT_NEAR(of(ours, "test0").change, 4 * 5 * 2, 1e-6);
  EXPECT_NEAR(of(ours, "test1").change, 4 * 50 * 2, 1e-6);
}

// A call that asks for the cheap part is no average call.
TEST(Rank, a_call_costs_what_its_numbers_decide) {
  auto choose =
      function("choose", {branch("kind", {sequence({call("cheap")}), sequence({call("dear")})})});
  choose.decisions = {{.parameter = 0, .comparison = Comparison::Equal, .number = 1}};
  choose.body.parts.at(0).subject = 1;
  const auto number = [](double value) { return Arguments{SourceArgument{.number = value}}; };
  const auto base_main = handing(function("main", {work(100), call("choose"), call("choose")}),
                                 {number(1), number(2)});
  const auto next_main = handing(function("main", {work(100), call("choose")}), {number(2)});
  const auto cheap = function("cheap", {work(5)});
  const auto dear = function("dear", {work(500)});
  const Case two{.base = facts({cheap, choose, dear, base_main}),
                 .next = facts({cheap, choose, dear, next_main})};
  const structure::Program program(two.base, two.next);
  const auto ours = ranked(program, two.profiles(two.base, {{}}), Method::Ours);
  EXPECT_NEAR(ours[0].change, -5, 5);
}

// Random programs without recursion. Each version of a function is a sequence of calls and loops.
struct RandomProgram {
  std::mt19937_64 random;

  std::vector<Written> body(std::size_t number, std::size_t functions) {
    std::vector<Written> parts{work(1 + static_cast<std::uint32_t>(random() % 20))};
    for (std::size_t i = random() % 4; i > 0 && number + 1 < functions; --i) {
      const std::size_t callee = number + 1 + random() % (functions - number - 1);
      const auto collection = static_cast<CollectionNumber>(random() % 3);
      const Written one = call("f" + std::to_string(callee));
      parts.push_back(random() % 2 == 0 ? one
                                        : loop("over" + std::to_string(collection), {one},
                                               {.walks = {collection}}));
    }
    return parts;
  }
};

// What a choice did so far it mostly does still.
TEST(Rank, ours_takes_a_new_case_of_a_choice_for_rare) {
  const auto dear = function("dear", {work(1000)});
  const auto cheap = function("cheap", {work(10)});
  const auto a = sequence({call("cheap")});
  const auto b = sequence({call("cheap"), call("cheap")});
  const auto added = sequence({call("dear")});
  const Case commit{
      .base = facts({cheap, dear, function("main", {call("dear"), branch("kind", {a, b})})}),
      .next =
          facts({cheap, dear, function("main", {call("dear"), branch("kind", {a, added, b})})})};
  const structure::Program program(commit.base, commit.next);
  const auto profiles = commit.profiles(commit.base, {{}});
  const auto estimates = ranked(program, profiles, Method::Ours);
  EXPECT_GT(estimates[0].change, 0);
  EXPECT_LT(estimates[0].change, 0.02 * 1000);
}

// What stands in one part of a new branch now, beside code that is new, is mostly still done.
TEST(Rank, ours_takes_a_new_way_around_old_code_for_rare) {
  const auto dear = function("dear", {work(1000)});
  const auto cheap = function("cheap", {work(10)});
  const auto added = sequence({call("dear")});
  const auto old = branch("kind", {sequence({call("cheap")}), sequence({})});
  const Case commit{
      .base = facts({cheap, dear, function("main", {call("dear"), old})}),
      .next = facts({cheap, dear,
                     function("main", {call("dear"), branch("mode", {added, sequence({old})})})})};
  const structure::Program program(commit.base, commit.next);
  const auto profiles = commit.profiles(commit.base, {{}});
  const auto estimates = ranked(program, profiles, Method::Ours);
  EXPECT_GT(estimates[0].change, 0);
  EXPECT_LT(estimates[0].change, 0.02 * 1000);
}

// Functions that call each other are executed as often as they were, whatever the averages of
// their frequencies say.
TEST(Rank, ours_is_not_carried_away_by_a_recursion) {
  const auto walk = [](std::uint32_t weight) {
    return function("walk", {work(weight), loop("children", {call("walk")}, {.walks = {0}})});
  };
  SourceProfile profile;
  profile.test = "test";
  profile.root = "main";
  profile.cost = 1100;
  profile.functions = {
      {.function = "main", .calls = 1, .own = 0, .blocks = {1, 1}},
      {.function = "walk", .calls = 100, .own = 1100, .blocks = {100, 100, 100, 99, 99}}};
  // A profile that counts a call twice: as a whole the recursion would not end.
  profile.edges = {{.caller = "main", .callee = "walk", .calls = 1},
                   {.caller = "walk", .callee = "walk", .calls = 110}};
  const auto main_function = function("main", {call("walk")});
  const auto base = facts({main_function, walk(10)}, 1);
  const auto next = facts({main_function, walk(11)}, 1);
  const structure::Program program(base, next);
  const std::vector profiles{profile};
  EXPECT_NEAR(ranked(program, profiles, Method::Ours)[0].change, 110, 11) << "a tenth of its work";
}

TEST(Rank, ours_is_exact_where_a_call_is_put_in_and_all_is_known) {
  int known = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RandomProgram program_of{std::mt19937_64(seed)};
    std::vector<SourceFunction> base;
    std::vector<SourceFunction> next;
    const std::size_t changed = program_of.random() % 6;
    for (std::size_t i = 0; i < 9; ++i) {
      auto parts = program_of.body(i, 9);
      const std::string name = i == 0 ? "main" : "f" + std::to_string(i);
      base.push_back(function(name, parts));
      if (i == changed)
        parts.push_back(loop("new", {call("f" + std::to_string(i + 1))}, {.walks = {1}}));
      next.push_back(function(name, parts));
    }
    // A loop over collection 1 is known in every test.
    base[0] = function("main", {loop("known", {}, {.walks = {1}}), call("f1"), call("f2")});
    next[0] = changed == 0
                  ? function("main", {loop("known", {}, {.walks = {1}}), call("f1"), call("f2"),
                                      loop("new", {call("f1")}, {.walks = {1}})})
                  : base[0];
    const Case two{.base = facts(base, 3), .next = facts(next, 3)};
    const structure::Program program(two.base, two.next);
    const std::vector<std::vector<double>> sizes{{4, 9, 2}, {1, 30, 5}};
    const auto profiles = two.profiles(two.base, sizes);
    const auto truth = two.profiles(two.next, sizes);
    for (const Estimate& estimate : ranked(program, profiles, Method::Ours)) {
      const auto i = static_cast<std::size_t>(estimate.test.back() - '0');
      const double expected = truth[i].cost - profiles[i].cost;
      const std::string callee = "f" + std::to_string(changed + 1);
      if (std::ranges::count(profiles[i].functions, callee, &SourceCounts::function) == 1) {
        EXPECT_NEAR(estimate.change, expected, 1e-6 * std::max(1.0, expected)) << seed;
        ++known;
      }
    }
  }
  EXPECT_GT(known, 100);
}

TEST(Rank, nothing_changes_where_the_commit_changes_nothing) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomProgram program_of{std::mt19937_64(seed)};
    std::vector<SourceFunction> functions;
    for (std::size_t i = 0; i < 9; ++i)
      functions.push_back(
          function(i == 0 ? "main" : "f" + std::to_string(i), program_of.body(i, 9)));
    const Case same{.base = facts(functions, 3), .next = facts(functions, 3)};
    const structure::Program program(same.base, same.next);
    for (const Method method : both_methods)
      for (const Estimate& estimate :
           ranked(program, same.profiles(same.base, {{1, 2, 3}}), method)) {
        EXPECT_FALSE(estimate.reached);
        EXPECT_EQ(estimate.change, 0);
      }
  }
}

} // namespace
} // namespace dragnet::rank
