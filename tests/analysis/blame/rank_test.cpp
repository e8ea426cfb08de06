#include "analysis/blame/rank.h"

#include "analysis/blame/answer.h"
#include "analysis/blame/call_paths.h"
#include "analysis/blame/call_tree.h"
#include "analysis/blame/edited_code.h"
#include "analysis/blame/impact_sets.h"
#include "analysis/blame/paired_tree.h"
#include "analysis/blame/random_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::blame {
namespace {

constexpr auto all_methods = {Method::Published, Method::Own, Method::Subtree, Method::Paths,
                              Method::Credited};

// The invariant: what the changes are to blame for by call paths and what is unexplained add up to
// the difference.
class Ranks : public testing::Test {
protected:
  // A path "mac" is of the functions m, a and c.
  static void add(TracedSide& side, const std::string& path, std::uint64_t calls,
                  std::uint64_t cost) {
    std::uint32_t node = CallTree::root;
    for (const char letter : path)
      node = side.tree.callee(node, static_cast<std::uint32_t>(letter - 'a'));
    side.tree.at(node).calls += calls;
    side.tree.at(node).cost += cost;
  }

  static TracedSide side(const std::map<std::string, std::pair<int, int>>& paths) {
    TracedSide made;
    for (char letter = 'a'; letter <= 'z'; ++letter)
      made.functions.push_back({"program", std::string(1, letter)});
    for (const auto& [path, what] : paths)
      add(made, path, static_cast<std::uint64_t>(what.first),
          static_cast<std::uint64_t>(what.second));
    return made;
  }

  void changed(const std::string& letters) {
    changes.clear();
    for (const char letter : letters)
      changes.push_back(static_cast<std::uint32_t>(letter - 'a'));
  }

  // All functions of a trace in which each has entered before any has ended.
  ImpactSets impact() const {
    ImpactSets sets(26, changes);
    Execution execution;
    for (std::uint32_t f = 0; f < 26; ++f)
      execution.push_back({f, 1, 2});
    sets.add(execution);
    return sets;
  }

  Ranking ranked(Method method) {
    const auto tree = paired(old_side, new_side);
    const auto ranking = rank(tree, impact(), method, edits);
    double sum = ranking.unexplained;
    double credited = ranking.unexplained;
    for (const auto& blame : ranking.blames) {
      sum += blame.paths;
      credited += blame.credited;
    }
    EXPECT_NEAR(sum, ranking.difference, 1e-6);
    EXPECT_NEAR(credited, ranking.difference, 1e-6);
    return ranking;
  }

  std::map<char, Blame> blames(Method method = Method::Paths) {
    std::map<char, Blame> by_letter;
    for (const auto& blame : ranked(method).blames)
      by_letter[static_cast<char>('a' + changes[blame.change])] = blame;
    return by_letter;
  }

  std::vector<std::uint32_t> changes;
  std::vector<std::optional<EditedCode>> edits; // by change
  TracedSide old_side;
  TracedSide new_side;
};

TEST_F(Ranks, publishes_the_sum_over_the_impact_set) {
  old_side = side({{"m", {1, 10}}, {"ma", {5, 50}}, {"mac", {5, 20}}});
  new_side = side({{"m", {1, 10}}, {"ma", {5, 90}}, {"mac", {5, 25}}, {"mad", {5, 7}}});
  changed("c");
  const ImpactSets some = [&] {
    ImpactSets sets(26, changes);
    // c is entered at 3; of m, a and d, d has ended before.
    sets.add(Execution{{12, 1, 9}, {0, 2, 8}, {2, 3, 4}, {3, 2, 2}});
    return sets;
  }();
  const auto ranking = rank(paired(old_side, new_side), some, Method::Published);
  ASSERT_EQ(ranking.blames.size(), 1U);
  EXPECT_DOUBLE_EQ(ranking.blames[0].published, 40);
  EXPECT_DOUBLE_EQ(ranking.blames[0].own, 5);
  EXPECT_EQ(ranking.blames[0].affected, 2U);
  EXPECT_DOUBLE_EQ(ranking.difference, 52);
}

TEST_F(Ranks, takes_a_function_that_the_old_version_lacks_as_0_there) {
  old_side = side({{"m", {1, 10}}});
  new_side = side({{"m", {1, 10}}, {"mn", {3, 60}}});
  changed("mn");
  const auto by = blames(Method::Published);
  EXPECT_DOUBLE_EQ(by.at('m').published, 60);
  EXPECT_DOUBLE_EQ(by.at('n').own, 60);
  EXPECT_DOUBLE_EQ(by.at('m').subtree, 60);
}

// a looks into a cache in c, and does the work where c has nothing.
TEST_F(Ranks, credits_a_lost_cache_and_not_the_caller_whose_edit_costs_nothing) {
  old_side = side({{"m", {1, 10}}, {"ma", {10, 1000}}, {"mac", {10, 400}}});
  new_side = side({{"m", {1, 10}}, {"ma", {10, 5000}}, {"mac", {10, 50}}});
  changed("ac");
  EXPECT_GT(blames(Method::Credited).at('a').credited, 3999);
  edits = {EditedCode{.edited = {0, 2}, .all = {100, 500}},
           EditedCode{.edited = {0, 2}, .all = {40, 5}}};
  const auto by = blames(Method::Credited);
  EXPECT_GT(by.at('c').credited, by.at('a').credited);
  EXPECT_NEAR(by.at('a').paths, 4000, 1e-6);
}

TEST_F(Ranks, credits_a_loop_in_edited_code_whoever_is_near) {
  old_side = side({{"m", {1, 10}}, {"ma", {10, 1000}}, {"mac", {10, 400}}});
  new_side = side({{"m", {1, 10}}, {"ma", {10, 5000}}, {"mac", {10, 410}}});
  changed("ac");
  edits = {EditedCode{.edited = {0, 400}, .all = {100, 500}},
           EditedCode{.edited = {0, 1}, .all = {40, 41}}};
  EXPECT_NEAR(blames(Method::Credited).at('a').credited, 4000, 1e-6);
}

TEST_F(Ranks, blames_a_callers_changed_loop_and_not_its_changed_callee) {
  old_side = side({{"m", {1, 10}}, {"mp", {1, 10}}, {"mpc", {10, 100}}});
  new_side = side({{"m", {1, 10}}, {"mp", {1, 10}}, {"mpc", {40, 400}}});
  changed("pc");
  const auto by = blames();
  EXPECT_NEAR(by.at('p').paths, 300, 1e-6);
  EXPECT_NEAR(by.at('c').paths, 0, 1e-6);
  EXPECT_DOUBLE_EQ(by.at('c').own, 300);
}

TEST_F(Ranks, blames_what_costs_more_per_call) {
  old_side = side({{"m", {1, 10}}, {"mp", {1, 10}}, {"mpc", {10, 100}}});
  new_side = side({{"m", {1, 10}}, {"mp", {1, 10}}, {"mpc", {10, 400}}});
  changed("pc");
  const auto by = blames();
  EXPECT_NEAR(by.at('c').paths, 300, 1e-6);
  EXPECT_NEAR(by.at('p').paths, 0, 1e-6);
}

TEST_F(Ranks, sees_nothing_in_code_that_only_moved) {
  old_side = side({{"m", {1, 10}}, {"mp", {1, 100}}, {"mpf", {5, 50}}});
  new_side = side({{"m", {1, 10}}, {"mp", {1, 10}}, {"mpw", {1, 90}}, {"mpwf", {5, 50}}});
  changed("pw");
  const auto by = blames();
  EXPECT_NEAR(by.at('p').paths, 0, 1e-6);
  EXPECT_NEAR(by.at('w').paths, 0, 1e-6);
}

TEST_F(Ranks, blames_the_nearest_change_for_an_effect_on_what_is_as_before) {
  old_side =
      side({{"m", {1, 10}}, {"mf", {9, 90}}, {"mfh", {9, 9}}, {"mp", {1, 5}}, {"mpq", {1, 5}}});
  new_side =
      side({{"m", {1, 10}}, {"mf", {9, 900}}, {"mfh", {9, 9}}, {"mp", {1, 5}}, {"mpq", {1, 5}}});
  changed("qh");
  const auto ranking = ranked(Method::Paths);
  EXPECT_EQ(ranking.blames.front().change, 1U);
  EXPECT_GT(ranking.blames.front().paths, 700);
}

TEST_F(Ranks, leaves_unexplained_what_no_change_can_have_affected) {
  old_side = side({{"m", {1, 10}}, {"z", {1, 10}}});
  new_side = side({{"m", {1, 10}}, {"z", {1, 50}}});
  changed("m");
  ImpactSets sets(26, changes);
  sets.add(Execution{{25, 1, 2}, {12, 3, 4}});
  const auto ranking = rank(paired(old_side, new_side), sets, Method::Paths);
  EXPECT_DOUBLE_EQ(ranking.unexplained, 40);
  EXPECT_DOUBLE_EQ(ranking.blames.front().paths, 0);
}

TEST_F(Ranks, puts_changes_that_are_executed_before_others_that_cost_nothing) {
  old_side = side({{"m", {1, 10}}});
  new_side = side({{"m", {1, 10}}});
  changed("qm");
  ImpactSets sets(26, changes);
  sets.add(Execution{{12, 1, 2}});
  const auto ranking = rank(paired(old_side, new_side), sets, Method::Paths);
  EXPECT_EQ(ranking.blames.front().change, 1U);
  EXPECT_FALSE(ranking.blames.back().executed);
}

TEST_F(Ranks, follows_renames_and_means_of_several_runs) {
  old_side = side({{"m", {2, 20}}, {"mo", {6, 60}}});
  old_side.runs = 2;
  new_side = side({{"m", {1, 10}}, {"mn", {3, 45}}});
  const auto tree = paired(old_side, new_side, {{{"program", "o"}, {"program", "n"}}});
  EXPECT_EQ(tree.nodes.size(), 3U);
  EXPECT_DOUBLE_EQ(tree.own_differences()['n' - 'a'], 15);
}

TEST_F(Ranks, knows_its_methods_by_name) {
  for (const auto method : all_methods)
    EXPECT_EQ(method_named(name_of(method)), method);
  EXPECT_FALSE(method_named("best"));
}

// In how many of 100 random programs the culprit is first, among 20 harmless changes.
std::map<Method, int> firsts(Planted planted) {
  std::map<Method, int> count;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomProgram program(seed, planted);
    const auto blames = rank(program.tree(), program.impact(), Method::Paths).blames;
    for (const auto method : all_methods) {
      const auto by = [&](const Blame& blame) { return blame.by(method); };
      count[method] += std::ranges::max_element(blames, {}, by)->change == program.culprit();
    }
  }
  return count;
}

struct Expectation {
  Planted planted;
  int least; // firsts by call paths
};

class PlantedChanges : public testing::TestWithParam<Expectation> {};

TEST_P(PlantedChanges, are_ranked_first_by_call_paths) {
  auto count = firsts(GetParam().planted);
  RecordProperty("published", count[Method::Published]);
  RecordProperty("own", count[Method::Own]);
  RecordProperty("subtree", count[Method::Subtree]);
  RecordProperty("paths", count[Method::Paths]);
  RecordProperty("credited", count[Method::Credited]);
  EXPECT_GE(count[Method::Paths], GetParam().least);
  EXPECT_GT(count[Method::Paths], count[Method::Published]);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PlantedChanges,
                         testing::Values(Expectation{Planted::OwnCost, 90},
                                         Expectation{Planted::MoreCalls, 90},
                                         Expectation{Planted::NewCall, 90},
                                         Expectation{Planted::SlowerCallee, 20},
                                         Expectation{Planted::SlowerCaller, 12}));

TEST(TellingCost, is_instructions_unless_something_waits) {
  EXPECT_EQ(telling_cost({0.25, true}, 0.06), Cost::Instructions) << "instructions that take long";
  EXPECT_EQ(telling_cost({0.015, true}, 0), Cost::Instructions) << "that may be noise";
  EXPECT_EQ(telling_cost({-0.1, false}, 0.01), Cost::Instructions);
  EXPECT_EQ(telling_cost({0.5, false}, 0.01), Cost::Instructions) << "some runs were disturbed";
  EXPECT_EQ(telling_cost({0.5, true}, 0.01), Cost::Time);
}

} // namespace
} // namespace dragnet::blame
