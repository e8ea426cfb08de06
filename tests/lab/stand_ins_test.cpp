#include "lab/stand_ins.h"

#include "lab/tiny_project.h"
#include "model/function.h"
#include "model/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>

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

class StandIns : public TinyProject {
protected:
  void SetUp() override {
    TinyProject::SetUp();
    std::string source = "int main(void) { return 0; }\n";
    for (const auto* name : {"a", "b", "c", "d", "e"})
      source += std::string("int ") + name + "(int x) { return x * 7 + 1; }\n";
    history.write("program.c", source);
    commit = history.commit("In C");
    project.build.command = "cc -O2 -g -o \"$DRAGNET_BUILD\"/program program.c";
    project.build.binaries = {"program"};
    open();
  }

  // Of the five functions, how many begin a line of the cache.
  std::size_t aligned(const Build& build) const {
    const auto tables = lab->functions(build);
    EXPECT_TRUE(tables) << tables.error().what;
    return static_cast<std::size_t>(
        std::ranges::count_if(tables->front().functions, [](const Function& function) {
          return function.name.size() == 1 && function.address % 64 == 0;
        }));
  }

  std::string commit;
};

TEST_F(StandIns, align_code_in_a_build_of_its_own) {
  const Build plain = built(commit);
  const auto other = build_for(Purpose::Aligned, *lab, plain.commit);
  ASSERT_TRUE(other) << other.error().what;
  EXPECT_EQ(other->outcome, BuildOutcome::Built) << other->log;
  EXPECT_NE(plain.key, other->key);
  EXPECT_LT(aligned(plain), 5U);
  EXPECT_EQ(aligned(*other), 5U);
}

} // namespace
} // namespace dragnet::lab
