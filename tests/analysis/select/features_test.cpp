#include "analysis/select/features.h"

#include "analysis/select/evidence.h"
#include "analysis/select/executed.h"
#include "model/function.h"
#include "model/profile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace dragnet::select {
namespace {

FunctionId id(const std::string& name) {
  return {.binary = "app", .name = name};
}

FunctionCounts counts(const std::string& name, std::uint64_t calls, std::uint64_t instructions) {
  return {.function = id(name), .calls = calls, .instructions = instructions};
}

CallEdge edge(const std::string& caller, const std::string& callee, std::uint64_t calls) {
  return {.caller = id(caller), .callee = id(callee), .kind = CallKind::Direct, .calls = calls};
}

// main calls parse once and hash 60 times, parse calls hash 40 times; a fifth is in libc.
Profile small_profile() {
  Profile profile;
  profile.instructions = 1000;
  profile.functions = {counts("hash", 100, 500), counts("main", 1, 100), counts("parse", 1, 200)};
  profile.edges = {edge("main", "hash", 60), edge("main", "parse", 1), edge("parse", "hash", 40)};
  profile.libraries = {{.path = "/lib/libc.so.6", .identity = "x", .instructions = 200}};
  return profile;
}

FunctionChange change(ChangeKind kind, const std::string& name, std::uint32_t before,
                      std::uint32_t after, std::uint32_t edited) {
  return {.kind = kind,
          .binary = "app",
          .name = name,
          .old_name = {},
          .old_instructions = before,
          .new_instructions = after,
          .edited = edited,
          .inlined = {}};
}

Features features(const std::vector<FunctionChange>& changes,
                  const Circumstances& circumstances = {}) {
  const Profile profile = small_profile();
  const Executed executed(profile);
  const Difference difference{.changes = changes, .old_functions = 5, .new_functions = 5};
  const Evidence evidence = gather(difference, executed, circumstances);
  const Features all = features_of(evidence, executed);
  EXPECT_EQ(any_reached(all), evidence.any());
  EXPECT_TRUE(std::ranges::all_of(all, [](double value) { return value >= 0; }));
  return all;
}

double value(const Features& all, Feature feature) {
  return all.at(static_cast<std::size_t>(feature));
}

TEST(Executed, divides_the_cost_of_callees_by_their_calls) {
  const Profile profile = small_profile();
  const Executed executed(profile);
  const std::vector<double> inclusive = executed.inclusive_shares();
  EXPECT_DOUBLE_EQ(inclusive[*executed.find("app", "hash")], 0.5);
  EXPECT_DOUBLE_EQ(inclusive[*executed.find("app", "parse")], 0.2 + (0.4 * 0.5));
  EXPECT_DOUBLE_EQ(inclusive[*executed.find("app", "main")], 0.1 + (0.6 * 0.5) + 0.4);
}

TEST(Executed, keeps_recursion_within_the_run) {
  Profile profile;
  profile.instructions = 100;
  profile.functions = {counts("even", 50, 50), counts("odd", 50, 50)};
  profile.edges = {edge("even", "even", 5), edge("even", "odd", 50), edge("odd", "even", 49)};
  for (const double share : Executed(profile).inclusive_shares()) {
    EXPECT_GE(share, 0.5);
    EXPECT_LE(share, 1);
  }
}

TEST(Executed, finds_nothing_that_was_not_executed) {
  const Profile profile = small_profile();
  const Executed executed(profile);
  EXPECT_FALSE(executed.find("app", "other").has_value());
  EXPECT_FALSE(executed.find("lib", "hash").has_value());
}

TEST(Features, are_zero_but_for_the_number_of_changes_where_nothing_executed_changed) {
  Features all = features({change(ChangeKind::Changed, "other", 50, 60, 10),
                           change(ChangeKind::New, "added", 0, 10, 10)});
  EXPECT_EQ(value(all, Feature::ChangedFunctions), 2);
  all.at(static_cast<std::size_t>(Feature::ChangedFunctions)) = 0;
  EXPECT_EQ(all, Features{});
}

TEST(Features, weigh_edits_by_what_was_executed) {
  const Features all = features({change(ChangeKind::Changed, "hash", 10, 12, 3),
                                 change(ChangeKind::Changed, "parse", 100, 80, 20)});
  EXPECT_DOUBLE_EQ(value(all, Feature::TouchedShare), 0.7);
  EXPECT_DOUBLE_EQ(value(all, Feature::EditedShare), (0.5 * 0.25) + (0.2 * 0.2));
  EXPECT_DOUBLE_EQ(value(all, Feature::LargestEditedShare), 0.125);
  EXPECT_DOUBLE_EQ(value(all, Feature::EditedPerCall), 0.3 + 0.02);
  EXPECT_DOUBLE_EQ(value(all, Feature::NetLength), (0.5 * 0.2) - (0.2 * 0.2));
  EXPECT_DOUBLE_EQ(value(all, Feature::NetLengthPerCall), 0.2 - 0.02);
  EXPECT_DOUBLE_EQ(value(all, Feature::LargestInclusive), 0.5);
  EXPECT_DOUBLE_EQ(value(all, Feature::BelowEdited), 0.2 * 0.2);
  EXPECT_DOUBLE_EQ(value(all, Feature::OutsideShare), 0.2);
  EXPECT_EQ(value(all, Feature::TouchedFunctions), 2);
}

TEST(Features, take_a_deleted_function_for_wholly_edited) {
  const Features all = features({change(ChangeKind::Deleted, "parse", 100, 0, 0)});
  EXPECT_DOUBLE_EQ(value(all, Feature::DeletedShare), 0.2);
  EXPECT_DOUBLE_EQ(value(all, Feature::EditedShare), 0.2);
  EXPECT_DOUBLE_EQ(value(all, Feature::EditedPerCall), 0.1);
}

TEST(Features, ignore_a_function_that_only_got_another_name) {
  FunctionChange renamed = change(ChangeKind::Renamed, "hash2", 10, 10, 0);
  renamed.old_name = "hash";
  EXPECT_FALSE(any_reached(features({renamed})));
  renamed.edited = 2;
  EXPECT_DOUBLE_EQ(value(features({renamed}), Feature::TouchedShare), 0.5);
}

TEST(Features, keep_changed_data_apart) {
  const Features all = features({change(ChangeKind::Changed, "hash", 10, 10, 0)});
  EXPECT_DOUBLE_EQ(value(all, Feature::DataShare), 0.5);
  EXPECT_EQ(value(all, Feature::TouchedFunctions), 0);
  EXPECT_TRUE(any_reached(all));
}

TEST(Features, count_new_code_that_changed_code_may_call) {
  const Features all = features({change(ChangeKind::Changed, "hash", 10, 12, 3),
                                 change(ChangeKind::New, "added", 0, 40, 40)});
  EXPECT_EQ(value(all, Feature::NewCode), 40);
  EXPECT_DOUBLE_EQ(value(all, Feature::NewCodePerCall), 4);
}

TEST(Features, know_that_constructors_of_globals_need_no_caller) {
  const Features all = features({change(ChangeKind::New, "_GLOBAL__sub_I_main.cpp", 0, 40, 40)});
  EXPECT_EQ(value(all, Feature::StartUpCode), 1);
  EXPECT_TRUE(any_reached(all));
}

TEST(Features, see_a_changed_library_that_is_loaded) {
  Circumstances circumstances;
  circumstances.libraries = {"/lib/libc.so.6", "/lib/other.so"};
  const Features all = features({}, circumstances);
  EXPECT_DOUBLE_EQ(value(all, Feature::LibraryShare), 0.2);
  circumstances.libraries = {"/lib/other.so"};
  EXPECT_FALSE(any_reached(features({}, circumstances)));
}

TEST(Features, scale_without_losing_their_order) {
  Features low{};
  Features high{};
  low.fill(0.001);
  high.fill(0.01);
  for (std::size_t i = 0; i < feature_count; ++i)
    if (is_learned(static_cast<Feature>(i)))
      EXPECT_LT(scaled(low).at(i), scaled(high).at(i));
    else
      EXPECT_EQ(scaled(high).at(i), 0);
  EXPECT_EQ(scaled(Features{}), Features{});
}

} // namespace
} // namespace dragnet::select
