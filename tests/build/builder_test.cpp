#include "build/builder.h"

#include "base/files.h"
#include "base/text.h"
#include "fakes/child_process.h"
#include "fakes/fake_executor.h"
#include "fakes/git_history.h"
#include "fakes/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

namespace dragnet::build {
namespace fs = std::filesystem;
namespace {

using fakes::Variable;

class BuildKeys : public testing::Test {
protected:
  std::string key() const { return build_key(commit, recipe); }

  Variable cc{"CC", "cc"};
  Variable flags{"CFLAGS", "-O2"};
  Variable token{"DRAGNET_TEST_TOKEN", "1"};
  Commit commit{CommitId{"c1"}, "t1", {}, 1, "Ada", "First"};
  Recipe recipe{"make", {}, Seconds(10)};
};

TEST_F(BuildKeys, are_the_same_for_the_same) {
  EXPECT_EQ(key(), key());
}

TEST_F(BuildKeys, change_with_the_tree_and_not_with_the_commit) {
  const std::string before = key();
  commit.id.text = "c2";
  commit.subject = "Second";
  EXPECT_EQ(key(), before);
  commit.tree = "t2";
  EXPECT_NE(key(), before);
}

TEST_F(BuildKeys, change_with_the_command) {
  const std::string before = key();
  recipe.command = "make all";
  EXPECT_NE(key(), before);
}

TEST_F(BuildKeys, change_with_the_compiler_and_its_flags) {
  const std::string before = key();
  {
    const Variable other("CC", "sh");
    EXPECT_NE(key(), before);
  }
  {
    const Variable other("CFLAGS", "-O3");
    EXPECT_NE(key(), before);
  }
  EXPECT_EQ(key(), before);
}

TEST_F(BuildKeys, change_when_the_compiler_itself_does) {
  const fakes::TemporaryFolder folder;
  const auto compiler = folder / "my-cc";
  ASSERT_TRUE(write_file(compiler, "#!/bin/sh\n"));
  fs::permissions(compiler, fs::perms::owner_all);
  const Variable other("CC", compiler.c_str());
  const std::string before = key();
  ASSERT_TRUE(write_file(compiler, "#!/bin/sh\n# a newer version\n"));
  fs::permissions(compiler, fs::perms::owner_all);
  EXPECT_NE(key(), before);
}

TEST_F(BuildKeys, do_not_change_with_unrelated_variables) {
  const std::string before = key();
  const Variable other("DRAGNET_TEST_TOKEN", "2");
  EXPECT_EQ(key(), before);
}

TEST_F(BuildKeys, change_with_a_variable_that_the_recipe_names) {
  recipe.environment = {"DRAGNET_TEST_TOKEN"};
  const std::string before = key();
  const Variable other("DRAGNET_TEST_TOKEN", "2");
  EXPECT_NE(key(), before);
}

TEST_F(BuildKeys, tell_two_variables_from_one_with_a_newline) {
  const Variable first("DRAGNET_TEST_A", "1");
  recipe.environment = {"DRAGNET_TEST_A", "DRAGNET_TEST_B"};
  std::string two;
  {
    const Variable second("DRAGNET_TEST_B", "2");
    two = key();
  }
  const Variable one("DRAGNET_TEST_A", "1\nDRAGNET_TEST_B=2");
  EXPECT_NE(key(), two);
}

// The invariant: after every build nothing of the checkout is left.
class Builds : public testing::Test {
protected:
  void SetUp() override {
    history.write("source.txt", "old");
    first = history.commit("First");
    history.write("source.txt", "new");
    history.write("Makefile", "all:\n\tcp source.txt $(DRAGNET_BUILD)/program\n");
    second = history.commit("Second");
    history.write("source.txt", "not committed");
    history.write("untracked.txt", "not committed");
    repository.emplace(std::move(*history::Repository::open(history.root())));
    executor.emplace(std::move(*run::LocalExecutor::start()));
  }
  void TearDown() override {
    EXPECT_FALSE(fs::exists(places.checkout));
    EXPECT_FALSE(fs::exists(history.root() / ".git/worktrees"));
    EXPECT_EQ(*read_file(history.root() / "source.txt"), "not committed");
  }
  Build built(const std::string& commit, const Recipe& recipe) {
    auto build = make_build(*repository, *executor, places, recipe, *repository->commit(commit));
    EXPECT_TRUE(build) << build.error().what;
    return build ? std::move(*build) : Build{};
  }
  std::string log_file(const Build& build) const {
    const auto log = read_file(places.logs / (build.key + ".log"));
    return log ? *log : "Error: " + log.error().what;
  }

  fakes::TemporaryFolder folder;
  fakes::GitHistory history{folder / "the project"};
  Places places{folder / "state/checkout", folder / "state/builds", folder / "state/logs"};
  std::string first;
  std::string second;
  std::optional<history::Repository> repository;
  std::optional<run::LocalExecutor> executor;
};

TEST_F(Builds, put_the_commits_program_into_their_folder) {
  const Recipe recipe{"echo building; cp source.txt $DRAGNET_BUILD/program", {}, Seconds(20)};
  const Build old_build = built(first, recipe);
  const Build new_build = built(second, recipe);
  EXPECT_EQ(old_build.outcome, BuildOutcome::Built);
  EXPECT_EQ(*read_file(fs::path(old_build.folder) / "program"), "old");
  EXPECT_EQ(*read_file(fs::path(new_build.folder) / "program"), "new");
  EXPECT_NE(old_build.key, new_build.key);
  EXPECT_EQ(old_build.commit.id.text, first);
  EXPECT_GT(old_build.seconds, 0);
  EXPECT_EQ(log_file(old_build), "building\n");
}

TEST_F(Builds, work_with_make) {
  EXPECT_EQ(built(second, {"make", {}, Seconds(20)}).outcome, BuildOutcome::Built);
}

TEST_F(Builds, see_only_what_was_committed) {
  const Build build = built(second, {"ls; cat source.txt", {}, Seconds(20)});
  EXPECT_EQ(log_file(build), "Makefile\nsource.txt\nnew");
}

TEST_F(Builds, know_their_commit) {
  const Build build = built(first, {"echo $DRAGNET_COMMIT; git rev-parse HEAD", {}, Seconds(20)});
  EXPECT_EQ(log_file(build), first + "\n" + first + "\n");
}

TEST_F(Builds, see_a_fixed_environment) {
  const Variable secret("DRAGNET_TEST_SECRET", "1");
  const Variable named("DRAGNET_TEST_NAMED", "2");
  const Build build = built(first, {"echo [$DRAGNET_TEST_SECRET] [$DRAGNET_TEST_NAMED] $TZ $LANG",
                                    {"DRAGNET_TEST_NAMED"},
                                    Seconds(20)});
  EXPECT_EQ(log_file(build), "[] [2] UTC C.UTF-8\n");
}

TEST_F(Builds, that_fail_are_an_outcome_with_a_log) {
  const Build build = built(first, {"echo it is broken >&2; exit 2", {}, Seconds(20)});
  EXPECT_EQ(build.outcome, BuildOutcome::Failed);
  EXPECT_EQ(build.log, "it is broken\n");
  EXPECT_EQ(log_file(build), "it is broken\n");
}

TEST_F(Builds, that_crash_are_failed) {
  EXPECT_EQ(built(first, {"kill -SEGV $$", {}, Seconds(20)}).outcome, BuildOutcome::Failed);
}

TEST_F(Builds, that_take_too_long_are_an_outcome) {
  const Build build = built(first, {"echo begun; sleep 1000", {}, Seconds(0.3)});
  EXPECT_EQ(build.outcome, BuildOutcome::TimedOut);
  EXPECT_LT(build.seconds, 5);
  EXPECT_EQ(log_file(build), "begun\n");
}

TEST_F(Builds, keep_the_end_of_a_long_log_and_all_of_it_in_the_file) {
  const Build build = built(first, {"seq 1 20000; echo the end", {}, Seconds(20)});
  EXPECT_LE(build.log.size(), 8192U);
  EXPECT_TRUE(build.log.ends_with("20000\nthe end\n"));
  EXPECT_TRUE(log_file(build).starts_with("1\n2\n3\n"));
  EXPECT_FALSE(log_file(build).contains("left out"));
}

TEST_F(Builds, begin_with_an_empty_folder) {
  const Recipe recipe{"ls $DRAGNET_BUILD; touch $DRAGNET_BUILD/made", {}, Seconds(20)};
  built(first, recipe);
  EXPECT_EQ(log_file(built(first, recipe)), "");
}

TEST_F(Builds, that_make_folders_read_only_are_tidied_up) {
  EXPECT_EQ(built(first,
                  {"mkdir -p a/b && touch a/b/c && chmod -R a-w . $DRAGNET_BUILD", {}, Seconds(20)})
                .outcome,
            BuildOutcome::Built);
}

TEST_F(Builds, of_an_unknown_commit_are_errors) {
  Commit commit = *repository->commit(first);
  commit.id.text = "0123456789012345678901234567890123456789";
  EXPECT_FALSE(make_build(*repository, *executor, places, {"true", {}, Seconds(20)}, commit));
}

TEST_F(Builds, pass_on_that_nothing_can_be_started) {
  fakes::FakeExecutor broken;
  broken.answer = [](const run::Job&) -> Result<run::Finished> { return Error{"interrupted", {}}; };
  const auto build =
      make_build(*repository, broken, places, {"true", {}, Seconds(7)}, *repository->commit(first));
  ASSERT_FALSE(build);
  EXPECT_EQ(build.error().what, "interrupted");
  ASSERT_EQ(broken.jobs.size(), 1U);
  EXPECT_EQ(broken.jobs[0].limit, Seconds(7));
  EXPECT_EQ(broken.jobs[0].folder, places.checkout);
}

} // namespace
} // namespace dragnet::build
