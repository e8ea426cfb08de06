#include "analysis/rank/baselines.h"

#include "analysis/rank/rank.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/simulation.h"
#include "analysis/structure/program.h"
#include "analysis/structure/written.h"
#include "model/source.h"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace dragnet::rank {
namespace {

// Five tests: the last does not reach the changed function.
class Baselines : public testing::Test {
protected:
  SourceFacts version(std::uint32_t weight) const {
    const auto walk = loop("w", {work(1)});
    return facts({function("a", {work(1)}), function("b", {walk, walk}), function("c", {walk}),
                  function("changed", {work(weight)}), function("t0", {call("changed")}),
                  function("t1", {call("changed"), call("a"), call("b")}),
                  function("t2", {call("changed"), call("c")}),
                  function("t3", {call("changed"), call("a"), call("c")}),
                  function("t4", {call("a"), call("b"), call("c")})});
  }

  SourceFacts base_ = version(1);
  SourceFacts next_ = version(2);
  structure::Program program_{base_, next_};
  std::vector<SourceProfile> profiles_ = [this] {
    std::vector<SourceProfile> all;
    for (const char* root : {"t0", "t1", "t2", "t3", "t4"})
      all.push_back(Simulation(base_, {}).run(root, root));
    return all;
  }();
};

TEST_F(Baselines, coverage_takes_next_what_covers_most_that_is_new) {
  // t1 covers 4 with itself; then t3 and t2 bring two each (themselves and c); then t0.
  EXPECT_EQ(coverage_order(program_, profiles_), (Order{1, 2, 0, 3, 4}));
}

TEST_F(Baselines, loop_coverage_begins_anew_when_all_loops_are_covered) {
  EXPECT_EQ(loop_coverage_order(program_, profiles_), (Order{1, 2, 3, 0, 4}));
}

TEST_F(Baselines, are_methods_of_ranking_that_estimate_nothing) {
  const auto estimates = ranked(program_, profiles_, Method::Coverage);
  ASSERT_EQ(estimates.size(), 5U);
  EXPECT_EQ(estimates[0].test, "t1");
  EXPECT_TRUE(estimates[0].reached);
  EXPECT_FALSE(estimates[4].reached);
  for (const Method method :
       {Method::Published, Method::Ours, Method::Coverage, Method::LoopCoverage})
    EXPECT_EQ(method_of(name(method)), method);
  EXPECT_EQ(method_of("guess"), std::nullopt);
}

TEST_F(Baselines, random_orders_put_each_reaching_test_first_equally_often) {
  std::mt19937_64 random(5);
  std::map<std::size_t, int> first;
  for (int i = 0; i < 4000; ++i) {
    const Order order = random_order(program_, profiles_, random);
    EXPECT_EQ(order.back(), 4U);
    EXPECT_EQ(order.size(), 5U);
    ++first[order.front()];
  }
  EXPECT_EQ(first.size(), 4U);
  for (const auto& [test, times] : first)
    EXPECT_NEAR(times, 1000, 150);
}

} // namespace
} // namespace dragnet::rank
