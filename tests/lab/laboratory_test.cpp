#include "lab/laboratory.h"

#include "fakes/child_process.h"
#include "lab/tiny_project.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace dragnet::lab {
namespace fs = std::filesystem;
namespace {

using Laboratories = TinyProject;
using Texts = std::vector<std::string>;

TEST_F(Laboratories, build_a_commit_once) {
  const Build made = built(first);
  EXPECT_EQ(made.outcome, BuildOutcome::Built);
  EXPECT_TRUE(fs::exists(fs::path(made.folder) / "program.sh"));
  EXPECT_EQ(built(first).folder, made.folder);
  open();
  EXPECT_EQ(built(first).folder, made.folder);
  EXPECT_EQ(built(first).commit.id.text, first);
  EXPECT_EQ(witness("builds").size(), 1U);
}

TEST_F(Laboratories, build_commits_with_the_same_tree_once) {
  const std::string same = history.commit("Nothing changed");
  EXPECT_EQ(built(second).key, built(same).key);
  EXPECT_EQ(built(same).commit.id.text, same);
  EXPECT_EQ(witness("builds").size(), 1U);
}

TEST_F(Laboratories, build_again_what_was_removed_from_the_disk) {
  fs::remove_all(built(first).folder);
  EXPECT_TRUE(fs::exists(fs::path(built(first).folder) / "program.sh"));
  EXPECT_EQ(witness("builds").size(), 2U);
}

TEST_F(Laboratories, remember_a_failed_build_until_told_to_try_again) {
  project.build.command = "echo tried >> " + quoted_witness("builds") + "; echo no >&2; test -e " +
                          quoted_witness("mended");
  open();
  EXPECT_EQ(built(first).outcome, BuildOutcome::Failed);
  EXPECT_EQ(built(first).log, "no\n");
  open();
  EXPECT_EQ(built(first).outcome, BuildOutcome::Failed);
  EXPECT_EQ(witness("builds").size(), 1U) << "remembered";
  ASSERT_TRUE(write_file(witnesses / "mended", ""));
  open(Memory::MeasureAgain);
  EXPECT_EQ(built(first).outcome, BuildOutcome::Built);
  EXPECT_EQ(witness("builds").size(), 2U) << "tried again";
}

TEST_F(Laboratories, do_not_build_again_what_was_built_when_told_to_measure_again) {
  built(first);
  open(Memory::MeasureAgain);
  built(first);
  EXPECT_EQ(witness("builds").size(), 1U);
}

TEST_F(Laboratories, share_a_build_that_two_processes_want_at_once) {
  project.build.command = "sleep 0.3; " + project.build.command;
  lab.reset();
  const auto work = [&] {
    SilentProgress silent;
    auto own = Laboratory::open(project, Memory::Use, silent);
    const auto build = (*own)->build(*(*own)->repository().commit(first));
    return build && build->outcome == BuildOutcome::Built ? 0 : 1;
  };
  fakes::ChildProcess one(work);
  fakes::ChildProcess other(work);
  EXPECT_EQ(one.wait(), 0);
  EXPECT_EQ(other.wait(), 0);
  EXPECT_EQ(witness("builds").size(), 1U);
}

TEST_F(Laboratories, tidy_up_what_a_killed_one_left) {
  fakes::ChildProcess owner([&] {
    project.build.command = "touch " + quoted_witness("ready") + "; sleep 1000";
    SilentProgress silent;
    auto own = Laboratory::open(project, Memory::Use, silent);
    (void)(*own)->build(*(*own)->repository().commit(first)).has_value();
    return 0;
  });
  ASSERT_TRUE(fakes::becomes_true([&] { return fs::exists(witnesses / "ready"); }));
  owner.kill();
  EXPECT_TRUE(fs::exists(state_of(project.root).places().checkout));
  open();
  EXPECT_FALSE(fs::exists(state_of(project.root).places().checkout));
  EXPECT_EQ(built(first).outcome, BuildOutcome::Built);
}

TEST_F(Laboratories, run_until_enough_runs_are_kept) {
  const Build build = built(second);
  EXPECT_EQ(runs(build, 2).size(), 2U);
  EXPECT_EQ(runs(build, 3).size(), 3U);
  open();
  const auto kept = runs(build, 3);
  EXPECT_EQ(kept.size(), 3U);
  EXPECT_EQ(witness("runs"), (Texts{"new input.txt 0", "new input.txt 0", "new input.txt 0"}));
  for (const auto& run : kept) {
    EXPECT_EQ(run.outcome, RunOutcome::Finished);
    EXPECT_GT(run.samples.at("wall"), 0);
    EXPECT_GT(run.samples.at("memory"), 0);
    EXPECT_GT(run.started, 1'600'000'000'000);
    EXPECT_TRUE(run.log.empty());
  }
}

TEST_F(Laboratories, run_anew_when_told_to_measure_again) {
  const Build build = built(second);
  runs(build, 2);
  open(Memory::MeasureAgain);
  EXPECT_EQ(runs(build, 2).size(), 2U);
  EXPECT_EQ(witness("runs").size(), 4U);
}

TEST_F(Laboratories, keep_runs_of_different_definitions_apart) {
  const Build build = built(second);
  runs(build, 1);
  history.write("input.txt", "2\n");
  open();
  runs(build, 1);
  EXPECT_EQ(witness("runs").size(), 2U) << "its input changed";
  history.git({"checkout", "--quiet", "--", "input.txt"});
}

TEST_F(Laboratories, warm_up_once_a_build_before_what_counts) {
  project.warm_up = 2;
  open();
  EXPECT_EQ(runs(built(second), 3).size(), 3U);
  EXPECT_EQ(witness("runs").size(), 5U);
  EXPECT_EQ(runs(built(second), 4).size(), 4U);
  EXPECT_EQ(witness("runs").size(), 6U) << "it is warm already";
  open();
  EXPECT_EQ(runs(built(second), 4).size(), 4U);
  EXPECT_EQ(witness("runs").size(), 6U) << "nothing is to be measured";
}

TEST_F(Laboratories, keep_both_sides_of_a_pair_in_the_order_they_were_asked_for) {
  const Duel asked = duel();
  const auto one = lab->measure_pair(asked, Order::BaseFirst);
  const auto two = lab->measure_pair(asked, Order::CandidateFirst);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(witness("runs"),
            (Texts{"old input.txt 0", "new input.txt 0", "new input.txt 0", "old input.txt 0"}));
  EXPECT_EQ(one->number, 0U);
  EXPECT_EQ(two->number, 1U);
  EXPECT_LT(one->base.id, one->candidate.id);
  EXPECT_GT(two->base.id, two->candidate.id);
  EXPECT_TRUE(one->finished() && two->finished());
}

void expect_equal(const Run& seen, const Run& kept) {
  EXPECT_EQ(seen.id, kept.id);
  EXPECT_EQ(seen.samples, kept.samples);
  EXPECT_EQ(seen.seconds, kept.seconds);
  EXPECT_EQ(seen.started, kept.started);
}

TEST_F(Laboratories, remember_pairs_as_they_were_measured) {
  const Duel asked = duel();
  EXPECT_TRUE(lab->kept_pairs(asked)->empty());
  std::vector<Pair> measured;
  for (int i = 0; i < 3; ++i)
    measured.push_back(*lab->measure_pair(asked, Order::BaseFirst));
  open();
  const auto kept = lab->kept_pairs(asked);
  ASSERT_EQ(kept->size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ((*kept)[i].number, i);
    expect_equal((*kept)[i].base, measured[i].base);
    expect_equal((*kept)[i].candidate, measured[i].candidate);
  }
}

TEST_F(Laboratories, begin_a_new_series_when_told_to_measure_again) {
  const Duel asked = duel();
  ASSERT_TRUE(lab->measure_pair(asked, Order::BaseFirst));
  open(Memory::MeasureAgain);
  EXPECT_TRUE(lab->kept_pairs(asked)->empty());
  ASSERT_TRUE(lab->measure_pair(asked, Order::BaseFirst));
  ASSERT_TRUE(lab->measure_pair(asked, Order::BaseFirst));
  EXPECT_EQ(lab->kept_pairs(asked)->size(), 2U) << "its own pairs count";
  open();
  EXPECT_EQ(lab->kept_pairs(asked)->size(), 2U) << "the last series is used from then on";
}

TEST_F(Laboratories, remember_rounds_of_both_ends_and_a_commit_between) {
  history.write("program.sh", script("newest"));
  const std::string third = history.commit("Third");
  const Trio trio{built(first), built(third), built(second), benchmark, Method::Timed};
  const Trio ends{trio.good, trio.bad, {}, benchmark, Method::Timed};
  const std::vector<RoundSide> order{RoundSide::Bad, RoundSide::Between, RoundSide::Good};
  const auto round = lab->measure_round(trio, order);
  ASSERT_TRUE(round) << round.error().what;
  EXPECT_EQ(witness("runs"), (Texts{"newest input.txt 0", "new input.txt 0", "old input.txt 0"}));
  open();
  EXPECT_TRUE(lab->kept_rounds(ends)->empty()) << "the ends alone are another question";
  const auto kept = lab->kept_rounds(trio);
  ASSERT_EQ(kept->size(), 1U);
  expect_equal(kept->front().good, round->good);
  expect_equal(kept->front().bad, round->bad);
  expect_equal(kept->front().between.value(), round->between.value());
}

TEST_F(Laboratories, know_a_build_without_making_it) {
  const Commit commit = *lab->repository().commit(first);
  EXPECT_FALSE(lab->known_build(commit)->has_value());
  EXPECT_TRUE(witness("builds").empty());
  const Build made = built(first);
  EXPECT_EQ(lab->known_build(commit)->value().folder, made.folder);
}

TEST_F(Laboratories, do_not_mix_a_duel_with_its_reverse) {
  const Duel asked = duel();
  ASSERT_TRUE(lab->measure_pair(asked, Order::BaseFirst));
  EXPECT_TRUE(lab->kept_pairs({asked.candidate, asked.base, benchmark, Method::Timed})->empty());
}

TEST_F(Laboratories, skip_half_a_pair) {
  Duel asked = duel();
  asked.benchmark.command = "test \"$DRAGNET_BUILD\" = " + shell_quoted(asked.base.folder) +
                            " || { touch " + quoted_witness("half") + "; sleep 1000; }";
  fakes::ChildProcess owner([&] {
    SilentProgress silent;
    auto own = Laboratory::open(project, Memory::Use, silent);
    (void)(*own)->measure_pair(asked, Order::BaseFirst).has_value();
    return 0;
  });
  ASSERT_TRUE(fakes::becomes_true([&] { return fs::exists(witnesses / "half"); }));
  owner.kill();
  open();
  EXPECT_TRUE(lab->kept_pairs(asked)->empty());
  EXPECT_EQ(lab->store().records({})->size(), 1U) << "the finished half is kept";
}

} // namespace
} // namespace dragnet::lab
