#include "lab/tracing.h"

#include <gtest/gtest.h>

namespace dragnet::lab {
namespace {

TEST(Compilers, are_known_by_name_with_targets_and_versions) {
  for (const auto* name :
       {"cc", "c++", "gcc", "g++-12", "clang", "clang++-19", "c99", "x86_64-linux-gnu-gcc",
        "x86_64-linux-gnu-g++-12", "aarch64-linux-gnu-gcc"})
    EXPECT_TRUE(is_compiler_name(name)) << name;
}

TEST(Compilers, are_not_tools_beside_them) {
  for (const auto* name : {"gcc-ar", "gcc-ranlib-12", "clang-tidy-19", "clang-format", "ccache",
                           "ld", "gcc-", "x86_64-linux-gnu-gcc-nm", ""})
    EXPECT_FALSE(is_compiler_name(name)) << name;
}

} // namespace
} // namespace dragnet::lab
