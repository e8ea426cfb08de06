#include "analysis/rank/loop_counts.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <vector>

namespace dragnet::rank {
namespace {

constexpr std::size_t limits = 0;
constexpr std::size_t list = 1;

// Loop A fills limits; the new loop B walks limits and fills list; loop C walks list.
structure::Correlation listing_1() {
  return {.walks = {{}, {limits}, {list}},
          .changes = {{limits}, {list}, {}},
          .fills = {{limits}, {list}, {}},
          .collections = 2};
}

TEST(LoopCounts, loop_a_of_listing_1_tells_the_count_of_loop_b_and_what_it_fills) {
  for (const auto& counts : {inferred(listing_1(), {40, std::nullopt, std::nullopt}),
                             inferred_by_size(listing_1(), {40, std::nullopt, std::nullopt})}) {
    EXPECT_EQ(counts[0], 40);
    EXPECT_EQ(counts[1], 40);
    EXPECT_EQ(counts[2], 40);
  }
}

TEST(LoopCounts, algorithm_1_adds_up_what_several_loops_put_into_a_collection) {
  const structure::Correlation correlation{.walks = {{}, {}, {limits}},
                                           .changes = {{limits}, {limits}, {}},
                                           .fills = {{limits}, {limits}, {}},
                                           .collections = 1};
  EXPECT_EQ(inferred(correlation, {10, 32, std::nullopt})[2], 42);
  EXPECT_EQ(inferred_by_size(correlation, {10, 32, std::nullopt})[2], 42);
}

TEST(LoopCounts, algorithm_1_sets_each_loop_at_most_once_and_ends_in_cycles) {
  // Both loops walk what the other fills.
  const structure::Correlation correlation{.walks = {{limits}, {list}, {limits}},
                                           .changes = {{list}, {limits}, {}},
                                           .fills = {{list}, {limits}, {}},
                                           .collections = 2};
  const auto counts = inferred(correlation, {5, std::nullopt, std::nullopt});
  EXPECT_EQ(counts[0], 5) << "a known count stays";
  EXPECT_TRUE(counts[1].has_value());
  EXPECT_TRUE(counts[2].has_value());
}

TEST(LoopCounts, a_walk_of_known_length_tells_the_count_of_another_walk) {
  const structure::Correlation correlation{
      .walks = {{limits}, {limits}}, .changes = {{}, {}}, .fills = {{}, {}}, .collections = 1};
  EXPECT_EQ(inferred(correlation, {17, std::nullopt})[1], 17);
  EXPECT_EQ(inferred_by_size(correlation, {17, std::nullopt})[1], 17);
}

TEST(LoopCounts, ours_believes_walks_by_the_same_name_before_walks_of_what_may_be_the_same) {
  // The unknown loop and the first walk list; it may be limits, which the second walks.
  const structure::Correlation correlation{.walks = {{list, limits}, {limits}, {list, limits}},
                                           .changes = {{}, {}, {}},
                                           .fills = {{}, {}, {}},
                                           .collections = 2,
                                           .names = {{list}, {limits}, {list}}};
  EXPECT_EQ(inferred_by_size(correlation, {8, 5000, std::nullopt})[2], 8);
  EXPECT_EQ(inferred_by_size(correlation, {std::nullopt, 5000, std::nullopt})[2], 5000);
}

TEST(LoopCounts, ours_knows_loops_that_take_several_at_a_time) {
  const structure::Correlation correlation{.walks = {{limits}, {limits}},
                                           .changes = {{}, {}},
                                           .fills = {{}, {}},
                                           .collections = 1,
                                           .rates = {0.125, 1}};
  EXPECT_EQ(inferred_by_size(correlation, {4, std::nullopt})[1], 32);
  EXPECT_EQ(inferred_by_name(correlation, {std::nullopt, 32})[0], 4);
}

TEST(LoopCounts, ours_takes_what_no_loop_walks_even_once_for_empty) {
  const structure::Correlation correlation{.walks = {{limits}, {limits}, {list, limits}},
                                           .changes = {{}, {}, {}},
                                           .fills = {{}, {}, {}},
                                           .collections = 2,
                                           .names = {{limits}, {limits}, {list}}};
  EXPECT_EQ(inferred_by_name(correlation, {0, std::nullopt, std::nullopt})[1], 0);
  EXPECT_EQ(inferred_by_name(correlation, {0, std::nullopt, 7})[1], std::nullopt);
}

TEST(LoopCounts, ours_is_sure_of_a_size_that_only_one_thing_can_have) {
  const structure::Correlation correlation{
      .walks = {{limits}, {list}, {2, limits}, {2, limits, list}},
      .changes = {{}, {}, {}, {}},
      .fills = {{}, {}, {}, {}},
      .collections = 3,
      .names = {{limits}, {list}, {2}, {2}}};
  const auto counts = inferred_by_identity(correlation, {9, 90, std::nullopt, std::nullopt});
  EXPECT_EQ(counts[2], 9);
  EXPECT_EQ(counts[3], std::nullopt);
}

TEST(LoopCounts, ours_does_not_add_walks_to_what_fills) {
  const structure::Correlation correlation{.walks = {{}, {limits}, {limits}},
                                           .changes = {{limits}, {}, {}},
                                           .fills = {{limits}, {}, {}},
                                           .collections = 1};
  EXPECT_EQ(inferred_by_size(correlation, {10, 10, std::nullopt})[2], 10);
}

TEST(LoopCounts, a_loop_that_correlates_with_nothing_gets_the_average_of_the_known) {
  const structure::Correlation correlation{
      .walks = {{}, {}, {}}, .changes = {{}, {}, {}}, .fills = {{}, {}, {}}, .collections = 0};
  EXPECT_EQ(inferred_or_average(correlation, {10, 30, std::nullopt})[2], 20);
  EXPECT_EQ(inferred_or_average(correlation, {{}, {}, {}})[2], 1);
}

TEST(LoopCounts, known_counts_stay_and_a_second_inference_changes_nothing) {
  std::mt19937_64 random(11);
  for (int repetition = 0; repetition < 200; ++repetition) {
    structure::Correlation correlation{.walks = std::vector<std::vector<std::size_t>>(12),
                                       .changes = std::vector<std::vector<std::size_t>>(12),
                                       .fills = {},
                                       .collections = 6};
    LoopCounts known(12);
    for (std::size_t loop = 0; loop < 12; ++loop) {
      if (random() % 2 == 0)
        correlation.walks[loop].push_back(random() % 6);
      if (random() % 3 == 0)
        correlation.changes[loop].push_back(random() % 6);
      if (random() % 3 == 0)
        known[loop] = static_cast<double>(random() % 100);
    }
    correlation.fills = correlation.changes;
    for (const auto infer : {inferred, inferred_by_size}) {
      const auto counts = infer(correlation, known);
      ASSERT_EQ(counts.size(), known.size());
      for (std::size_t loop = 0; loop < 12; ++loop)
        if (known[loop]) {
          EXPECT_EQ(counts[loop], known[loop]);
        }
      EXPECT_EQ(infer(correlation, counts), counts);
    }
  }
}

} // namespace
} // namespace dragnet::rank
