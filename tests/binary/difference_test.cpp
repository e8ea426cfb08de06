#include "binary/alignment.h"
#include "binary/inlined.h"
#include "binary/workshop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace dragnet::binary {
namespace {

using Names = std::vector<std::string>;
using Tokens = std::vector<std::uint16_t>;

// The plain way: the length of both less twice the longest common subsequence.
std::uint32_t edits_plainly(const Tokens& a, const Tokens& b) {
  std::vector<std::vector<std::uint32_t>> common(a.size() + 1,
                                                 std::vector<std::uint32_t>(b.size() + 1));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      common[i + 1][j + 1] =
          a[i] == b[j] ? common[i][j] + 1 : std::max(common[i][j + 1], common[i + 1][j]);
  return static_cast<std::uint32_t>(a.size() + b.size()) - 2 * common[a.size()][b.size()];
}

// What hunks make of the old sequence, if each puts in what stands there in the new one.
Tokens applied(const std::vector<Hunk>& found, const Tokens& a, const Tokens& b) {
  Tokens made;
  std::size_t at = 0;
  for (const Hunk& hunk : found) {
    EXPECT_GE(hunk.old_first, at);
    while (at < hunk.old_first)
      made.push_back(a[at++]);
    at += hunk.old_count;
    for (std::uint32_t i = 0; i < hunk.new_count; ++i)
      made.push_back(b.at(made.size()));
  }
  while (at < a.size())
    made.push_back(a[at++]);
  return made;
}

TEST(Edits, equal_the_plain_way_on_random_sequences) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    Tokens a(random() % 40);
    Tokens b(random() % 40);
    for (auto* tokens : {&a, &b})
      for (auto& token : *tokens)
        token = static_cast<std::uint16_t>(random() % 5);
    const auto found = hunks(a, b);
    EXPECT_EQ(edits(found), edits_plainly(a, b)) << round;
    EXPECT_EQ(applied(found, a, b), b) << round;
  }
}

TEST(Edits, of_long_functions_are_few_and_make_the_new_one) {
  std::mt19937 random(8);
  for (int round = 0; round < 50; ++round) {
    Tokens a(3000);
    for (auto& token : a)
      token = static_cast<std::uint16_t>(random() % 2000);
    Tokens b = a;
    for (int edit = 0; edit < 40; ++edit) {
      const auto at = static_cast<std::ptrdiff_t>(random() % b.size());
      if (random() % 2 == 0)
        b.erase(b.begin() + at);
      else
        b.insert(b.begin() + at, static_cast<std::uint16_t>(random() % 2000));
    }
    const auto found = hunks(a, b);
    EXPECT_EQ(applied(found, a, b), b) << round;
    EXPECT_LE(edits(found), 60U) << round;
  }
}

TEST(Edits, of_sequences_that_have_nothing_in_common_are_bounded_in_time) {
  const Tokens a(60000, 1);
  const Tokens b(60000, 2);
  EXPECT_EQ(edits(hunks(a, b)), 120000U);
}

class Differences : public Workshop {};

TEST_F(Differences, match_renamed_functions_by_content) {
  const std::string source = "__attribute__((noinline)) int first(int x) { return x * 77 + 5; }\n"
                             "int user(int x) { return first(x) + 1; }\n";
  std::string renamed = source;
  for (std::size_t at = 0; (at = renamed.find("first", at)) != std::string::npos;)
    renamed.replace(at, 5, "other");
  compiled("old", source, {"-O1", "-shared", "-fPIC"});
  compiled("new", renamed, {"-O1", "-shared", "-fPIC"});
  const auto found = changes("old", "new");
  EXPECT_NE(std::ranges::find(found, "renamed other"), found.end());
  EXPECT_EQ(std::ranges::find(found, "deleted first"), found.end());
}

TEST_F(Differences, count_the_edited_instructions) {
  compiled("old", "int f(int x) { return x * 77 + 5; }", {"-O1", "-shared", "-fPIC"});
  compiled("new", "int f(int x) { return x * 77 + 6; }", {"-O1", "-shared", "-fPIC"});
  const auto found = compared("old", "new").difference;
  ASSERT_EQ(found.changes.size(), 1U);
  EXPECT_EQ(found.changes[0].edited, 2U); // one taken away, one put in
  EXPECT_GT(found.changes[0].share(), 0.0);
}

TEST_F(Differences, name_the_inlined_callees_that_changed) {
  const std::string source = "static inline int twist(int x) { return (x ^ 9) * 3; }\n"
                             "static inline int turn(int x) { return x << 3 | 1; }\n"
                             "int outer(int* a, int n) { int s = 0; for (int i = 0; i < n; ++i) s "
                             "+= twist(a[i]) + turn(s); return s; }\n";
  std::string changed = source;
  changed.replace(changed.find("^ 9"), 3, "^ 8");
  for (const Names& flags : {Names{"-O1", "-g", "-shared", "-fPIC"},
                             Names{"-O1", "-g", "-gsplit-dwarf", "-shared", "-fPIC"}}) {
    compiled("old", source, flags);
    compiled("new", changed, flags);
    auto found = compared("old", "new").difference;
    add_inlined(found, table("old"), path("old"), table("new"), path("new"));
    ASSERT_EQ(found.changes.size(), 1U);
    EXPECT_EQ(found.changes[0].inlined, Names{"twist"});
  }
}

TEST_F(Differences, know_nothing_of_inlining_without_debug_information) {
  compiled("old", "int f(int x) { return x * 77 + 5; }", {"-O1", "-shared", "-fPIC", "-g0"});
  compiled("new", "int f(int x) { return x * 77 + 6; }", {"-O1", "-shared", "-fPIC", "-g0"});
  auto found = compared("old", "new").difference;
  add_inlined(found, table("old"), path("old"), table("new"), path("new"));
  EXPECT_EQ(found.changes[0].inlined, Names{});
}

} // namespace
} // namespace dragnet::binary
