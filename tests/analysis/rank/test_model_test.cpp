#include "analysis/rank/test_model.h"

#include "analysis/rank/rank.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/simulation.h"
#include "analysis/structure/program.h"
#include "analysis/structure/written.h"
#include "model/source.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::rank {
namespace {

SourceProfile profile(double cost, double instructions) {
  return {.test = "t",
          .root = "main",
          .cost = cost,
          .instructions = instructions,
          .functions = {},
          .edges = {}};
}

TEST(TestModel, a_test_costs_what_it_executes_in_all) {
  EXPECT_EQ(whole_cost(profile(10, 1030)), 1030);
  EXPECT_EQ(whole_cost(profile(50, 0)), 50) << "its instructions were not counted";
}

TEST(TestModel, what_a_test_executes_outside_of_the_source_makes_its_change_a_smaller_share) {
  const auto base = facts({function("main", {work(100)})});
  const auto next = facts({function("main", {work(150)})});
  const structure::Program program(base, next);
  std::vector<SourceProfile> profiles{Simulation(base, {}).run("small", "main"),
                                      Simulation(base, {}).run("large", "main")};
  profiles[0].instructions = 200;
  profiles[1].instructions = 2000;
  const auto estimates = ranked(program, profiles, Method::Ours);
  EXPECT_EQ(estimates[0].test, "small");
  EXPECT_NEAR(estimates[0].relative(), 10 * estimates[1].relative(), 1e-9);
}

} // namespace
} // namespace dragnet::rank
