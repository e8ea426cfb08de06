#include "compiler/instrument.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace dragnet::compiler {
namespace {

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

TEST(Instrument, knows_clang_by_name_and_by_what_the_name_leads_to) {
  EXPECT_EQ(maker_of("clang++-19", "/usr/lib/llvm-19/bin/clang"), Maker::Clang);
  EXPECT_EQ(maker_of("cc", "/usr/lib/llvm-19/bin/clang"), Maker::Clang);
  EXPECT_EQ(maker_of("cc", "/usr/bin/x86_64-linux-gnu-gcc-12"), Maker::Gcc);
  EXPECT_EQ(maker_of("clang", "/usr/bin/ccache"), Maker::Clang);
  EXPECT_EQ(maker_of("gcc", "/opt/clang/bin/gcc"), Maker::Gcc);
}

TEST(Instrument, adds_hooks_behind_what_was_given) {
  const std::vector<std::string> given{"cc", "-O2", "-c", "a.c"};
  const auto clang = instrumented(given, Maker::Clang);
  EXPECT_TRUE(std::equal(given.begin(), given.end(), clang.begin()));
  EXPECT_TRUE(has(clang, "-finstrument-functions-after-inlining"));
  const auto gcc = instrumented(given, Maker::Gcc);
  EXPECT_TRUE(std::equal(given.begin(), given.end(), gcc.begin()));
  EXPECT_TRUE(has(gcc, "-finstrument-functions"));
}

TEST(Instrument, aligns_code_behind_what_was_given) {
  const std::vector<std::string> given{"cc", "-O2", "-falign-functions=16", "-c", "a.c"};
  for (const Maker maker : {Maker::Clang, Maker::Gcc}) {
    const auto words = aligned(given, maker);
    EXPECT_TRUE(std::equal(given.begin(), given.end(), words.begin()));
    EXPECT_TRUE(has(words, "-falign-functions=64"));
    EXPECT_FALSE(has(words, "-finstrument-functions"));
  }
}

TEST(Instrument, takes_folders_out_of_a_search_path) {
  EXPECT_EQ(without_folders("/a:/b:/a:/c", {"/a"}), "/b:/c");
  EXPECT_EQ(without_folders("/a", {"/a"}), "");
  EXPECT_EQ(without_folders("/a::/b", {"/b"}), "/a:");
  EXPECT_EQ(folders_of("/a:/b"), (std::vector<std::string>{"/a", "/b"}));
}

} // namespace
} // namespace dragnet::compiler
