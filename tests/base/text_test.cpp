#include "base/text.h"

#include "base/process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace dragnet {
namespace {

using Words = std::vector<std::string>;

TEST(Split, keeps_empty_parts) {
  EXPECT_EQ(split("a,,b,", ','), (Words{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), Words{""});
}

TEST(Split, is_undone_by_join) {
  for (const std::string text : {"", ",", "a", "a,b", ",a,,b,"})
    EXPECT_EQ(join(split(text, ','), ","), text);
}

TEST(Lines, do_not_care_about_the_last_newline) {
  EXPECT_EQ(lines("a\nb"), (Words{"a", "b"}));
  EXPECT_EQ(lines("a\nb\n"), (Words{"a", "b"}));
  EXPECT_EQ(lines("a\n\nb\n\n"), (Words{"a", "", "b", ""}));
  EXPECT_TRUE(lines("").empty());
}

TEST(Trim, takes_white_space_at_the_ends_only) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(ReplaceAll, does_not_look_into_what_it_put) {
  EXPECT_EQ(replace_all("aXbX", "X", "XX"), "aXXbXX");
  EXPECT_EQ(replace_all("aaa", "aa", "b"), "ba");
  EXPECT_EQ(replace_all("abc", "x", "y"), "abc");
}

TEST(EditDistance, counts_each_kind_of_mistake_once) {
  EXPECT_EQ(edit_distance("compare", "compare"), 0U);
  EXPECT_EQ(edit_distance("compare", "compaer"), 1U) << "swapped neighbours";
  EXPECT_EQ(edit_distance("compare", "comprae"), 1U) << "swapped neighbours";
  EXPECT_EQ(edit_distance("compare", "compre"), 1U) << "a letter left out";
  EXPECT_EQ(edit_distance("compare", "compaare"), 1U) << "a letter too many";
  EXPECT_EQ(edit_distance("compare", "compore"), 1U) << "another letter";
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
}

// The definition itself, without a table.
std::size_t plain_distance(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty())
    return a.size() + b.size();
  const auto shorter = [](std::string_view text, std::size_t by) {
    return text.substr(0, text.size() - by);
  };
  std::size_t best =
      std::min({plain_distance(shorter(a, 1), b) + 1, plain_distance(a, shorter(b, 1)) + 1,
                plain_distance(shorter(a, 1), shorter(b, 1)) + (a.back() == b.back() ? 0U : 1U)});
  if (a.size() > 1 && b.size() > 1 && a.back() == b[b.size() - 2] && b.back() == a[a.size() - 2])
    best = std::min(best, plain_distance(shorter(a, 2), shorter(b, 2)) + 1);
  return best;
}

TEST(EditDistance, agrees_with_its_definition_on_random_words) {
  std::mt19937 random(1);
  const auto word = [&] {
    std::string made(random() % 6, 'a');
    for (char& letter : made)
      letter = static_cast<char>('a' + random() % 3);
    return made;
  };
  for (int i = 0; i < 300; ++i) {
    const std::string a = word();
    const std::string b = word();
    ASSERT_EQ(edit_distance(a, b), plain_distance(a, b)) << a << " " << b;
    ASSERT_EQ(edit_distance(a, b), edit_distance(b, a)) << a << " " << b;
  }
}

TEST(Nearest, forgives_more_in_longer_words) {
  const Words known{"compare", "history", "run"};
  EXPECT_EQ(nearest("comprae", known), "compare");
  EXPECT_EQ(nearest("cmopaer", known), "compare") << "two swaps";
  EXPECT_EQ(nearest("rnu", known), "run");
  EXPECT_EQ(nearest("hist", known), "history") << "a beginning";
  EXPECT_EQ(nearest("xyz", known), "");
  EXPECT_EQ(nearest("c", known), "") << "one letter is not a beginning";
  EXPECT_EQ(nearest("", known), "");
  EXPECT_EQ(nearest("run", {}), "");
}

TEST(Nearest, prefers_the_fewest_mistakes) {
  EXPECT_EQ(nearest("waal", Words{"weal", "wall", "warm"}), "weal");
  EXPECT_EQ(nearest("memory", Words{"memories", "memory"}), "memory");
}

TEST(Nearest, never_replaces_a_whole_word) {
  EXPECT_EQ(nearest("a", Words{"b"}), "");
  EXPECT_EQ(nearest("ab", Words{"xy"}), "");
}

TEST(DidYouMean, names_the_nearest_or_all) {
  EXPECT_EQ(did_you_mean("wal", Words{"wall", "cpu"}), "did you mean 'wall'?");
  EXPECT_EQ(did_you_mean("bananas", Words{"wall", "cpu"}), "known are: wall, cpu");
  EXPECT_EQ(did_you_mean("wall", {}), "");
}

TEST(ShellQuoted, gives_sh_one_word) {
  for (const std::string text :
       {"plain", "", "two words", "it's", "$HOME `id` \\ \"x\"", "*", "-n", "a\nb", "'"}) {
    const auto said = run_command({"sh", "-c", "printf '%s|' " + shell_quoted(text)});
    ASSERT_TRUE(said);
    EXPECT_EQ(said->output, text + "|");
  }
}

} // namespace
} // namespace dragnet
