#include "analysis/select/indicators.h"

#include "analysis/select/executed.h"
#include "model/function.h"
#include "model/profile.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace dragnet::select {
namespace {

FunctionCounts counts(const std::string& name, std::uint64_t calls, std::uint64_t instructions) {
  return {
      .function = {.binary = "app", .name = name}, .calls = calls, .instructions = instructions};
}

// Four functions: by calls c < a < b = d, by instructions b < a < d < c.
Profile four_functions() {
  Profile profile;
  profile.instructions = 1000;
  profile.functions = {counts("a", 10, 100), counts("b", 50, 50), counts("c", 1, 600),
                       counts("d", 50, 200)};
  return profile;
}

FunctionChange changed(const std::string& name, std::uint32_t before, std::uint32_t after,
                       std::uint32_t edited = 1) {
  return {.kind = ChangeKind::Changed,
          .binary = "app",
          .name = name,
          .old_name = {},
          .old_instructions = before,
          .new_instructions = after,
          .edited = edited,
          .inlined = {}};
}

FunctionChange of_kind(ChangeKind kind, const std::string& name, const std::string& before = {}) {
  FunctionChange change = changed(name, 10, 10);
  change.kind = kind;
  change.old_name = before;
  return change;
}

Indicators values(const std::vector<FunctionChange>& changes, const Profile& profile) {
  const Executed executed(profile);
  return indicators_of({.changes = changes, .old_functions = 9, .new_functions = 9}, executed);
}

double value(const Indicators& indicators, Indicator indicator) {
  return indicators.at(static_cast<std::size_t>(indicator));
}

TEST(Indicators, are_all_zero_when_nothing_changed) {
  EXPECT_EQ(values({}, four_functions()), Indicators{});
}

TEST(Indicators, count_deleted_and_new_functions) {
  const Indicators all =
      values({of_kind(ChangeKind::Deleted, "a"), of_kind(ChangeKind::Deleted, "unreached"),
              of_kind(ChangeKind::New, "n")},
             four_functions());
  EXPECT_EQ(value(all, Indicator::Deleted), 2);
  EXPECT_EQ(value(all, Indicator::New), 1);
  EXPECT_EQ(value(all, Indicator::ReachedDeleted), 1);
}

TEST(Indicators, take_a_renamed_function_for_a_deleted_and_a_new_one) {
  const Indicators all = values({of_kind(ChangeKind::Renamed, "a2", "a")}, four_functions());
  EXPECT_EQ(value(all, Indicator::Deleted), 1);
  EXPECT_EQ(value(all, Indicator::New), 1);
  EXPECT_EQ(value(all, Indicator::ReachedDeleted), 1);
  EXPECT_EQ(value(all, Indicator::TopByCalls), 0);
}

TEST(Indicators, give_the_highest_rank_of_a_changed_function) {
  const Indicators all = values({changed("a", 100, 100), changed("c", 100, 105)}, four_functions());
  EXPECT_EQ(value(all, Indicator::TopByCalls), 50);
  EXPECT_EQ(value(all, Indicator::TopByInstructions), 100);
  EXPECT_EQ(value(all, Indicator::TopByCallsMuch), 0);
}

TEST(Indicators, give_functions_that_are_called_equally_often_the_higher_rank) {
  EXPECT_EQ(value(values({changed("b", 10, 10)}, four_functions()), Indicator::TopByCalls), 100);
  EXPECT_EQ(value(values({changed("d", 10, 10)}, four_functions()), Indicator::TopByCalls), 100);
}

TEST(Indicators, take_ten_percent_of_length_for_much) {
  const auto much = [](std::uint32_t after) {
    return value(values({changed("a", 100, after)}, four_functions()), Indicator::TopByCallsMuch);
  };
  EXPECT_EQ(much(109), 0);
  EXPECT_EQ(much(110), 50);
  EXPECT_EQ(much(90), 50);
}

TEST(Indicators, give_the_largest_change_of_length_in_percent) {
  const Indicators all =
      values({changed("a", 100, 120), changed("unreached", 100, 50)}, four_functions());
  EXPECT_EQ(value(all, Indicator::LengthChange), 50);
  EXPECT_EQ(value(all, Indicator::ReachedLengthChange), 20);
}

TEST(Indicators, do_not_see_a_change_of_data) {
  EXPECT_EQ(values({changed("a", 10, 10, 0)}, four_functions()), Indicators{});
}

TEST(Indicators, rank_by_samples_where_calls_are_unknown) {
  Profile profile = four_functions();
  profile.counting = Counting::Sampled;
  for (FunctionCounts& one : profile.functions)
    one.calls = 0;
  EXPECT_EQ(value(values({changed("d", 10, 10)}, profile), Indicator::TopByCalls), 75);
  EXPECT_EQ(value(values({changed("b", 10, 10)}, profile), Indicator::TopByCalls), 25);
}

TEST(Indicators, tell_functions_of_two_binaries_apart) {
  FunctionChange other = changed("a", 10, 10);
  other.binary = "other";
  EXPECT_EQ(value(values({other}, four_functions()), Indicator::TopByCalls), 0);
}

TEST(Indicators, survive_an_empty_profile) {
  const Indicators all = values({changed("a", 0, 5)}, Profile{});
  EXPECT_EQ(value(all, Indicator::TopByCalls), 0);
  EXPECT_EQ(value(all, Indicator::LengthChange), 500);
}

} // namespace
} // namespace dragnet::select
