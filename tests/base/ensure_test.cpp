#include "base/ensure.h"

#include <gtest/gtest.h>

namespace dragnet {
namespace {

TEST(Ensure, lets_go_on_what_holds) {
  ensure(true, "one is one");
}

TEST(Ensure, ends_the_program_and_names_the_place) {
  EXPECT_DEATH(ensure(false, "one is two"), "internal error: one is two .*ensure_test.cpp");
}

} // namespace
} // namespace dragnet
