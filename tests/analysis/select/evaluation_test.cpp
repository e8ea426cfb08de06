#include "analysis/select/evaluation.h"

#include "analysis/select/example.h"
#include "analysis/select/folds.h"
#include "analysis/select/methods.h"
#include "analysis/select/threshold_predictor.h"
#include "stats/interval.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace dragnet::select {
namespace {

// Every commit has two benchmarks; each fourth commit is a hit in the first.
std::vector<Example> history(const std::string& subject, std::size_t commits) {
  std::vector<Example> examples;
  for (std::size_t commit = 1; commit <= commits; ++commit)
    for (const char* benchmark : {"first", "second"}) {
      Example example;
      example.subject = subject;
      example.benchmark = benchmark;
      example.old_commit = "c" + std::to_string(commit - 1);
      example.new_commit = "c" + std::to_string(commit);
      example.position = commit;
      const bool hit = commit % 4 == 0 && example.benchmark == "first";
      example.truth = hit ? Truth::Hit : Truth::Dismiss;
      example.indicators.fill(hit ? 10 : 1);
      examples.push_back(example);
    }
  return examples;
}

const Train always = [](const Examples&) -> Predict { return [](const Example&) { return true; }; };
const Train never = [](const Examples&) -> Predict { return [](const Example&) { return false; }; };

std::set<std::string> commits_of(const Examples& examples) {
  std::set<std::string> commits;
  for (const Example* example : examples)
    commits.insert(example->new_commit);
  return commits;
}

TEST(Folds, keep_the_benchmarks_of_a_commit_together) {
  const std::vector<Example> examples = history("p", 37);
  std::mt19937_64 random(1);
  std::size_t tested = 0;
  for (const Fold& fold : folds_by_commit(all_of(examples), 10, random)) {
    const auto training = commits_of(fold.training);
    for (const std::string& commit : commits_of(fold.tested))
      EXPECT_FALSE(training.contains(commit));
    EXPECT_EQ(fold.training.size() + fold.tested.size(), examples.size());
    tested += fold.tested.size();
  }
  EXPECT_EQ(tested, examples.size());
}

TEST(Folds, deal_out_commits_with_hits_evenly) {
  const std::vector<Example> examples = history("p", 40);
  std::mt19937_64 random(1);
  for (const Fold& fold : folds_by_commit(all_of(examples), 5, random))
    EXPECT_EQ(std::ranges::count(fold.tested, Truth::Hit, &Example::truth), 2);
}

TEST(Folds, do_not_train_on_a_distant_pair_that_ends_or_starts_at_a_tested_commit) {
  std::vector<Example> examples = history("p", 30);
  for (Example& example : examples) {
    example.hops = 2;
    example.old_commit = "c" + std::to_string(example.position > 2 ? example.position - 2 : 0);
  }
  std::mt19937_64 random(1);
  for (const Fold& fold : folds_by_commit(all_of(examples), 5, random)) {
    const auto tested = commits_of(fold.tested);
    for (const Example* example : fold.training)
      EXPECT_FALSE(tested.contains(example->old_commit) || tested.contains(example->new_commit));
  }
}

TEST(Folds, leave_out_what_is_unknown_and_manage_with_few_commits) {
  std::vector<Example> examples = history("p", 3);
  examples.front().truth = Truth::Unknown;
  std::mt19937_64 random(1);
  const std::vector<Fold> folds = folds_by_commit(all_of(examples), 10, random);
  EXPECT_EQ(folds.size(), 3);
  EXPECT_TRUE(folds_by_commit({}, 10, random).empty());
}

TEST(Evaluation, of_running_all_and_of_running_none) {
  const std::vector<Example> examples = history("p", 40);
  const Score all = cross_validated(always, all_of(examples), Division{});
  EXPECT_EQ(all.hit.value(), 1);
  EXPECT_EQ(all.dismiss.value(), 0);
  EXPECT_EQ(all.hit.cases, 50);
  const Score none = cross_validated(never, all_of(examples), Division{});
  EXPECT_EQ(none.hit.value(), 0);
  EXPECT_EQ(none.dismiss.value(), 1);
}

TEST(Evaluation, does_not_take_repetitions_for_cases) {
  const Rate once{.good = 9, .cases = 10, .repetitions = 1};
  const Rate often{.good = 900, .cases = 1000, .repetitions = 100};
  EXPECT_DOUBLE_EQ(once.interval().low, often.interval().low);
  EXPECT_TRUE(std::isnan(Rate{}.value()));
}

TEST(Evaluation, by_training_size_goes_from_two_folds_to_ten) {
  const std::vector<Example> examples = history("p", 40);
  const auto scores = by_training_size(always, all_of(examples), Division{.repetitions = 2});
  ASSERT_EQ(scores.size(), 9);
  EXPECT_DOUBLE_EQ(scores.front().training_commits, 20);
  EXPECT_DOUBLE_EQ(scores.back().training_commits, 36);
}

TEST(Evaluation, by_hops_tests_what_lies_after_the_training) {
  std::vector<Example> examples = history("p", 40);
  Example far = examples.back();
  far.hops = 5;
  far.position = 13; // from commit 8, in the training
  examples.push_back(far);
  far.position = 15; // from commit 10, the last of the training
  examples.push_back(far);
  std::size_t trained_on = 0;
  const Train counting = [&](const Examples& training) -> Predict {
    trained_on = training.size();
    return [](const Example&) { return true; };
  };
  const auto scores = by_hops(counting, all_of(examples));
  EXPECT_EQ(trained_on, 20);
  ASSERT_EQ(scores.size(), 2);
  EXPECT_EQ(scores[0].hops, 1);
  EXPECT_EQ(scores[0].score.hit.cases + scores[0].score.dismiss.cases, 60);
  EXPECT_EQ(scores[1].hops, 5);
  EXPECT_EQ(scores[1].score.hit.cases + scores[1].score.dismiss.cases, 1);
}

TEST(Evaluation, across_subjects_trains_on_one_and_tests_on_another) {
  std::vector<Example> examples = history("p", 20);
  for (const Example& example : history("q", 12))
    examples.push_back(example);
  const auto scores = across_subjects(always, all_of(examples));
  ASSERT_EQ(scores.size(), 2);
  EXPECT_EQ(scores[0].trained_on, "p");
  EXPECT_EQ(scores[0].tested_on, "q");
  EXPECT_EQ(scores[0].score.hit.cases, 3);
}

TEST(Methods, learn_a_common_predictor_or_one_per_benchmark) {
  const std::vector<Example> examples = history("p", 40);
  const auto common = learn_threshold_predictors(all_of(examples), Scope::Common, Search::Greedy);
  EXPECT_TRUE(common.of("second").trained());
  const auto own =
      learn_threshold_predictors(all_of(examples), Scope::PerBenchmark, Search::Greedy);
  EXPECT_TRUE(own.of("first").trained());
  EXPECT_FALSE(own.of("second").trained());
  EXPECT_FALSE(own.of("third").trained());
}

TEST(Methods, are_found_by_name) {
  for (const Method method : {Method::Evidence, Method::Perphecy}) {
    EXPECT_EQ(method_named(name(method)), method);
    const auto all = trainers();
    EXPECT_TRUE(std::ranges::any_of(
        all, [&](const Trainer& trainer) { return trainer.name == name(method); }));
  }
  EXPECT_FALSE(method_named("guess").has_value());
}

} // namespace
} // namespace dragnet::select
