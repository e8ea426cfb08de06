#include "check/timeline.h"

#include "fakes/fake_search_lab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace dragnet::check {
namespace {

// A history of 200 commits named by their positions, with a step of 10 % at one of them. The
// invariant: points lie where the history is, in order, and no commit is built twice.
class Timelines : public testing::Test {
protected:
  void SetUp() override {
    for (int i = 0; i < 200; ++i)
      request.commits.push_back({CommitId{std::to_string(i)}, {}, {}, 0, {}, "commit"});
    Benchmark benchmark;
    benchmark.name = "work";
    benchmark.metrics = {"instructions"};
    request.benchmarks = {benchmark};
    request.method_for = [](const std::string& metric) {
      return metric == "instructions" ? Method::Counted : Method::Timed;
    };
    request.budget = Seconds(1e6);
    lab.value = [this](const std::string& commit) -> std::optional<double> {
      std::normal_distribution<double> noise(1, deviation);
      return (std::stoi(commit) >= step ? 110 : 100) * (deviation > 0 ? noise(random) : 1);
    };
  }
  void TearDown() override {
    std::ranges::sort(lab.built);
    EXPECT_TRUE(std::ranges::adjacent_find(lab.built) == lab.built.end());
  }
  change_points::Timeline timeline() {
    auto followed = follow(lab, request, progress);
    EXPECT_TRUE(followed);
    EXPECT_TRUE(std::ranges::is_sorted(followed->series.front().points, {},
                                       &change_points::Point::position));
    return *followed;
  }

  int step = 77;
  double deviation = 0;
  std::mt19937_64 random{3};
  fakes::FakeSearchLab lab;
  TimelineRequest request;
  SilentProgress progress;
};

TEST_F(Timelines, find_a_step_without_measuring_each_commit) {
  const auto seen = timeline();
  ASSERT_EQ(seen.series.front().changes.size(), 1U);
  EXPECT_EQ(seen.series.front().changes.front().first_position, 77U);
  EXPECT_EQ(seen.series.front().changes.front().last_position, 77U);
  EXPECT_LT(lab.built.size(), 25U);
  EXPECT_EQ(seen.builds, lab.built.size());
  EXPECT_EQ(exit_status(seen), 1);
}

TEST_F(Timelines, find_a_step_in_noise) {
  deviation = 0.01;
  request.benchmarks.front().metrics = {"wall"};
  const auto seen = timeline();
  ASSERT_EQ(seen.series.front().changes.size(), 1U);
  EXPECT_LE(seen.series.front().changes.front().first_position, 77U);
  EXPECT_GE(seen.series.front().changes.front().last_position, 77U);
  EXPECT_LT(lab.built.size(), 40U);
}

TEST_F(Timelines, keep_gaps_as_gaps) {
  lab.broken = {"0", "76", "77", "199"};
  const auto seen = timeline();
  ASSERT_EQ(seen.series.front().changes.size(), 1U);
  EXPECT_EQ(seen.series.front().changes.front().first_position, 76U);
  EXPECT_EQ(seen.series.front().changes.front().last_position, 78U);
  EXPECT_TRUE(seen.gaps.contains(0));
  EXPECT_TRUE(seen.gaps.contains(199));
}

TEST_F(Timelines, measure_each_commit_when_told) {
  request.every = 1;
  EXPECT_EQ(timeline().series.front().points.size(), 200U);
  EXPECT_EQ(lab.built.size(), 200U);
}

TEST_F(Timelines, look_at_each_so_many_th_and_the_last) {
  request.every = 50;
  std::vector<std::size_t> positions;
  const auto seen = timeline();
  for (const auto& point : seen.series.front().points)
    positions.push_back(point.position);
  EXPECT_EQ(positions, (std::vector<std::size_t>{0, 50, 100, 150, 199}));
}

TEST_F(Timelines, go_on_where_they_were_interrupted) {
  lab.breaks_after = 5;
  const auto part = timeline();
  EXPECT_TRUE(part.stopped_by);
  EXPECT_EQ(part.series.front().points.size(), 5U);
  lab.breaks_after.reset();
  const auto whole = timeline();
  EXPECT_EQ(whole.runs_kept, 5U);
  EXPECT_EQ(whole.runs + 5, lab.run);
  EXPECT_EQ(whole.series.front().changes.size(), 1U);
}

TEST_F(Timelines, stop_when_the_budget_is_spent) {
  request.budget = Seconds(60);
  const auto seen = timeline();
  EXPECT_TRUE(seen.budget_spent);
  EXPECT_LE(lab.built.size(), 6U);
}

TEST_F(Timelines, say_that_nothing_was_measured_where_nothing_builds) {
  for (const Commit& commit : request.commits)
    lab.broken.insert(commit.id.text);
  const auto seen = timeline();
  EXPECT_TRUE(seen.series.front().points.empty());
  EXPECT_EQ(exit_status(seen), 4);
}

TEST_F(Timelines, hold_for_two_commits) {
  request.commits.resize(2);
  step = 1;
  EXPECT_EQ(timeline().series.front().changes.size(), 1U);
}

} // namespace
} // namespace dragnet::check
