#include "analysis/compare/compare.h"

#include "fakes/fake_lab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace dragnet::compare {
namespace {

using fakes::FakeLab;
using fakes::finished_run;
using fakes::Side;

Benchmark benchmark_named(const std::string& name, std::vector<std::string> metrics = {"wall"}) {
  Benchmark benchmark;
  benchmark.name = name;
  benchmark.metrics = std::move(metrics);
  return benchmark;
}

// The invariants: what was spent is the time of all pairs; each row has a verdict and a reason; a
// decided question is answered the same when it is asked again, without measuring.
class Comparisons : public testing::Test {
protected:
  using Run = dragnet::Run; // the base class has a function of this name

  Comparisons() {
    question.base.key = "old";
    question.candidate.key = "new";
    question.benchmarks = {benchmark_named("sort")};
  }
  Comparison compared() {
    auto comparison = compare(lab, question, progress);
    EXPECT_TRUE(comparison) << comparison.error().what;
    for (const auto& row : comparison->rows)
      EXPECT_FALSE(row.judgement.rule.empty()) << row.benchmark << " " << row.metric.name;
    return std::move(*comparison);
  }
  Verdict verdict() { return compared().rows.front().judgement.verdict; }

  // Runs of a second each, under normal noise; the candidate takes so many times as long.
  void make_noisy(double ratio, double spread) {
    lab.run = [this, ratio, spread](const Duel&, Side side, std::size_t) {
      std::normal_distribution<double> noise(1, spread);
      return finished_run(1, "wall", noise(random) * (side == Side::Candidate ? ratio : 1));
    };
  }
  // Counts that repeat.
  void make_counted(double base, double candidate) {
    lab.counted = {"instructions"};
    question.benchmarks = {benchmark_named("sort", {"instructions"})};
    lab.run = [base, candidate](const Duel&, Side side, std::size_t) {
      return finished_run(1, "instructions", side == Side::Base ? base : candidate);
    };
  }

  FakeLab lab;
  Question question;
  SilentProgress progress;
  std::mt19937_64 random{1};
};

TEST_F(Comparisons, find_a_planted_slowdown) {
  make_noisy(1.1, 0.02);
  const auto comparison = compared();
  EXPECT_EQ(comparison.rows.front().judgement.verdict, Verdict::Regressed);
  EXPECT_NEAR(comparison.rows.front().assessment.change, 0.1, 0.03);
  EXPECT_EQ(exit_status(comparison), 1);
}

TEST_F(Comparisons, find_a_planted_improvement) {
  make_noisy(0.9, 0.02);
  EXPECT_EQ(verdict(), Verdict::Improved);
}

TEST_F(Comparisons, call_equal_ones_unchanged) {
  make_noisy(1, 0.005);
  EXPECT_EQ(verdict(), Verdict::Unchanged);
}

TEST_F(Comparisons, stop_measuring_when_all_is_decided) {
  make_noisy(1.5, 0.01);
  const auto comparison = compared();
  EXPECT_LT(comparison.seconds, question.budget.count() / 4);
  EXPECT_EQ(comparison.pairs_measured, lab.orders.size());
  EXPECT_DOUBLE_EQ(comparison.seconds, 2.0 * static_cast<double>(lab.orders.size()));
}

TEST_F(Comparisons, obey_the_budget) {
  make_noisy(1.001, 0.5);
  question.budget = Seconds(21);
  const auto comparison = compared();
  EXPECT_EQ(comparison.rows.front().judgement.verdict, Verdict::Inconclusive);
  EXPECT_EQ(lab.orders.size(), 11U)
      << "a pair takes two seconds; the last one begins within the budget";
  EXPECT_DOUBLE_EQ(comparison.seconds, 22);
  EXPECT_EQ(exit_status(comparison), 3);
}

TEST_F(Comparisons, count_kept_pairs_for_the_budget) {
  make_noisy(1.001, 0.5);
  question.budget = Seconds(20);
  compared();
  question.budget = Seconds(30);
  const auto comparison = compared();
  EXPECT_EQ(comparison.pairs_kept, 10U);
  EXPECT_EQ(comparison.pairs_measured, 5U);
  EXPECT_DOUBLE_EQ(comparison.seconds, 30);
}

TEST_F(Comparisons, measure_nothing_without_a_budget) {
  make_noisy(1.5, 0.01);
  question.budget = Seconds(0);
  const auto comparison = compared();
  EXPECT_TRUE(lab.orders.empty());
  EXPECT_EQ(comparison.rows.front().judgement.verdict, Verdict::NotMeasured);
  EXPECT_EQ(exit_status(comparison), 4);
}

TEST_F(Comparisons, measure_nothing_when_asked_twice) {
  question.benchmarks = {benchmark_named("a"), benchmark_named("b"), benchmark_named("c")};
  for (const double ratio : {1.0, 1.001, 1.03, 1.2}) {
    for (const double spread : {0.005, 0.1}) {
      lab = FakeLab();
      make_noisy(ratio, spread);
      question.budget = Seconds(100);
      const auto first = compared();
      const auto measured = lab.orders.size();
      const auto second = compared();
      EXPECT_EQ(lab.orders.size(), measured);
      EXPECT_EQ(second.pairs_kept, measured);
      EXPECT_EQ(second.pairs_measured, 0U);
      EXPECT_DOUBLE_EQ(second.seconds, first.seconds);
      ASSERT_EQ(second.rows.size(), first.rows.size());
      for (std::size_t i = 0; i < first.rows.size(); ++i) {
        EXPECT_EQ(second.rows[i].judgement.verdict, first.rows[i].judgement.verdict);
        EXPECT_EQ(second.rows[i].judgement.rule, first.rows[i].judgement.rule);
      }
    }
  }
}

TEST_F(Comparisons, measure_each_benchmark_until_it_is_decided) {
  question.benchmarks = {benchmark_named("slow"), benchmark_named("noisy")};
  question.budget = Seconds(120);
  lab.run = [this](const Duel& duel, Side side, std::size_t) {
    const bool slow = duel.benchmark.name == "slow";
    std::normal_distribution<double> noise(1, slow ? 0.01 : 0.5);
    return finished_run(1, "wall", noise(random) * (slow && side == Side::Candidate ? 1.5 : 1));
  };
  const auto comparison = compared();
  EXPECT_EQ(comparison.rows[0].judgement.verdict, Verdict::Regressed);
  EXPECT_EQ(comparison.rows[1].judgement.verdict, Verdict::Inconclusive);
  const auto of_slow = std::ranges::count(lab.measured, "slow");
  const auto of_noisy = std::ranges::count(lab.measured, "noisy");
  EXPECT_LT(of_slow, of_noisy) << "time is not spent on what is decided";
}

TEST_F(Comparisons, measure_all_benchmarks_in_turn) {
  question.benchmarks = {benchmark_named("a"), benchmark_named("b"), benchmark_named("c")};
  question.budget = Seconds(12);
  make_noisy(1, 0.5);
  compared();
  EXPECT_EQ(lab.measured, (std::vector<std::string>{"a", "b", "c", "a", "b", "c"}));
}

TEST_F(Comparisons, change_the_order_of_the_sides_from_pair_to_pair) {
  question.budget = Seconds(80);
  make_noisy(1, 0.5);
  compared();
  const auto base_first = std::ranges::count(lab.orders, Order::BaseFirst);
  ASSERT_EQ(lab.orders.size(), 40U);
  EXPECT_GE(base_first, 10);
  EXPECT_LE(base_first, 30);
}

TEST_F(Comparisons, go_on_with_the_order_where_the_kept_pairs_ended) {
  question.budget = Seconds(40);
  make_noisy(1, 0.5);
  compared();
  const auto whole = lab.orders;
  lab = FakeLab();
  make_noisy(1, 0.5);
  question.budget = Seconds(18);
  compared();
  question.budget = Seconds(40);
  compared();
  EXPECT_EQ(lab.orders, whole);
}

TEST_F(Comparisons, feed_all_timed_metrics_from_the_same_pairs) {
  question.benchmarks = {benchmark_named("sort", {"wall", "cpu"})};
  lab.run = [](const Duel&, Side side, std::size_t number) {
    Run run = finished_run(1, "wall",
                           side == Side::Base ? 1 : 1.5 + static_cast<double>(number % 3) * 0.001);
    run.samples["cpu"] = 1 + static_cast<double>(number % 3) * 0.001;
    return run;
  };
  const auto comparison = compared();
  ASSERT_EQ(comparison.rows.size(), 2U);
  EXPECT_EQ(comparison.rows[0].judgement.verdict, Verdict::Regressed);
  EXPECT_EQ(comparison.rows[1].judgement.verdict, Verdict::Unchanged);
  EXPECT_EQ(comparison.rows[0].evidence.old_values.size(), comparison.pairs_measured);
  EXPECT_EQ(comparison.rows[1].evidence.old_values.size(), comparison.pairs_measured);
}

TEST_F(Comparisons, do_not_mix_counted_pairs_with_timed_ones) {
  lab.counted = {"instructions"};
  question.benchmarks = {benchmark_named("sort", {"wall", "instructions"})};
  lab.run = [](const Duel& duel, Side, std::size_t number) {
    return duel.method == Method::Counted
               ? finished_run(30, "instructions", 1000)
               : finished_run(1, "wall", 1 + static_cast<double>(number % 3) * 0.001);
  };
  const auto comparison = compared();
  EXPECT_EQ(comparison.rows[0].judgement.verdict, Verdict::Unchanged);
  EXPECT_EQ(comparison.rows[1].judgement.verdict, Verdict::Unchanged);
  EXPECT_EQ(comparison.rows[1].evidence.old_values.size(), 1U);
  EXPECT_EQ(comparison.rows[1].method, Method::Counted);
}

TEST_F(Comparisons, name_the_side_that_fails) {
  const auto failing = [](std::set<Side> sides) {
    return [sides](const Duel&, Side side, std::size_t) {
      Run run = finished_run(1, "wall", 1);
      if (sides.contains(side)) {
        run.outcome = RunOutcome::Failed;
        run.status = 7;
        run.log = side == Side::Base ? "old log" : "new log";
      }
      return run;
    };
  };
  const std::vector<std::tuple<std::set<Side>, std::string, std::string>> cases{
      {{Side::Base}, "it failed with exit status 7 on the base side", "old log"},
      {{Side::Candidate}, "it failed with exit status 7 on the new side", "new log"},
      {{Side::Base, Side::Candidate}, "it failed with exit status 7 on both sides", "new log"}};
  for (const auto& [sides, sentence, log] : cases) {
    lab = FakeLab();
    lab.run = failing(sides);
    const auto comparison = compared();
    EXPECT_EQ(comparison.rows[0].judgement.verdict, Verdict::Failed);
    EXPECT_EQ(comparison.rows[0].judgement.rule, sentence);
    EXPECT_EQ(comparison.rows[0].log, log);
    EXPECT_EQ(lab.orders.size(), 1U) << "what fails once is not measured again";
    EXPECT_EQ(exit_status(comparison), 2);
  }
}

TEST_F(Comparisons, say_how_it_failed) {
  const std::vector<std::pair<RunOutcome, std::string>> cases{
      {RunOutcome::Crashed, "it crashed with signal 11 on the new side"},
      {RunOutcome::TimedOut, "it took longer than its timeout on the new side"},
      {RunOutcome::NotStarted, "it could not be started on the new side"}};
  for (const auto& [outcome, sentence] : cases) {
    lab = FakeLab();
    lab.run = [ending = outcome](const Duel&, Side side, std::size_t) {
      Run run = finished_run(1, "wall", 1);
      run.outcome = side == Side::Base ? RunOutcome::Finished : ending;
      run.status = 11;
      return run;
    };
    EXPECT_EQ(compared().rows[0].judgement.rule, sentence);
  }
}

TEST_F(Comparisons, let_one_failing_benchmark_not_stop_the_others) {
  question.benchmarks = {benchmark_named("broken"), benchmark_named("fine")};
  lab.run = [](const Duel& duel, Side side, std::size_t number) {
    Run run = finished_run(
        1, "wall", (side == Side::Base ? 1 : 1.5) + static_cast<double>(number % 3) * 0.001);
    run.outcome = duel.benchmark.name == "broken" ? RunOutcome::Failed : RunOutcome::Finished;
    return run;
  };
  const auto comparison = compared();
  EXPECT_EQ(comparison.rows[0].judgement.verdict, Verdict::Failed);
  EXPECT_EQ(comparison.rows[1].judgement.verdict, Verdict::Regressed);
  EXPECT_EQ(exit_status(comparison), 1);
}

TEST_F(Comparisons, say_when_a_metric_is_missing) {
  question.benchmarks = {benchmark_named("sort", {"reads"})};
  make_noisy(1, 0.01);
  question.benchmarks = {benchmark_named("sort", {"reads"})};
  const auto comparison = compared();
  EXPECT_EQ(comparison.rows[0].judgement.verdict, Verdict::NotMeasured);
  EXPECT_TRUE(comparison.rows[0].judgement.rule.contains("reads"))
      << comparison.rows[0].judgement.rule;
  EXPECT_EQ(lab.orders.size(), 1U);
  EXPECT_EQ(exit_status(comparison), 4);
}

TEST_F(Comparisons, decide_an_equal_count_after_one_pair) {
  make_counted(1'000'000, 1'000'000);
  EXPECT_EQ(verdict(), Verdict::Unchanged);
  EXPECT_EQ(lab.orders.size(), 1U);
}

TEST_F(Comparisons, decide_a_changed_count_after_two_pairs) {
  make_counted(1'000'000, 1'050'000);
  const auto comparison = compared();
  EXPECT_EQ(comparison.rows[0].judgement.verdict, Verdict::Regressed);
  EXPECT_EQ(lab.orders.size(), 2U);
  EXPECT_TRUE(comparison.rows[0].assessment.exact);
  EXPECT_NEAR(comparison.rows[0].assessment.change, 0.05, 1e-9);
}

TEST_F(Comparisons, decide_a_count_that_came_from_nothing) {
  make_counted(0, 100);
  EXPECT_EQ(verdict(), Verdict::Regressed);
  lab = FakeLab();
  make_counted(0, 0);
  EXPECT_EQ(verdict(), Verdict::Unchanged);
  lab = FakeLab();
  make_counted(100, 0);
  EXPECT_EQ(verdict(), Verdict::Improved);
}

TEST_F(Comparisons, treat_counts_that_do_not_repeat_as_noise) {
  make_counted(1, 1);
  lab.run = [this](const Duel&, Side side, std::size_t) {
    std::normal_distribution<double> noise(1e6, 5e4);
    return finished_run(1, "instructions", noise(random) * (side == Side::Candidate ? 1.3 : 1));
  };
  const auto comparison = compared();
  EXPECT_FALSE(comparison.rows[0].assessment.exact);
  EXPECT_GT(lab.orders.size(), 3U);
  EXPECT_EQ(comparison.rows[0].judgement.verdict, Verdict::Regressed);
}

TEST_F(Comparisons, confirm_timed_counts_by_a_second_pair) {
  question.benchmarks = {benchmark_named("sort", {"bytes-written"})};
  lab.run = [](const Duel&, Side, std::size_t) { return finished_run(1, "bytes-written", 4096); };
  EXPECT_EQ(verdict(), Verdict::Unchanged);
  EXPECT_EQ(lab.orders.size(), 2U);
}

TEST_F(Comparisons, keep_what_is_known_when_an_error_stops_them) {
  make_noisy(1.001, 0.5);
  lab.breaks_after = 5;
  const auto comparison = compared();
  ASSERT_TRUE(comparison.stopped_by);
  EXPECT_EQ(comparison.stopped_by->what, "the machine is on fire");
  EXPECT_EQ(comparison.rows[0].evidence.old_values.size(), 5U);
  EXPECT_EQ(comparison.pairs_measured, 5U);
  EXPECT_EQ(comparison.rows[0].judgement.verdict, Verdict::Inconclusive);
}

TEST_F(Comparisons, do_not_blame_the_budget_for_an_error) {
  question.benchmarks = {benchmark_named("a"), benchmark_named("b")};
  make_noisy(1, 0.1);
  lab.breaks_after = 1;
  const auto comparison = compared();
  EXPECT_EQ(comparison.rows[1].judgement.verdict, Verdict::NotMeasured);
  EXPECT_FALSE(comparison.rows[1].judgement.rule.contains("budget"))
      << comparison.rows[1].judgement.rule;
}

TEST_F(Comparisons, go_on_after_an_error_where_they_stopped) {
  make_noisy(1.5, 0.01);
  lab.breaks_after = 2;
  compared();
  lab.breaks_after.reset();
  const auto comparison = compared();
  EXPECT_EQ(comparison.pairs_kept, 2U);
  EXPECT_FALSE(comparison.stopped_by);
  EXPECT_EQ(comparison.rows[0].judgement.verdict, Verdict::Regressed);
}

TEST_F(Comparisons, of_the_same_programs_measure_nothing) {
  question.same_programs = true;
  make_noisy(1.5, 0.01);
  const auto comparison = compared();
  EXPECT_EQ(comparison.pairs_measured, 0U);
  EXPECT_EQ(comparison.rows[0].judgement.verdict, Verdict::Unchanged);
  EXPECT_EQ(exit_status(comparison), 0);
}

TEST_F(Comparisons, of_nothing_measure_nothing) {
  question.benchmarks.clear();
  EXPECT_EQ(exit_status(compared()), 4);
}

TEST_F(Comparisons, use_the_smallest_effect_of_each_metric) {
  question.benchmarks[0].smallest_effect["wall"] = 0.2;
  make_noisy(1.1, 0.02);
  const auto comparison = compared();
  EXPECT_DOUBLE_EQ(comparison.rows[0].evidence.smallest_effect, 0.2);
  EXPECT_EQ(comparison.rows[0].judgement.verdict, Verdict::Unchanged);
}

Comparison with(const std::vector<Verdict>& verdicts) {
  Comparison comparison;
  for (const Verdict verdict : verdicts) {
    comparison.rows.emplace_back();
    comparison.rows.back().judgement.verdict = verdict;
  }
  return comparison;
}

TEST(ExitStatus, tells_the_worst_first) {
  using enum Verdict;
  const std::vector<std::pair<std::vector<Verdict>, int>> cases{
      {{Unchanged}, 0},
      {{Improved}, 0},
      {{Exonerated}, 0},
      {{Unchanged, Improved, Exonerated}, 0},
      {{Regressed}, 1},
      {{Regressed, Failed, Inconclusive, NotMeasured}, 1},
      {{Failed}, 2},
      {{Failed, Inconclusive, NotMeasured, Improved}, 2},
      {{Inconclusive}, 3},
      {{Inconclusive, Unchanged}, 3},
      {{Inconclusive, NotMeasured}, 3},
      {{NotMeasured, Unchanged}, 3},
      {{NotMeasured}, 4},
      {{NotMeasured, NotMeasured}, 4},
      {{}, 4}};
  for (const auto& [verdicts, status] : cases)
    EXPECT_EQ(exit_status(with(verdicts)), status) << testing::PrintToString(verdicts.size());
}

TEST(ExitStatus, does_not_depend_on_the_order_of_rows) {
  using enum Verdict;
  std::vector<Verdict> verdicts{Regressed, Failed, Inconclusive, NotMeasured, Unchanged, Improved};
  std::ranges::sort(verdicts);
  do
    ASSERT_EQ(exit_status(with(verdicts)), 1);
  while (std::ranges::next_permutation(verdicts).found);
}

TEST_F(Comparisons, confirm_a_regression_by_fresh_pairs_when_asked_to) {
  make_noisy(1.3, 0.02);
  const Comparison plain = compared();
  lab = {};
  make_noisy(1.3, 0.02);
  question.confirm = true;
  const Comparison confirmed = compared();
  const Row& row = confirmed.rows.front();
  EXPECT_EQ(row.judgement.verdict, Verdict::Regressed);
  ASSERT_TRUE(row.first_fresh);
  EXPECT_LT(*row.first_fresh, row.assessment.pairs);
  EXPECT_GT(row.assessment.pairs, plain.rows.front().assessment.pairs);
}

TEST_F(Comparisons, do_not_announce_what_fresh_pairs_do_not_show) {
  question.confirm = true;
  question.budget = Seconds(2000);
  // Slower at first, and then no more: chance, or a machine that was busy.
  lab.run = [this](const Duel&, Side side, std::size_t number) {
    std::normal_distribution<double> noise(1, 0.01);
    return finished_run(1, "wall",
                        noise(random) * (side == Side::Candidate && number < 12 ? 1.3 : 1));
  };
  EXPECT_NE(verdict(), Verdict::Regressed);
}

TEST_F(Comparisons, replay_what_is_kept_to_the_same_answer) {
  question.confirm = true;
  question.worth = {1};
  make_noisy(1.2, 0.05);
  const Comparison first = compared();
  const Comparison again = compared();
  EXPECT_EQ(again.pairs_measured, 0);
  EXPECT_EQ(again.rows.front().judgement.rule, first.rows.front().judgement.rule);
  EXPECT_EQ(again.rows.front().first_fresh, first.rows.front().first_fresh);
}

TEST_F(Comparisons, decide_more_in_a_short_time_when_pairs_go_where_they_are_worth_most) {
  // Half of the benchmarks are too noisy to be decided within the budget.
  question.benchmarks.clear();
  for (int i = 0; i < 12; ++i)
    question.benchmarks.push_back(
        benchmark_named(std::string(i % 2 == 0 ? "calm" : "wild") + std::to_string(i)));
  const auto run = [this](const Duel& duel, Side side, std::size_t) {
    const bool calm = duel.benchmark.name.starts_with("calm");
    std::normal_distribution<double> noise(1, calm ? 0.02 : 0.3);
    return finished_run(1, "wall", std::abs(noise(random)) * (side == Side::Candidate ? 1.1 : 1));
  };
  std::size_t even = 0;
  std::size_t wise = 0;
  for (const int budget : {220, 240, 260, 280, 300}) {
    question.budget = Seconds(budget);
    for (const bool by_worth : {false, true}) {
      lab = {};
      lab.run = run;
      question.worth.assign(by_worth ? 12 : 0, 0.5);
      (by_worth ? wise : even) += count(compared(), Verdict::Regressed);
    }
  }
  EXPECT_GT(wise, even + 3) << even << " in turn";
}

} // namespace
} // namespace dragnet::compare
