#include "analysis/blame/edited_code.h"

#include "analysis/blame/paired_tree.h"
#include "model/profile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace dragnet::blame {
namespace {

// 10 instructions, called 10 times; the 5th to the 8th are a loop.
FunctionCounts looping(std::uint64_t rounds) {
  return {.function = {"program", "f"},
          .calls = 10,
          .instructions = (6 * 10) + (4 * rounds),
          .stretches = {{0, 10}, {4, rounds}, {8, 10}}};
}

TEST(EditedCode, tells_instructions_that_run_more_often_from_those_put_in) {
  // Two are put in before the loop, which has three times the rounds.
  const FunctionCounts now{.function = {"program", "f"},
                           .calls = 10,
                           .instructions = (8 * 10) + (4 * 300),
                           .stretches = {{0, 10}, {6, 300}, {10, 10}}};
  const auto code = edited_code(looping(100), now, {{{.old_first = 1, .new_count = 2}}});
  ASSERT_TRUE(code);
  EXPECT_DOUBLE_EQ(code->edited[Old], 0);
  EXPECT_DOUBLE_EQ(code->edited[New], 2);
  EXPECT_DOUBLE_EQ(code->all[Old], 46);
  EXPECT_DOUBLE_EQ(code->all[New], 128);
  EXPECT_DOUBLE_EQ(code->own_part(), 2.0 / 82);
  EXPECT_DOUBLE_EQ(code->otherness(), std::log1p(2.0 / 46));
}

TEST(EditedCode, takes_a_loop_that_was_put_in_for_the_edit) {
  const FunctionCounts now{.function = {"program", "f"},
                           .calls = 10,
                           .instructions = (6 * 10) + (4 * 100) + (3 * 900),
                           .stretches = {{0, 10}, {1, 900}, {4, 10}, {7, 100}, {11, 10}}};
  const auto code = edited_code(looping(100), now, {{{.old_first = 1, .new_count = 3}}});
  ASSERT_TRUE(code);
  EXPECT_DOUBLE_EQ(code->own_part(), 1);
  EXPECT_DOUBLE_EQ(code->otherness(), 1);
}

TEST(EditedCode, follows_hunks_that_make_a_function_shorter) {
  // Three of the first four are taken away; one in the loop stands for another.
  const FunctionCounts now{.function = {"program", "f"},
                           .calls = 10,
                           .instructions = (3 * 10) + (4 * 100),
                           .stretches = {{0, 10}, {1, 100}, {5, 10}}};
  const auto code = edited_code(
      looping(100), now,
      {{{.old_first = 0, .old_count = 3}, {.old_first = 5, .old_count = 1, .new_count = 1}}});
  ASSERT_TRUE(code);
  EXPECT_DOUBLE_EQ(code->edited[Old], 3 + 10);
  EXPECT_DOUBLE_EQ(code->edited[New], 10);
}

TEST(EditedCode, holds_the_edit_responsible_where_a_call_costs_less) {
  const auto code = edited_code(looping(100), looping(10), {});
  ASSERT_TRUE(code);
  EXPECT_DOUBLE_EQ(code->own_part(), 1);
  EXPECT_DOUBLE_EQ(code->otherness(), 1);
}

TEST(EditedCode, needs_calls_and_exact_counts_of_both) {
  FunctionCounts never = looping(100);
  never.calls = 0;
  EXPECT_FALSE(edited_code(never, looping(100), {}));
  FunctionCounts sums = looping(100);
  sums.stretches.clear();
  EXPECT_FALSE(edited_code(looping(100), sums, {}));
}

} // namespace
} // namespace dragnet::blame
