#include "check/ranking.h"

#include "model/benchmark.h"
#include "model/ranking.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace dragnet::check {
namespace {

Benchmark named(const std::string& name) {
  Benchmark benchmark;
  benchmark.name = name;
  return benchmark;
}

RankedTest estimated(const std::string& name, double share) {
  return {.name = name, .share = share, .reached = true, .path = {}, .origins = {}};
}

TEST(Ranking, makes_it_worth_more_to_measure_what_is_estimated_to_change_more) {
  const Ranking ranking{.tests = {estimated("large", -0.5), estimated("small", 0.001),
                                  estimated("new", std::numeric_limits<double>::infinity())},
                        .warnings = {}};
  const auto worth =
      worth_by(ranking, {named("small"), named("large"), named("unknown"), named("new")},
               {0.8, 0.8, 0.8, 0.8});
  EXPECT_GT(worth[1], worth[0]); // faster or slower alike
  EXPECT_GT(worth[0], worth[2]);
  EXPECT_EQ(worth[2], 0.4);
  EXPECT_EQ(worth[3], 0.8);
}

} // namespace
} // namespace dragnet::check
