#include "history/checkout.h"

#include "base/files.h"
#include "fakes/child_process.h"
#include "fakes/git_history.h"
#include "fakes/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

namespace dragnet::history {
namespace fs = std::filesystem;
namespace {

using fakes::entry_count;

// The invariant: after every case no checkout of ours is left, neither on the disk nor in git's
// records, and the user's own work tree is as it was.
class Checkouts : public testing::Test {
protected:
  void SetUp() override {
    history.write("file", "1");
    first = {history.commit("First")};
    history.write("file", "2");
    second = {history.commit("Second")};
    history.write("file", "edited");
    repository.emplace(std::move(*Repository::open(history.root())));
  }
  void TearDown() override {
    EXPECT_FALSE(fs::exists(place));
    EXPECT_EQ(records(), others);
    EXPECT_EQ(*read_file(history.root() / "file"), "edited");
    EXPECT_EQ(history.git({"rev-parse", "--abbrev-ref", "HEAD"}), "main");
    EXPECT_EQ(history.git({"status", "--porcelain", "--untracked-files=no"}), "M file");
  }
  std::size_t records() const { return entry_count(history.root() / ".git/worktrees"); }
  Result<Checkout> check_out(const CommitId& commit) {
    return Checkout::make(*repository, commit, place);
  }

  fakes::TemporaryFolder folder;
  fakes::GitHistory history{folder / "the project"};
  fs::path place = history.root() / ".dragnet/checkout";
  CommitId first;
  CommitId second;
  std::optional<Repository> repository;
  std::size_t others = 0; ///< work trees that are not ours
};

TEST_F(Checkouts, have_the_files_of_their_commit) {
  const auto checkout = check_out(first);
  ASSERT_TRUE(checkout) << checkout.error().what;
  EXPECT_EQ(checkout->path(), place);
  EXPECT_EQ(*read_file(place / "file"), "1");
  EXPECT_EQ(records(), 1U);
}

TEST_F(Checkouts, are_gone_with_their_owner) {
  ASSERT_TRUE(check_out(first));
  EXPECT_FALSE(fs::exists(place));
  EXPECT_FALSE(fs::exists(history.root() / ".git/worktrees"));
}

TEST_F(Checkouts, know_their_commit) {
  const auto checkout = check_out(first);
  const auto inside = Repository::open(place);
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->commit("HEAD")->id, first);
}

TEST_F(Checkouts, follow_each_other_in_the_same_place) {
  for (const auto& commit : {first, second, first}) {
    const auto checkout = check_out(commit);
    ASSERT_TRUE(checkout) << checkout.error().what;
    EXPECT_EQ(*read_file(place / "file"), commit == first ? "1" : "2");
  }
}

TEST_F(Checkouts, stay_when_they_get_a_new_owner) {
  auto made = check_out(first);
  std::optional<Checkout> old_owner(std::move(*made));
  const Checkout owner(std::move(*old_owner));
  old_owner.reset();
  EXPECT_TRUE(fs::exists(owner.path() / "file"));
}

TEST_F(Checkouts, keep_other_peoples_work_trees) {
  history.git({"worktree", "add", "--quiet", "--detach", (folder / "theirs").string()});
  history.git({"worktree", "add", "--quiet", "--detach", (folder / "away").string()});
  fs::rename(folder / "away", folder / "unplugged");
  others = 2;
  ASSERT_TRUE(check_out(first));
  EXPECT_TRUE(fs::exists(folder / "theirs/file"));
}

TEST_F(Checkouts, replace_what_a_killed_owner_left) {
  fakes::ChildProcess owner([&] {
    const auto checkout = check_out(first);
    (void)write_file(place / "left over", "x").has_value();
    (void)write_file(folder / "ready", "").has_value();
    ::pause();
    return 0;
  });
  ASSERT_TRUE(fakes::becomes_true([&] { return fs::exists(folder / "ready"); }));
  owner.kill();
  ASSERT_TRUE(fs::exists(place / "left over"));
  const auto checkout = check_out(second);
  ASSERT_TRUE(checkout) << checkout.error().what;
  EXPECT_FALSE(fs::exists(place / "left over"));
  EXPECT_EQ(*read_file(place / "file"), "2");
  EXPECT_EQ(records(), 1U);
}

TEST_F(Checkouts, replace_a_half_made_one_that_git_had_locked) {
  history.git({"worktree", "add", "--quiet", "--lock", "--detach", place.string()});
  fs::remove(place / ".git");
  const auto checkout = check_out(first);
  ASSERT_TRUE(checkout) << checkout.error().what;
  EXPECT_EQ(records(), 1U);
}

TEST_F(Checkouts, do_not_run_the_users_hooks) {
  history.write(".git/hooks/post-checkout",
                "#!/bin/sh\ntouch '" + (folder / "ran").string() + "'\n");
  fs::permissions(history.root() / ".git/hooks/post-checkout", fs::perms::owner_all);
  ASSERT_TRUE(check_out(first));
  EXPECT_FALSE(fs::exists(folder / "ran"));
}

TEST_F(Checkouts, of_unknown_commits_are_errors_and_leave_nothing) {
  const auto checkout = check_out(CommitId{"0123456789012345678901234567890123456789"});
  ASSERT_FALSE(checkout);
  EXPECT_TRUE(checkout.error().what.starts_with("cannot check out 0123456789: "))
      << checkout.error().what;
}

TEST_F(Checkouts, are_forgotten_by_git_when_reached_through_a_link) {
  fs::create_directory_symlink(history.root(), folder / "link");
  const auto through_link = folder / "link/.dragnet/checkout";
  ASSERT_TRUE(Checkout::make(*repository, first, through_link));
  EXPECT_FALSE(fs::exists(through_link));
  EXPECT_EQ(records(), 0U) << "git still records " << history.git({"worktree", "list"});
}

TEST_F(Checkouts, do_not_listen_to_a_hook_s_variables) {
  const fakes::Variable index("GIT_INDEX_FILE", (history.root() / ".git/index").c_str());
  const fakes::Variable git("GIT_DIR", (history.root() / ".git").c_str());
  const auto checkout = check_out(first);
  ASSERT_TRUE(checkout) << checkout.error().what;
  EXPECT_EQ(*read_file(place / "file"), "1");
}

TEST_F(Checkouts, can_be_made_from_a_linked_work_tree) {
  history.git({"worktree", "add", "--quiet", "--detach", (folder / "linked").string()});
  others = 1;
  const auto linked = Repository::open(folder / "linked");
  ASSERT_TRUE(linked);
  {
    const auto checkout = Checkout::make(*linked, first, place);
    ASSERT_TRUE(checkout) << checkout.error().what;
    EXPECT_EQ(*read_file(place / "file"), "1");
  }
  EXPECT_TRUE(fs::exists(folder / "linked/file"));
}

TEST_F(Checkouts, that_are_absent_can_be_removed) {
  EXPECT_TRUE(Checkout::remove(*repository, place));
}

} // namespace
} // namespace dragnet::history
