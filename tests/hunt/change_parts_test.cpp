#include "hunt/change_parts.h"

#include "base/result.h"
#include "fakes/git_history.h"
#include "fakes/temporary_folder.h"
#include "history/patched.h"
#include "history/repository.h"
#include "model/commit.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::hunt {
namespace {

template <class T>
T sure(Result<T> result) {
  if (!result)
    throw std::runtime_error(result.error().what);
  return std::move(*result);
}

// The invariant: with all parts the old commit has the tree of the new one, with none its own.
class Parts : public testing::Test {
protected:
  void make(const std::string& before, const std::string& after) {
    history.write("file.c", before);
    history.write("other.c", "untouched\n");
    old_commit = history.commit("old");
    history.write("file.c", after);
    new_commit = history.commit("new");
  }

  void read() {
    repository.emplace(sure(history::Repository::open(history.root())));
    parts = sure(ChangeParts::between(*repository, sure(repository->commit(old_commit)),
                                      sure(repository->commit(new_commit))));
    std::vector<std::size_t> all(parts->parts().size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    EXPECT_EQ(with(all).tree, sure(repository->commit(new_commit)).tree);
    EXPECT_EQ(with({}).tree, sure(repository->commit(old_commit)).tree);
  }

  Commit with(const std::vector<std::size_t>& numbers) {
    const fakes::TemporaryFolder scratch;
    return sure(history::patched(*repository, sure(repository->commit(old_commit)),
                                 parts->patch(numbers), scratch.path()));
  }

  std::string file_with(const std::vector<std::size_t>& numbers) {
    return sure(repository->git({"show", with(numbers).id.text + ":file.c"}));
  }

  fakes::TemporaryFolder folder;
  fakes::GitHistory history{folder.path() / "repository"};
  std::string old_commit;
  std::string new_commit;
  std::optional<history::Repository> repository;
  std::optional<ChangeParts> parts;
};

TEST_F(Parts, are_hunks_that_can_be_put_in_one_by_one) {
  make("a\nb\nc\nd\ne\nf\n", "A\nnew\nb\nc\ne\nF\n");
  read();
  ASSERT_EQ(parts->parts().size(), 3U);
  EXPECT_EQ(file_with({0}), "A\nnew\nb\nc\nd\ne\nf\n");
  EXPECT_EQ(file_with({1}), "a\nb\nc\ne\nf\n");
  EXPECT_EQ(file_with({2}), "a\nb\nc\nd\ne\nF\n");
  EXPECT_EQ(file_with({0, 2}), "A\nnew\nb\nc\nd\ne\nF\n");
}

TEST_F(Parts, put_lines_where_they_belong_among_lines_that_are_alike) {
  make("x\nx\nx\nx\nx\nx\n", "1\nx\nx\nx\n2\nx\nx\nx\n");
  read();
  ASSERT_EQ(parts->parts().size(), 2U);
  EXPECT_EQ(file_with({1}), "x\nx\nx\n2\nx\nx\nx\n");
}

TEST_F(Parts, keep_ends_of_lines_and_files_without_one) {
  make("a\r\nb\r\nc", "A\r\nb\r\nC");
  read();
  ASSERT_EQ(parts->parts().size(), 2U);
  EXPECT_EQ(file_with({0}), "A\r\nb\r\nc");
  EXPECT_EQ(file_with({1}), "a\r\nb\r\nC");
}

TEST_F(Parts, are_whole_files_where_these_appear_go_or_are_not_text) {
  make("a\n", "b\n");
  history.write("file.c", std::string("\0\1\2", 3));
  history.write("added.c", "one\ntwo\n");
  history.git({"rm", "-q", "other.c"});
  new_commit = history.commit("new");
  read();
  ASSERT_EQ(parts->parts().size(), 3U);
  for (const auto& part : parts->parts())
    EXPECT_EQ(part.new_first, 0U) << part.name;
  EXPECT_EQ(parts->parts()[0].name, "added.c");
}

TEST_F(Parts, give_the_same_commit_for_the_same_parts) {
  make("a\nb\nc\n", "A\nb\nC\n");
  read();
  EXPECT_EQ(with({0}).id, with({0}).id);
  EXPECT_NE(with({0}).id, with({1}).id);
  EXPECT_TRUE(sure(repository->git({"status", "--porcelain"})).empty());
}

TEST(ChangeParts, of_nothing_are_none) {
  EXPECT_TRUE(ChangeParts::parsed("").parts().empty());
  EXPECT_TRUE(ChangeParts::parsed("").patch({}).empty());
}

} // namespace
} // namespace dragnet::hunt
