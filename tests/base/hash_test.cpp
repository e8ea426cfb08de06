#include "base/hash.h"

#include "base/files.h"
#include "fakes/temporary_folder.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace dragnet {
namespace {

TEST(KeyMaker, never_lets_neighbours_run_together) {
  std::set<std::string> keys{KeyMaker().add("a", "bc").key(),
                             KeyMaker().add("ab", "c").key(),
                             KeyMaker().add("abc", "").key(),
                             KeyMaker().add("", "abc").key(),
                             KeyMaker().add("a", "b").add("c", "").key(),
                             KeyMaker().add("a", "").add("b", "c").key(),
                             KeyMaker().add("", "").key(),
                             KeyMaker().key(),
                             KeyMaker().add("", "").add("", "").key()};
  EXPECT_EQ(keys.size(), 9U);
}

TEST(KeyMaker, cannot_be_fooled_by_lengths_in_the_text) {
  // The second text looks like what the first two are stored as.
  const std::string prefix("\1\0\0\0\0\0\0\0", 8);
  EXPECT_NE(KeyMaker().add("x", "y").key(), KeyMaker().add("", "x" + prefix + "y").key());
}

TEST(KeyMaker, depends_on_order) {
  EXPECT_NE(KeyMaker().add("a", "1").add("b", "2").key(),
            KeyMaker().add("b", "2").add("a", "1").key());
}

TEST(KeyMaker, can_be_asked_on_the_way) {
  KeyMaker asked;
  asked.add("a", "1");
  const std::string first = asked.key();
  EXPECT_EQ(asked.key(), first);
  asked.add("b", "2");
  EXPECT_EQ(asked.key(), KeyMaker().add("a", "1").add("b", "2").key());
  EXPECT_NE(asked.key(), first);
}

TEST(KeyMaker, makes_32_hexadecimal_digits) {
  const std::string key = KeyMaker().add("a", "1").key();
  EXPECT_EQ(key.size(), 32U);
  EXPECT_EQ(key.find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(FileKey, is_the_published_hash_of_the_content) {
  const fakes::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "empty", ""));
  EXPECT_EQ(*file_key(folder / "empty"), "99aa06d3014798d86001c324468d497f");
}

TEST(FileKey, changes_with_one_byte) {
  const fakes::TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a", std::string(1'000'000, 'x')));
  ASSERT_TRUE(write_file(folder / "b", std::string(999'999, 'x') + "y"));
  EXPECT_NE(*file_key(folder / "a"), *file_key(folder / "b"));
}

TEST(FileKey, of_a_missing_file_is_an_error_that_names_it) {
  const auto key = file_key("/nowhere/at/all");
  ASSERT_FALSE(key);
  EXPECT_TRUE(key.error().what.contains("/nowhere/at/all"));
}

TEST(SeedOf, is_the_same_everywhere) {
  EXPECT_EQ(seed_of(""), 0x2d06800538d394c2U);
}

} // namespace
} // namespace dragnet
