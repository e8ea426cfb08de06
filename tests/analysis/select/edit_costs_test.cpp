#include "analysis/select/edit_costs.h"

#include "analysis/select/executed.h"
#include "model/function.h"
#include "model/profile.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace dragnet::select {
namespace {

// main calls loop once, which executes its first ten instructions once and the next ten a hundred
// times, and calls helper as often; a call of helper costs 5 instructions.
class EditCostsOfLoop : public testing::Test {
protected:
  EditCostsOfLoop() {
    profile_.instructions = 10000;
    profile_.functions = {
        {.function = {"app", "helper"}, .calls = 100, .instructions = 500},
        {.function = {"app", "loop"},
         .calls = 1,
         .instructions = 1010,
         .stretches = {{.first = 0, .executed = 1}, {.first = 10, .executed = 100}}},
        {.function = {"app", "main"}, .calls = 1, .instructions = 8490}};
    profile_.edges = {{.caller = {"app", "loop"}, .callee = {"app", "helper"}, .calls = 100},
                      {.caller = {"app", "main"}, .callee = {"app", "loop"}, .calls = 1}};
    change_.binary = "app";
    change_.name = "loop";
    change_.old_instructions = change_.new_instructions = 20;
    change_.edited = 1;
  }

  EditCost cost() const {
    const Executed executed(profile_);
    const auto inclusive = executed.inclusive_shares();
    Difference difference{.changes = {change_}, .old_functions = 3, .new_functions = 3};
    difference.changes.insert(difference.changes.end(), others_.begin(), others_.end());
    return EditCosts(difference, executed, inclusive).of(change_, 1);
  }

  static EditPlace at(std::uint32_t instruction, bool certain = true) {
    return {.before = {instruction}, .after = {instruction}, .certain = certain};
  }

  Profile profile_;
  FunctionChange change_;
  std::vector<FunctionChange> others_;
};

TEST_F(EditCostsOfLoop, are_as_often_as_the_code_around_is_executed) {
  change_.edits = {{.place = at(12), .instructions = 3}, {.place = at(2), .instructions = -4}};
  EXPECT_DOUBLE_EQ(cost().net, (3 * 100) - 4);
}

TEST_F(EditCostsOfLoop, are_as_rare_as_the_rarer_side) {
  change_.edits = {{.place = {.before = {12}, .after = {2}, .certain = false}, .instructions = 3},
                   {.place = {.before = {}, .after = {12}, .certain = false}, .instructions = 50}};
  EXPECT_DOUBLE_EQ(cost().net, 0);
  EXPECT_DOUBLE_EQ(cost().doubtful, 3);
}

TEST_F(EditCostsOfLoop, count_what_a_call_costs) {
  change_.calls = {{.place = at(12), .callee = "helper", .length = 9, .calls = 1}};
  EXPECT_NEAR(cost().called, 100 * 5, 1e-6);
  change_.calls.front().place.certain = false;
  EXPECT_DOUBLE_EQ(cost().called, 0);
  EXPECT_NEAR(cost().doubtful_calls, 100 * 5, 1e-6);
}

TEST_F(EditCostsOfLoop, forget_calls_that_only_moved) {
  change_.calls = {{.place = at(12), .callee = "helper", .length = 9, .calls = 1},
                   {.place = at(2), .callee = "helper", .length = 9, .calls = -1}};
  EXPECT_DOUBLE_EQ(cost().called, 0);
  EXPECT_DOUBLE_EQ(cost().doubtful_calls, 0);
}

TEST_F(EditCostsOfLoop, know_a_callee_by_its_old_name) {
  change_.calls = {{.place = at(12), .callee = "assistant", .length = 9, .calls = 1},
                   {.place = at(12), .callee = "helper", .length = 9, .calls = -1}};
  FunctionChange renamed;
  renamed.binary = "app";
  renamed.name = "assistant";
  renamed.old_name = "helper";
  others_ = {renamed};
  EXPECT_DOUBLE_EQ(cost().called, 0);
}

TEST_F(EditCostsOfLoop, expect_nothing_of_a_new_function_in_the_place_of_an_old_one) {
  change_.calls = {{.place = at(12), .callee = "fresh", .length = 800, .calls = 1},
                   {.place = at(12), .callee = "helper", .length = 9, .calls = -1}};
  EXPECT_DOUBLE_EQ(cost().called, 0);
  EXPECT_DOUBLE_EQ(cost().doubtful_calls, 0);
}

TEST_F(EditCostsOfLoop, doubt_what_a_new_function_costs) {
  change_.calls = {{.place = at(12), .callee = "fresh", .length = 80, .calls = 1}};
  EXPECT_DOUBLE_EQ(cost().called, 0);
  EXPECT_DOUBLE_EQ(cost().doubtful_calls, 100 * 40);
}

TEST_F(EditCostsOfLoop, take_a_function_that_is_gone_for_inlined) {
  change_.calls = {{.place = at(12), .callee = "helper", .length = 9, .calls = -1}};
  FunctionChange deleted;
  deleted.kind = ChangeKind::Deleted;
  deleted.binary = "app";
  deleted.name = "helper";
  others_ = {deleted};
  EXPECT_DOUBLE_EQ(cost().called, 0);
  EXPECT_NEAR(cost().doubtful_calls, 100 * 5, 1e-6);
}

} // namespace
} // namespace dragnet::select
