#include "analysis/rank/handed_sizes.h"

#include "analysis/rank/loop_counts.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace dragnet::rank {
namespace {

enum : std::size_t { key, value, text, bytes, copy, collections };

structure::Handing handing(std::size_t parameter, std::optional<std::size_t> collection,
                           double factor = 1) {
  return {
      .caller = 0, .block = 0, .parameter = parameter, .collection = collection, .factor = factor};
}

TEST(Flow, a_parameter_is_as_large_as_what_is_handed_over_on_average) {
  const structure::Flow flow{.handings = {handing(text, key), handing(text, value, 2)}, .same = {}};
  const std::vector<double> times{3, 1};
  const auto sizes = sizes_of_parameters({.flow = flow, .times = times}, {10, 100, {}, {}, {}});
  EXPECT_EQ(sizes[text], (3 * 10 + 200) / 4.0);
}

TEST(Flow, a_number_that_is_handed_over_is_a_size) {
  const structure::Flow flow{.handings = {handing(text, std::nullopt, 12), handing(bytes, text)},
                             .same = {}};
  const std::vector<double> times{3, 3};
  EXPECT_EQ(sizes_of_parameters({.flow = flow, .times = times}, LoopCounts(collections))[bytes],
            12);
}

TEST(Flow, what_is_not_known_of_the_arguments_is_what_the_known_ones_leave) {
  const structure::Flow flow{.handings = {handing(text, key), handing(text, value)},
                             .same = {{.collection = copy, .source = value}}};
  const std::vector<double> times{1, 1};
  const LoopCounts known{10, {}, 60, {}, {}};
  const auto sizes = sizes_both_ways({.flow = flow, .times = times}, known);
  EXPECT_EQ(sizes[value], 110);
  EXPECT_EQ(sizes[copy], 110);
  EXPECT_FALSE(sizes_of_parameters({.flow = flow, .times = times}, known)[value]);
}

TEST(Flow, what_is_known_of_few_calls_says_nothing) {
  const structure::Flow flow{.handings = {handing(text, key), handing(text, value)}, .same = {}};
  const std::vector<double> times{1, 9};
  EXPECT_FALSE(sizes_both_ways({.flow = flow, .times = times}, {10, {}, {}, {}, {}})[text]);
}

TEST(Flow, a_call_that_a_test_does_not_make_tells_it_nothing) {
  const structure::Flow flow{.handings = {handing(text, key)}, .same = {}};
  const std::vector<double> never{0};
  EXPECT_FALSE(sizes_both_ways({.flow = flow, .times = never}, {10, {}, {}, {}, {}})[text]);
  EXPECT_FALSE(sizes_both_ways({.flow = flow, .times = never}, {{}, {}, 10, {}, {}})[key]);
}

TEST(Flow, sizes_settle_where_functions_hand_over_to_each_other) {
  const structure::Flow flow{
      .handings = {handing(text, bytes, 0.5), handing(bytes, text), handing(text, key)},
      .same = {}};
  const std::vector<double> times{1, 1, 1};
  const auto sizes = sizes_both_ways({.flow = flow, .times = times}, {16, {}, {}, {}, {}});
  EXPECT_TRUE(sizes[text]);
  EXPECT_TRUE(sizes[bytes]);
}

TEST(Flow, growth_goes_on_through_parameters_and_variables_by_how_often_it_is_handed_over) {
  const structure::Flow flow{
      .handings = {handing(text, key, 3), handing(text, value), handing(bytes, copy)},
      .same = {{.collection = copy, .source = text}}};
  const std::vector<double> times{1, 3, 5};
  const std::vector<double> grown{3, 1, 1};
  const auto growth = growth_of({.flow = flow, .times = times}, grown, collections);
  EXPECT_EQ(growth[key], 1);
  EXPECT_EQ(growth[text], 1.5);
  EXPECT_EQ(growth[copy], 1.5);
  EXPECT_EQ(growth[bytes], 1.5);
}

} // namespace
} // namespace dragnet::rank
