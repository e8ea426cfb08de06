#include "model/benchmark.h"
#include "model/commit.h"
#include "model/lab.h"
#include "model/metric.h"
#include "model/run.h"
#include "model/verdict.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace dragnet {
namespace {

template <class Word>
void expect_distinct_names(const std::vector<Word>& words) {
  std::set<std::string_view> names;
  for (const Word word : words) {
    EXPECT_NE(name(word), "unknown");
    EXPECT_TRUE(names.insert(name(word)).second) << name(word);
  }
}

TEST(Names, tell_all_words_apart) {
  expect_distinct_names<Purpose>(
      {Purpose::Plain, Purpose::Traced, Purpose::Aligned, Purpose::Imported});
  expect_distinct_names<BuildOutcome>(
      {BuildOutcome::Built, BuildOutcome::Failed, BuildOutcome::TimedOut});
  expect_distinct_names<RunOutcome>({RunOutcome::Finished, RunOutcome::Failed, RunOutcome::Crashed,
                                     RunOutcome::TimedOut, RunOutcome::NotStarted});
  expect_distinct_names<Method>({Method::Timed, Method::Counted});
  expect_distinct_names<Verdict>({Verdict::Regressed, Verdict::Improved, Verdict::Unchanged,
                                  Verdict::Inconclusive, Verdict::Exonerated, Verdict::Failed,
                                  Verdict::NotMeasured});
}

TEST(Metrics, are_known_by_distinct_names) {
  std::set<std::string> names;
  for (const auto& metric : known_metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_TRUE(is_known_metric(metric.name));
    EXPECT_FALSE(metric.meaning.empty()) << metric.name;
    EXPECT_TRUE(metric.unit.empty() || metric.unit == "s" || metric.unit == "B") << metric.name;
  }
  EXPECT_EQ(metric_names().size(), names.size());
}

TEST(Metrics, that_are_counts_are_never_times) {
  for (const auto& metric : known_metrics())
    EXPECT_TRUE(metric.unit != "s" || metric.nature == Nature::Noisy) << metric.name;
  EXPECT_EQ(metric_named("instructions").nature, Nature::Count);
}

TEST(Metrics, of_others_are_noisy_without_a_unit) {
  const Metric metric = metric_named("frames per second");
  EXPECT_EQ(metric.name, "frames per second");
  EXPECT_EQ(metric.unit, "");
  EXPECT_EQ(metric.nature, Nature::Noisy);
  EXPECT_EQ(metric.better, Better::Lower);
  EXPECT_FALSE(is_known_metric("frames per second"));
  EXPECT_FALSE(is_known_metric(""));
}

TEST(SmallestEffect, is_the_metrics_own_or_that_of_all_or_two_percent) {
  Benchmark benchmark;
  EXPECT_DOUBLE_EQ(benchmark.smallest_effect_of("wall"), 0.02);
  benchmark.smallest_effect[""] = 0.05;
  EXPECT_DOUBLE_EQ(benchmark.smallest_effect_of("wall"), 0.05);
  benchmark.smallest_effect["wall"] = 0.1;
  EXPECT_DOUBLE_EQ(benchmark.smallest_effect_of("wall"), 0.1);
  EXPECT_DOUBLE_EQ(benchmark.smallest_effect_of("cpu"), 0.05);
}

TEST(Pair, is_finished_when_both_sides_are) {
  Pair pair;
  pair.base.seconds = 1;
  pair.candidate.seconds = 2;
  EXPECT_TRUE(pair.finished());
  EXPECT_DOUBLE_EQ(pair.seconds(), 3);
  pair.candidate.outcome = RunOutcome::Crashed;
  EXPECT_FALSE(pair.finished());
}

TEST(CommitId, is_brief_in_ten_digits) {
  EXPECT_EQ(CommitId{"0123456789abcdef"}.brief(), "0123456789");
  EXPECT_EQ(CommitId{"abc"}.brief(), "abc");
}

} // namespace
} // namespace dragnet
