#include "hunt/journal.h"

#include "analysis/provoke/chromosome.h"
#include "base/files.h"
#include "fakes/temporary_folder.h"
#include "hunt/provoking.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace dragnet::hunt {
namespace {

using provoke::Ending;
using provoke::Version;

class Journals : public testing::Test {
protected:
  Journal opened() const {
    auto journal = Journal::open(folder.path() / "evaluations");
    EXPECT_TRUE(journal);
    return std::move(*journal);
  }
  fakes::TemporaryFolder folder;
};

TEST_F(Journals, remember_evaluations_in_their_order) {
  {
    auto journal = opened();
    EXPECT_FALSE(journal.take({1, 2}));
    EXPECT_TRUE(journal.add({1, 2}, {.fitness = 0.1, .base = 1e12}));
    EXPECT_TRUE(journal.add({1, 2}, {.fitness = -3, .base = 2}));
    EXPECT_TRUE(journal.add({2, 1}, {.ending = Ending::Hung, .version = Version::New}));
    EXPECT_FALSE(journal.take({1, 2})) << "what was just measured is not measured again for it";
  }
  auto journal = opened();
  const auto first = journal.take({1, 2});
  const auto second = journal.take({1, 2});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->fitness, 0.1);
  EXPECT_EQ(first->base, 1e12);
  EXPECT_EQ(second->fitness, -3);
  EXPECT_FALSE(journal.take({1, 2}));
  const auto hung = journal.take({2, 1});
  ASSERT_TRUE(hung);
  EXPECT_EQ(hung->ending, Ending::Hung);
  EXPECT_EQ(hung->version, Version::New);
  EXPECT_EQ(journal.taken(), 3U);
}

TEST_F(Journals, pass_over_a_line_that_was_cut) {
  {
    auto journal = opened();
    EXPECT_TRUE(journal.add({1}, {.fitness = 5}));
  }
  const auto file = folder.path() / "evaluations";
  const auto whole = read_file(file);
  ASSERT_TRUE(whole);
  ASSERT_TRUE(write_file(file, whole->substr(0, whole->size() - 3)));
  auto journal = opened();
  EXPECT_FALSE(journal.take({1}));
  EXPECT_TRUE(journal.add({2}, {.fitness = 6}));
  auto again = opened();
  ASSERT_TRUE(again.take({2}));
}

TEST(Genes, are_lines) {
  EXPECT_EQ(read_genes("a\nb b\nc\n"), (std::vector<std::string>{"a", "b b", "c"}));
}

TEST(Genes, are_blocks_where_an_empty_line_divides_them) {
  EXPECT_EQ(read_genes("\na\nb\n\nc\n\n\n"), (std::vector<std::string>{"a\nb", "c"}));
}

TEST(Genes, are_none_in_an_empty_file) {
  EXPECT_TRUE(read_genes("\n \n").empty());
}

} // namespace
} // namespace dragnet::hunt
