#include "store/archive.h"

#include "fakes/temporary_folder.h"
#include "model/profile.h"
#include "model/record.h"
#include "store/profile_text.h"
#include "store/sqlite_store.h"
#include "store/stacks_text.h"
#include "store/watched_samples.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace dragnet::store {
namespace {

Profile some_profile() {
  Profile profile;
  profile.counting = Counting::Callgrind;
  profile.instructions = 12345678901234;
  const FunctionId main{"bin/tool", "main"};
  const FunctionId odd{"lib/with blank.so", "operator new(unsigned long) [clone .cold]"};
  profile.functions = {{main, 1, 100, {{0, 1}, {7, 12}}}, {odd, 77, 12345}};
  profile.edges = {{main, odd, CallKind::Indirect, 77}};
  profile.libraries = {{"/lib/libc.so.6", "abc123", 99}, {"/lib/no id.so", "", 1}};
  return profile;
}

void expect_same(const Profile& a, const Profile& b) {
  EXPECT_EQ(profile_text(a), profile_text(b));
  EXPECT_EQ(a.functions.size(), b.functions.size());
  EXPECT_EQ(a.functions.back().function, b.functions.back().function);
  EXPECT_EQ(a.functions.front().stretches, b.functions.front().stretches);
  EXPECT_EQ(a.edges.front().callee, b.edges.front().callee);
  EXPECT_EQ(a.edges.front().kind, b.edges.front().kind);
  EXPECT_EQ(a.libraries.back().path, b.libraries.back().path);
  EXPECT_EQ(a.libraries.back().identity, b.libraries.back().identity);
  EXPECT_EQ(a.instructions, b.instructions);
  EXPECT_EQ(a.counting, b.counting);
}

TEST(ProfileText, reads_back_equal) {
  const auto read = parse_profile(profile_text(some_profile()));
  ASSERT_TRUE(read);
  expect_same(*read, some_profile());
}

TEST(ProfileText, names_the_line_that_is_wrong) {
  for (const std::string wrong : {"function 0 1 1 f", "edge 0 0 direct 1", "binary", "colour red",
                                  "instructions x", "counting guessed", "library"}) {
    const auto read = parse_profile("dragnet profile 1\ninstructions 5\n" + wrong + "\n");
    if (wrong == "binary")
      EXPECT_TRUE(read);
    else {
      ASSERT_FALSE(read) << wrong;
      EXPECT_NE(read.error().what.find("line 3"), std::string::npos);
    }
  }
  EXPECT_FALSE(parse_profile("something else\n"));
}

class Archives : public testing::Test {
protected:
  void SetUp() override {
    auto store = open_sqlite(folder_ / "store.sqlite");
    ASSERT_TRUE(store);
    Build build;
    build.key = "build";
    build.commit.id.text = "c1";
    build.commit.tree = "tree";
    ASSERT_TRUE((*store)->keep(build.commit));
    ASSERT_TRUE((*store)->keep(build));
    ASSERT_TRUE((*store)->keep(Definition{"benchmark", "name", "command"}));
    ASSERT_TRUE((*store)->keep(Definition{"other", "other", "command"}));
    auto opened = open_sqlite_archive(folder_ / "store.sqlite");
    ASSERT_TRUE(opened);
    archive = std::move(*opened);
  }
  fakes::TemporaryFolder folder_;
  std::unique_ptr<Archive> archive;
};

TEST_F(Archives, keep_a_profile_under_its_key) {
  ASSERT_TRUE(archive->keep(ProfileKey{"build", "benchmark"}, some_profile()));
  const auto kept = archive->profile({"build", "benchmark"});
  ASSERT_TRUE(kept && *kept);
  expect_same(**kept, some_profile());
  const auto absent = archive->profile({"build", "other"});
  ASSERT_TRUE(absent);
  EXPECT_FALSE(*absent);
}

TEST_F(Archives, keep_watched_runs_in_their_order) {
  const ProfileKey key{"build", "benchmark"};
  WatchedRun run = some_watched_run();
  ASSERT_TRUE(archive->keep(key, run));
  ASSERT_TRUE(archive->keep(key, run));
  run.run.outcome = RunOutcome::Crashed;
  run.run.status = 11;
  run.run.log = "no\n";
  run.profile.uses.pop_back();
  ASSERT_TRUE(archive->keep(key, run));
  const auto kept = archive->watched(key);
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->size(), 3U);
  EXPECT_EQ(stacks_text((*kept)[1]), stacks_text(some_watched_run()));
  EXPECT_EQ((*kept)[1].run.outcome, RunOutcome::Finished);
  EXPECT_EQ((*kept)[2].run.outcome, RunOutcome::Crashed);
  EXPECT_EQ((*kept)[2].run.status, 11);
  EXPECT_EQ((*kept)[2].run.log, "no\n");
  EXPECT_EQ(stacks_text((*kept)[2]), stacks_text(run));
  EXPECT_EQ(*archive->watched_count(key), 3U);
  EXPECT_EQ(*archive->watched_count({"build", "other"}), 0U);
}

TEST_F(Archives, forget_watched_runs_of_one_key_alone) {
  const ProfileKey key{"build", "benchmark"};
  const ProfileKey other{"build", "other"};
  ASSERT_TRUE(archive->keep(key, some_watched_run()));
  ASSERT_TRUE(archive->keep(other, some_watched_run()));
  ASSERT_TRUE(archive->forget_watched(key));
  EXPECT_EQ(*archive->watched_count(key), 0U);
  const auto kept = archive->watched(other);
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->size(), 1U);
  EXPECT_EQ(stacks_text(kept->front()), stacks_text(some_watched_run()));
}

TEST_F(Archives, know_which_trees_are_profiled) {
  ASSERT_TRUE(archive->keep(ProfileKey{"build", "benchmark"}, some_profile()));
  const auto trees = archive->profiled_trees("benchmark");
  ASSERT_TRUE(trees);
  EXPECT_EQ(*trees, std::vector<std::string>{"tree"});
}

TEST_F(Archives, replace_a_predictor_by_a_later_one) {
  ASSERT_TRUE(archive->keep_predictor("evidence", "{1}"));
  ASSERT_TRUE(archive->keep_predictor("evidence", "{2}"));
  const auto kept = archive->predictor("evidence");
  ASSERT_TRUE(kept && *kept);
  EXPECT_EQ(**kept, "{2}");
  EXPECT_FALSE(*archive->predictor("other"));
}

TEST_F(Archives, keep_the_last_answer_to_a_question) {
  Prediction prediction{"old", "new", "benchmark", "name", "evidence", 0.25, false, true, 7};
  ASSERT_TRUE(archive->keep(prediction));
  prediction.run = true;
  prediction.probability = 0.75;
  ASSERT_TRUE(archive->keep(prediction));
  const auto kept = archive->predictions();
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->size(), 1U);
  EXPECT_TRUE(kept->front().run);
  EXPECT_EQ(kept->front().probability, 0.75);
}

TEST_F(Archives, keep_the_last_outcome_of_a_question) {
  Outcome outcome{"old", "new", "benchmark", "inconclusive", 7};
  ASSERT_TRUE(archive->keep(outcome));
  outcome.verdict = "regressed";
  ASSERT_TRUE(archive->keep(outcome));
  const auto kept = archive->outcomes();
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->size(), 1U);
  EXPECT_EQ(kept->front().verdict, "regressed");
  EXPECT_EQ(kept->front().benchmark, "benchmark");
}

TEST_F(Archives, find_the_last_check_of_a_commit) {
  ASSERT_TRUE(archive->keep(KeptCheck{"a", "b", "c1", 5, "{first}"}));
  ASSERT_TRUE(archive->keep(KeptCheck{"b", "c", "c2", 9, "{other}"}));
  ASSERT_TRUE(archive->keep(KeptCheck{"x", "b", "c1", 8, "{against another}"}));
  EXPECT_EQ(**archive->last_check("c1"), "{against another}");
  EXPECT_EQ(**archive->last_check(""), "{other}");
  EXPECT_FALSE(*archive->last_check("c3"));
  ASSERT_TRUE(archive->keep(KeptCheck{"a", "b", "c1", 10, "{again}"}));
  EXPECT_EQ(**archive->last_check("c1"), "{again}");
}

} // namespace
} // namespace dragnet::store
