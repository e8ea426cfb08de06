#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace dragnet {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0)
    return Error{std::to_string(number) + " is odd", "take an even one"};
  return number / 2;
}

Result<int> quarter(int number) {
  const int first = TRY(half(number));
  return TRY_WHILE("second half", half(first));
}

TEST(Result, carries_a_value) {
  ASSERT_TRUE(quarter(12));
  EXPECT_EQ(*quarter(12), 3);
}

TEST(Result, passes_an_error_on_with_its_hint) {
  EXPECT_EQ(quarter(7).error().what, "7 is odd");
  EXPECT_EQ(quarter(7).error().hint, "take an even one");
}

TEST(Result, adds_what_was_being_done) {
  EXPECT_EQ(quarter(6).error().what, "second half: 3 is odd");
  EXPECT_EQ(quarter(6).error().hint, "take an even one");
}

Result<std::unique_ptr<int>> box(int number) {
  auto made = TRY(Result<std::unique_ptr<int>>(std::make_unique<int>(number)));
  return made;
}

TEST(Result, carries_what_can_only_be_moved) {
  auto boxed = box(5);
  ASSERT_TRUE(boxed.has_value());
  EXPECT_EQ(**boxed, 5);
}

} // namespace
} // namespace dragnet
