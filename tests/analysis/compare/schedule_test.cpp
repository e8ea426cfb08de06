#include "analysis/compare/schedule.h"

#include <gtest/gtest.h>

#include <vector>

namespace dragnet::compare {
namespace {

Assessment assessed(double change, double half_width, std::size_t pairs) {
  return {.change = change,
          .low = change - half_width,
          .high = change + half_width,
          .p_value = 1,
          .equivalent = false,
          .exact = false,
          .pairs = pairs,
          .dropped = 0};
}

TEST(Schedule, begins_with_what_has_no_pair_the_likeliest_first) {
  const std::vector<Opportunity> all{{.worth = 0.9, .pair_seconds = 1, .pairs_left = 1},
                                     {.worth = 0.1, .pair_seconds = 0, .pairs_left = 10},
                                     {.worth = 0.2, .pair_seconds = 0, .pairs_left = 10}};
  EXPECT_EQ(best(all), 2);
}

TEST(Schedule, then_prefers_the_likeliest_decision_per_second) {
  const std::vector<Opportunity> all{{.worth = 0.5, .pair_seconds = 1, .pairs_left = 10},
                                     {.worth = 0.5, .pair_seconds = 0.1, .pairs_left = 10},
                                     {.worth = 0.04, .pair_seconds = 0.1, .pairs_left = 1},
                                     {.worth = 0.5, .pair_seconds = 1, .pairs_left = 2}};
  EXPECT_EQ(best(all), 1);
}

TEST(Schedule, takes_the_first_of_equals) {
  const std::vector<Opportunity> all(3);
  EXPECT_EQ(best(all), 0);
}

TEST(Schedule, expects_a_decision_after_some_pairs_at_the_earliest) {
  EXPECT_EQ(pairs_to_decision({}, 0.02), 10);
  EXPECT_EQ(pairs_to_decision(assessed(0, 0.5, 4), 0.02), 6);
}

TEST(Schedule, expects_a_clear_change_sooner_than_a_doubtful_one) {
  const double clear = pairs_to_decision(assessed(0.10, 0.12, 20), 0.02);
  const double doubtful = pairs_to_decision(assessed(0.015, 0.12, 20), 0.02);
  EXPECT_LT(clear, 20);
  EXPECT_GT(doubtful, 10 * clear);
}

TEST(Schedule, does_not_believe_that_what_took_long_is_nearly_done) {
  EXPECT_EQ(pairs_to_decision(assessed(0.05, 0.051, 160), 0.02), 80);
  const std::vector<Opportunity> all{{.worth = 0.5, .pair_seconds = 0.1, .pairs_left = 80},
                                     {.worth = 0.5, .pair_seconds = 3, .pairs_left = 1}};
  EXPECT_EQ(best(all), 1) << "counting is dearer, but decides";
}

} // namespace
} // namespace dragnet::compare
