#include "check/variants.h"

#include "analysis/variants/finding.h"
#include "analysis/variants/plain_solver.h"
#include "base/progress.h"
#include "base/result.h"
#include "check/variant_trials.h"
#include "model/commit.h"
#include "model/configuration.h"
#include "model/rounds.h"
#include "model/run.h"
#include "project/space.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace dragnet::check {
namespace {

// A program with options as text: the value of a command line at a commit, or nothing where it
// refuses.
class ProgramLab final : public SearchLab {
public:
  std::function<std::optional<double>(const std::string& command, std::size_t commit)> value;
  std::set<std::size_t> broken;
  std::size_t ran = 0;

  Result<Build> build(const Commit& commit) override {
    Build made;
    made.commit = commit;
    made.key = commit.id.text;
    const bool fails = broken.contains(std::stoul(commit.id.text));
    made.outcome = fails ? BuildOutcome::Failed : BuildOutcome::Built;
    return made;
  }
  Result<std::optional<Build>> known_build(const Commit&) override {
    return std::optional<Build>();
  }
  Result<std::vector<MeasuredRound>> kept_rounds(const Trio&) override {
    return std::vector<MeasuredRound>();
  }
  Result<MeasuredRound> measure_round(const Trio&, std::span<const RoundSide>) override {
    return MeasuredRound{};
  }
  Result<std::vector<Run>> runs(const Build& build, const Benchmark& benchmark, Method,
                                std::size_t count) override {
    auto& kept = kept_[build.key + benchmark.command];
    while (kept.size() < count && (kept.empty() || kept.back().finished())) {
      ++ran;
      Run run;
      const auto seen = value(benchmark.command, std::stoul(build.commit.id.text));
      run.outcome = seen ? RunOutcome::Finished : RunOutcome::Failed;
      run.log = seen ? "" : "program: these do not go together\n";
      run.samples["wall"] = seen.value_or(0);
      kept.push_back(run);
    }
    return kept;
  }

private:
  std::map<std::string, std::vector<Run>> kept_;
};

struct World {
  ConfigurationSpace space{.options = {"a", "b", "c", "d"}, .groups = {}, .clauses = {}};
  ProgramLab lab;
  VariantsRequest request;
  double now = 0;

  explicit World(std::size_t commits) {
    for (std::size_t i = 0; i < commits; ++i)
      request.question.commits.push_back({.id = {std::to_string(i)},
                                          .tree = {},
                                          .parents = {},
                                          .author = {},
                                          .subject = "commit " + std::to_string(i)});
    request.benchmark = "work";
    request.question.metric = "wall";
    request.question.space = &space;
    request.question.lab = [this](const std::string&) -> Result<SearchLab*> { return &lab; };
    request.question.seconds = [this] { return now += 0.01; };
    request.question.variant = [this](const Configuration& configuration) {
      project::Variant variant;
      variant.build_command = "make";
      for (std::size_t i = 0; i < configuration.size(); ++i)
        variant.benchmark.command += configuration.on(i) ? space.options[i] : "";
      return variant;
    };
  }
  variants::Finding search() {
    variants::PlainSolver solver(space);
    SilentProgress progress;
    auto found = search_variants(solver, request, progress);
    EXPECT_TRUE(found) << (found ? "" : found.error().what);
    return found ? *found : variants::Finding{};
  }
};

TEST(VariantTrials, find_a_change_of_one_option) {
  World world(60);
  world.lab.value = [](const std::string& command, std::size_t commit) {
    return command.contains('b') && commit >= 33 ? 30.0 : 20.0;
  };
  const auto found = world.search();
  ASSERT_EQ(found.answer.changes.size(), 1U);
  EXPECT_EQ(found.answer.changes[0].commit, 33U);
  EXPECT_EQ(found.condition(found.answer.changes[0].condition), "b");
  EXPECT_NEAR(found.answer.changes[0].change, 0.5, 1e-6);
  EXPECT_EQ(variants::exit_status(found), 1);
  EXPECT_TRUE(found.disagreements.empty());
}

TEST(VariantTrials, name_commits_that_do_not_build) {
  World world(60);
  world.lab.broken = {32, 33, 59};
  world.lab.value = [](const std::string& command, std::size_t commit) {
    return command.contains('b') && commit >= 33 ? 30.0 : 20.0;
  };
  const auto found = world.search();
  ASSERT_EQ(found.answer.changes.size(), 1U);
  EXPECT_EQ(found.answer.changes[0].after, 31U);
  EXPECT_EQ(found.answer.changes[0].commit, 34U);
  EXPECT_TRUE(std::ranges::find(found.answer.broken, 59U) != found.answer.broken.end());
}

TEST(VariantTrials, learn_what_the_program_refuses) {
  World world(60);
  world.lab.value = [](const std::string& command, std::size_t commit) -> std::optional<double> {
    if (command.contains('a') && command.contains('c'))
      return std::nullopt;
    return command.contains('d') && commit >= 10 ? 10.0 : 20.0;
  };
  const auto found = world.search();
  ASSERT_EQ(found.answer.changes.size(), 1U);
  EXPECT_EQ(found.answer.changes[0].commit, 10U);
  EXPECT_EQ(found.condition(found.answer.changes[0].condition), "d");
  EXPECT_EQ(variants::exit_status(found), 0); // it became better
  ASSERT_FALSE(found.disagreements.empty());
  EXPECT_EQ(found.disagreements[0].kind, variants::Disagreement::Kind::Refused);
  EXPECT_EQ(found.disagreements[0].said, "program: these do not go together");
}

TEST(VariantTrials, do_not_give_up_an_option_that_is_younger_than_the_range) {
  World world(60);
  world.lab.value = [](const std::string& command, std::size_t commit) -> std::optional<double> {
    if (command.contains('a') && commit < 20)
      return std::nullopt;
    return command.contains('a') && commit >= 40 ? 30.0 : 20.0;
  };
  const auto found = world.search();
  ASSERT_EQ(found.answer.changes.size(), 1U);
  EXPECT_EQ(found.answer.changes[0].commit, 40U);
  EXPECT_EQ(found.condition(found.answer.changes[0].condition), "a");
  EXPECT_TRUE(found.disagreements.empty());
}

TEST(VariantTrials, find_that_a_constraint_is_not_enforced) {
  World world(60);
  world.space.clauses = {{{{0, false}, {1, false}}, "not (a and b)"}};
  Configuration both(4);
  both.set(0, true);
  both.set(1, true);
  world.request.forbidden = {{"not (a and b)", both}};
  world.lab.value = [](const std::string&, std::size_t) { return 20.0; };
  const auto found = world.search();
  EXPECT_TRUE(found.answer.changes.empty());
  EXPECT_GE(found.answer.done, 0.95);
  ASSERT_EQ(found.disagreements.size(), 1U);
  EXPECT_EQ(found.disagreements[0].kind, variants::Disagreement::Kind::Accepted);
  EXPECT_EQ(found.disagreements[0].constraint, "not (a and b)");
  EXPECT_EQ(found.disagreements[0].example, "a, b");
}

TEST(VariantTrials, stop_when_the_time_is_over_and_go_on_from_what_is_kept) {
  World world(60);
  world.lab.value = [](const std::string& command, std::size_t commit) {
    return command.contains('b') && commit >= 33 ? 30.0 : 20.0;
  };
  world.request.question.budget = Seconds(0.1);
  const auto first = world.search();
  EXPECT_TRUE(first.effort.budget_spent);
  EXPECT_LT(first.answer.done, 0.95);
  const std::size_t before = world.lab.ran;
  world.request.question.budget = Seconds(1000);
  const auto second = world.search();
  EXPECT_EQ(second.answer.changes.size(), 1U);
  EXPECT_LT(world.lab.ran - before, second.answer.measurements);
}

TEST(VariantTrials, measure_nothing_where_all_is_refused) {
  World world(60);
  world.lab.value = [](const std::string&, std::size_t) -> std::optional<double> {
    return std::nullopt;
  };
  const auto found = world.search();
  EXPECT_TRUE(found.answer.changes.empty());
  EXPECT_EQ(variants::exit_status(found), 4);
}

} // namespace
} // namespace dragnet::check
