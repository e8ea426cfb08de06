#include "history/repository.h"

#include "base/files.h"
#include "base/process.h"
#include "base/text.h"
#include "fakes/child_process.h"
#include "fakes/git_history.h"
#include "fakes/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace dragnet::history {
namespace fs = std::filesystem;
namespace {

class Repositories : public testing::Test {
protected:
  void SetUp() override {
    history.write("file", "1");
    first = history.commit("First: it's \"quoted\" – naïve");
    history.git({"tag", "v1"});
    history.write("file", "2");
    second = history.commit("Second");
    history.git({"tag", "--annotate", "v2", "--message", "the second"});
    history.git({"branch", "feature"});
  }
  static Repository opened(const fs::path& folder) {
    auto repository = Repository::open(folder);
    if (!repository)
      throw std::runtime_error(repository.error().what);
    return std::move(*repository);
  }
  static std::string id(const Repository& repository, const std::string& name) {
    const auto commit = repository.commit(name);
    return commit ? commit->id.text : "Error: " + commit.error().what;
  }

  fakes::TemporaryFolder folder;
  fakes::GitHistory history{folder / "with blanks, ünïcode and 100%"};
  std::string first;
  std::string second;
};

TEST_F(Repositories, are_found_from_a_folder_inside) {
  fs::create_directories(history.root() / "a/b");
  EXPECT_EQ(opened(history.root() / "a/b").root(), history.root());
  EXPECT_EQ(*opened(history.root()).common_folder(), history.root() / ".git");
}

TEST_F(Repositories, share_their_common_folder_with_linked_work_trees) {
  history.git({"worktree", "add", "--quiet", "--detach", (folder / "linked").string()});
  EXPECT_EQ(opened(folder / "linked").root(), folder / "linked");
  EXPECT_EQ(*opened(folder / "linked").common_folder(), history.root() / ".git");
}

TEST_F(Repositories, find_commits_by_every_kind_of_name) {
  const auto repository = opened(history.root());
  EXPECT_EQ(id(repository, "HEAD"), second);
  EXPECT_EQ(id(repository, "main"), second);
  EXPECT_EQ(id(repository, "feature"), second);
  EXPECT_EQ(id(repository, "v1"), first);
  EXPECT_EQ(id(repository, "v2"), second) << "an annotated tag means its commit";
  EXPECT_EQ(id(repository, "HEAD~1"), first);
  EXPECT_EQ(id(repository, "HEAD^"), first);
  EXPECT_EQ(id(repository, first), first);
  EXPECT_EQ(id(repository, first.substr(0, 7)), first);
  EXPECT_EQ(id(repository, "refs/heads/main"), second);
}

TEST_F(Repositories, describe_a_commit) {
  const auto commit = opened(history.root()).commit("HEAD");
  ASSERT_TRUE(commit);
  EXPECT_EQ(commit->tree, history.git({"rev-parse", "HEAD^{tree}"}));
  ASSERT_EQ(commit->parents.size(), 1U);
  EXPECT_EQ(commit->parents[0].text, first);
  EXPECT_EQ(commit->time, 1'700'000'000);
  EXPECT_EQ(commit->author, "Ada");
  EXPECT_EQ(commit->subject, "Second");
  const auto root = opened(history.root()).commit("v1");
  EXPECT_TRUE(root->parents.empty());
  EXPECT_EQ(root->subject, "First: it's \"quoted\" – naïve");
}

TEST_F(Repositories, describe_a_commit_without_a_subject) {
  history.git({"commit", "--quiet", "--allow-empty", "--allow-empty-message", "--message", ""});
  const auto commit = opened(history.root()).commit("HEAD");
  ASSERT_TRUE(commit) << commit.error().what;
  EXPECT_EQ(commit->subject, "");
}

TEST_F(Repositories, describe_both_parents_of_a_merge) {
  history.git({"checkout", "--quiet", "-b", "side", "v1"});
  const std::string side = history.commit("Side");
  history.git({"checkout", "--quiet", "main"});
  history.git({"merge", "--quiet", "--no-ff", "--message", "Merge", "side"});
  const auto commit = opened(history.root()).commit("HEAD");
  ASSERT_EQ(commit->parents.size(), 2U);
  EXPECT_EQ(commit->parents[0].text, second);
  EXPECT_EQ(commit->parents[1].text, side);
}

TEST_F(Repositories, guess_what_an_unknown_name_meant) {
  const auto commit = opened(history.root()).commit("featrue");
  ASSERT_FALSE(commit);
  EXPECT_EQ(commit.error().what, "there is no commit 'featrue'");
  EXPECT_EQ(commit.error().hint, "did you mean 'feature'?");
}

TEST_F(Repositories, say_how_to_see_the_commits_when_nothing_is_near) {
  const auto commit = opened(history.root()).commit("something-else");
  ASSERT_FALSE(commit);
  EXPECT_TRUE(commit.error().what.contains("'something-else'"));
  EXPECT_TRUE(commit.error().hint.contains("git log"));
}

TEST_F(Repositories, never_take_a_name_for_an_option) {
  const auto repository = opened(history.root());
  const auto output = folder / "output";
  const std::vector<std::string> names{
      "--all", "-1", "--help", "-n5", "--output=" + output.string(), "--"};
  for (const auto& name : names) {
    const auto commit = repository.commit(name);
    ASSERT_FALSE(commit) << name;
    EXPECT_TRUE(commit.error().what.contains("'" + name + "'")) << commit.error().what;
  }
  EXPECT_FALSE(fs::exists(output));
}

TEST_F(Repositories, never_take_a_file_a_tree_or_nothing_for_a_commit) {
  const auto repository = opened(history.root());
  for (const std::string name :
       {"file", "HEAD^{tree}", "HEAD:file", "", " ", "0000000000000000000000000000000000000000"}) {
    const auto commit = repository.commit(name);
    ASSERT_FALSE(commit) << name;
    EXPECT_TRUE(commit.error().what.contains("there is no commit")) << commit.error().what;
  }
}

TEST_F(Repositories, never_take_a_range_for_a_commit) {
  const auto repository = opened(history.root());
  for (const std::string name : {"v1..v2", "v2..v1", "v1...v2", "^v1", "..", "HEAD^!"}) {
    const auto commit = repository.commit(name);
    ASSERT_FALSE(commit) << name << " was taken as " << commit->id.text;
    EXPECT_TRUE(commit.error().what.contains("'" + name + "'")) << commit.error().what;
  }
}

// Of so many commits two ids begin with the same four digits, almost surely; returns that
// beginning.
std::string beginning_of_two(const fakes::GitHistory& history) {
  const auto made = run_command(
      {"sh", "-c",
       "for i in $(seq 1000); do printf 'commit refs/heads/many\\ncommitter A <a@b> %s "
       "+0000\\ndata 0\\n' $i; done |"
       "git fast-import --quiet && git rev-list many | cut -c 1-4 | sort | uniq -d | head -n 1"},
      {history.root(), {}});
  return made ? std::string(trim(made->output)) : std::string{};
}

TEST_F(Repositories, say_when_a_short_id_means_more_than_one_commit) {
  const std::string twice = beginning_of_two(history);
  ASSERT_EQ(twice.size(), 4U);
  const auto commit = opened(history.root()).commit(twice);
  ASSERT_FALSE(commit);
  EXPECT_EQ(commit.error().what, "'" + twice + "' means more than one commit");
}

TEST_F(Repositories, that_are_shallow_say_so) {
  history.git({"clone", "--quiet", "--depth", "1", "file://" + history.root().string(),
               (folder / "shallow").string()});
  const auto repository = opened(folder / "shallow");
  EXPECT_TRUE(*repository.is_shallow());
  const auto commit = repository.commit("HEAD~1");
  ASSERT_FALSE(commit);
  EXPECT_TRUE(commit.error().what.contains("shallow")) << commit.error().what;
  EXPECT_EQ(commit.error().hint, "git fetch --unshallow");
  EXPECT_FALSE(*opened(history.root()).is_shallow());
}

TEST_F(Repositories, without_commits_can_be_opened_but_have_none) {
  const fakes::GitHistory empty(folder / "empty");
  const auto commit = opened(empty.root()).commit("HEAD");
  ASSERT_FALSE(commit);
  EXPECT_EQ(commit.error().what, "there is no commit 'HEAD'");
}

TEST_F(Repositories, notice_changes_of_tracked_files_only) {
  const auto repository = opened(history.root());
  EXPECT_FALSE(*repository.has_changes());
  history.write("untracked", "x");
  EXPECT_FALSE(*repository.has_changes());
  history.write("file", "3");
  EXPECT_TRUE(*repository.has_changes());
  history.git({"add", "file"});
  EXPECT_TRUE(*repository.has_changes()) << "staged counts";
  history.git({"checkout", "--quiet", "--force", "HEAD"});
  EXPECT_FALSE(*repository.has_changes());
}

TEST_F(Repositories, answer_in_git_s_own_words_when_it_fails) {
  const auto answer = opened(history.root()).git({"no-such-verb"});
  ASSERT_FALSE(answer);
  EXPECT_TRUE(answer.error().what.contains("no-such-verb")) << answer.error().what;
}

TEST_F(Repositories, do_not_listen_to_a_hook_s_variables) {
  const fakes::GitHistory other(folder / "other");
  other.write("file", "other");
  const std::string other_id = other.commit("Other");
  const fakes::Variable elsewhere("GIT_DIR", (other.root() / ".git").c_str());
  const auto repository = opened(history.root());
  EXPECT_EQ(*repository.common_folder(), history.root() / ".git");
  EXPECT_EQ(id(repository, "HEAD"), second);
}

TEST_F(Repositories, may_be_reached_through_a_link) {
  fs::create_directory_symlink(history.root(), folder / "link");
  EXPECT_EQ(opened(folder / "link").root(), history.root());
}

TEST_F(Repositories, know_where_two_commits_part) {
  const auto repository = opened(history.root());
  history.git({"checkout", "--quiet", "-b", "side", "v1"});
  history.write("other", "a\nb\n");
  const std::string aside = history.commit("Aside");
  const auto base = repository.merge_base(*repository.commit("v2"), *repository.commit("side"));
  ASSERT_TRUE(base && *base);
  EXPECT_EQ((*base)->id.text, first);
  history.git({"checkout", "--quiet", "--orphan", "stranger"});
  history.commit("Stranger");
  const auto none = repository.merge_base(*repository.commit("v2"), *repository.commit("stranger"));
  ASSERT_TRUE(none) << none.error().what;
  EXPECT_FALSE(*none);
}

TEST_F(Repositories, count_the_lines_that_commits_change) {
  const auto repository = opened(history.root());
  history.git({"checkout", "--quiet", "-b", "side", "v1"});
  history.write("other", "a\nb\n");
  history.commit("Aside");
  history.write("binary", std::string("a\0b", 3));
  history.commit("Aside again");
  history.git({"checkout", "--quiet", "main"});
  history.git({"merge", "--quiet", "--no-ff", "--message", "Merge", "side"});
  const std::string merge = history.git({"rev-parse", "HEAD"});
  const auto changed = repository.changed_lines("v1..main");
  ASSERT_TRUE(changed) << changed.error().what;
  ASSERT_EQ(changed->size(), 2U) << "along first parents";
  EXPECT_EQ(changed->at(CommitId{second}), 2U);
  EXPECT_EQ(changed->at(CommitId{merge}), 3U) << "two lines and a binary file";
  EXPECT_EQ(repository.range("v1..main")->size(), 2U);
  EXPECT_EQ(repository.range("v1..main", Repository::Line::All)->size(), 4U);
}

TEST(NoRepository, is_named_with_a_hint) {
  const fakes::TemporaryFolder folder;
  const auto repository = Repository::open(folder.path());
  ASSERT_FALSE(repository);
  EXPECT_EQ(repository.error().what, folder.path().string() + " is not in a git repository");
  EXPECT_TRUE(repository.error().hint.contains("git init"));
}

TEST(NoRepository, that_is_a_missing_folder_is_named) {
  const auto repository = Repository::open("/nowhere/at/all");
  ASSERT_FALSE(repository);
  EXPECT_TRUE(repository.error().what.contains("/nowhere/at/all")) << repository.error().what;
}

TEST(NoRepository, is_a_bare_one_and_says_why) {
  const fakes::TemporaryFolder folder;
  const fakes::GitHistory history(folder / "plain");
  history.git({"init", "--quiet", "--bare", (folder / "bare").string()});
  const auto repository = Repository::open(folder / "bare");
  ASSERT_FALSE(repository);
  EXPECT_TRUE(repository.error().what.contains("work tree")) << repository.error().what;
  EXPECT_TRUE(repository.error().hint.contains("bare"))
      << "hint: '" << repository.error().hint << "'";
}

} // namespace
} // namespace dragnet::history
