#include "analysis/select/select.h"

#include "analysis/select/evaluation.h"
#include "analysis/select/evidence.h"
#include "analysis/select/indicators.h"
#include "analysis/select/methods.h"
#include "analysis/select/probability.h"
#include "analysis/select/reasons.h"
#include "analysis/select/threshold_predictor.h"
#include "fakes/planted_history.h"
#include "model/function.h"
#include "model/profile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::select {
namespace {

FunctionChange change(ChangeKind kind, const std::string& name, std::uint32_t edited) {
  return {.kind = kind,
          .binary = "shell",
          .name = name,
          .old_name = {},
          .old_instructions = 100,
          .new_instructions = 110,
          .edited = edited,
          .inlined = {}};
}

// A benchmark that spends 14.2 % in insertCell and the rest elsewhere.
class Select : public testing::Test {
protected:
  Select() {
    profile_.instructions = 1000;
    profile_.functions = {
        {.function = {.binary = "shell", .name = "insertCell"}, .calls = 3, .instructions = 142},
        {.function = {.binary = "shell", .name = "step"}, .calls = 9, .instructions = 700}};
    profile_.libraries = {{.path = "/lib/libc.so.6", .identity = "a", .instructions = 158}};
    candidate_.benchmark = "insert";
    candidate_.profile = &profile_;
    candidate_.difference = &difference_;
    candidate_.compared = {"shell"};
  }

  // Every decision has a reason, and every reason a name and a sentence.
  Decision decide_it() {
    const std::vector<Candidate> candidates = {candidate_};
    Decision decision = decide(candidates, learned_, policy_).front();
    EXPECT_FALSE(decision.reasons.empty());
    for (const Reason& reason : decision.reasons) {
      EXPECT_FALSE(sentence(reason).empty());
      EXPECT_FALSE(name(reason.kind).empty());
    }
    return decision;
  }

  void expect_run_because(ReasonKind kind) {
    const Decision decision = decide_it();
    EXPECT_EQ(decision.choice, Choice::Run);
    EXPECT_TRUE(std::ranges::any_of(decision.reasons, [&](const Reason& reason) {
      return reason.kind == kind;
    })) << name(kind);
  }

  void train() {
    const auto examples = fakes::PlantedHistory("planted", fakes::PlantedSize{}, 4).examples();
    learned_.probability = learn_probability(all_of(examples), Aim{});
    learned_.thresholds =
        learn_threshold_predictors(all_of(examples), Scope::Common, Search::Greedy);
    ASSERT_TRUE(learned_.probability.trained);
  }

  Profile profile_;
  Difference difference_;
  Candidate candidate_;
  Learned learned_;
  Policy policy_;
};

TEST_F(Select, skips_what_executes_nothing_that_changed) {
  difference_.changes = {change(ChangeKind::Changed, "vacuum", 9)};
  for (const Method method : {Method::Evidence, Method::Perphecy}) {
    policy_.method = method;
    const Decision decision = decide_it();
    EXPECT_EQ(decision.choice, Choice::Skip);
    EXPECT_EQ(decision.probability, 0);
    EXPECT_EQ(sentence(decision.reasons.front()),
              "nothing that it executes changed (1 function changed elsewhere)");
  }
}

TEST_F(Select, skips_everything_when_no_function_changed) {
  EXPECT_EQ(sentence(decide_it().reasons.front()), "no function of the build changed");
}

TEST_F(Select, untrained_runs_what_executes_changed_code_and_says_so) {
  difference_.changes = {change(ChangeKind::Changed, "insertCell", 12),
                         change(ChangeKind::New, "balance_deeper", 40)};
  const Decision decision = decide_it();
  EXPECT_EQ(decision.choice, Choice::Run);
  EXPECT_EQ(decision.basis, Basis::Untrained);
  ASSERT_EQ(decision.reasons.size(), 3);
  EXPECT_EQ(decision.reasons[0].kind, ReasonKind::Untrained);
  EXPECT_EQ(sentence(decision.reasons[1]),
            "changed: insertCell, 14.2 % of this benchmark's instructions");
  EXPECT_EQ(sentence(decision.reasons[2]), "new: balance_deeper, which changed code may call");
}

TEST_F(Select, names_inlined_callees_that_changed) {
  FunctionChange changed = change(ChangeKind::Changed, "insertCell", 12);
  changed.inlined = {"get2byte", "put2byte"};
  difference_.changes = {changed};
  EXPECT_EQ(sentence(decide_it().reasons[1]), "changed: insertCell (inlined: get2byte, put2byte), "
                                              "14.2 % of this benchmark's instructions");
}

TEST_F(Select, runs_what_it_does_not_know) {
  candidate_.profile = nullptr;
  candidate_.trouble = "the benchmark crashed in valgrind";
  expect_run_because(ReasonKind::NoProfile);
  EXPECT_EQ(sentence(decide_it().reasons.front()),
            "there is no profile of it: the benchmark crashed in valgrind");
  candidate_.profile = &profile_;
  candidate_.difference = nullptr;
  expect_run_because(ReasonKind::NoDifference);
  candidate_.difference = &difference_;
  candidate_.compared = {"other"};
  expect_run_because(ReasonKind::UncomparedBinary);
  candidate_.compared = {"shell"};
  profile_.functions.clear();
  expect_run_because(ReasonKind::EmptyProfile);
}

TEST_F(Select, runs_when_the_surroundings_changed) {
  const std::vector<std::pair<bool Circumstances::*, ReasonKind>> all = {
      {&Circumstances::build_flags, ReasonKind::ChangedFlags},
      {&Circumstances::compiler, ReasonKind::ChangedCompiler},
      {&Circumstances::benchmark, ReasonKind::ChangedBenchmark},
      {&Circumstances::inputs, ReasonKind::ChangedInputs}};
  for (const auto& [member, kind] : all) {
    candidate_.circumstances = {};
    candidate_.circumstances.*member = true;
    expect_run_because(kind);
  }
}

TEST_F(Select, runs_when_a_library_that_it_loads_changed) {
  train();
  candidate_.circumstances.libraries = {"/lib/libc.so.6"};
  for (const Method method : {Method::Evidence, Method::Perphecy}) {
    policy_.method = method;
    expect_run_because(ReasonKind::ChangedLibrary);
  }
  candidate_.circumstances.libraries = {"/lib/libm.so.6"};
  EXPECT_EQ(decide_it().choice, Choice::Skip);
}

TEST_F(Select, runs_when_samples_are_too_few_to_tell) {
  profile_.counting = Counting::Sampled;
  profile_.instructions = 900;
  expect_run_because(ReasonKind::FewSamples);
  profile_.instructions = 1000;
  difference_.changes = {change(ChangeKind::Changed, "vacuum", 9),
                         change(ChangeKind::Changed, "analyze", 9)};
  EXPECT_EQ(decide_it().choice, Choice::Skip);
  EXPECT_EQ(sentence(decide_it().reasons.front()),
            "nothing that its samples show changed (they may leave out 0.30 %; 2 functions changed "
            "elsewhere)");
}

TEST_F(Select, runs_when_the_last_profile_is_too_far_away) {
  policy_.most_hops = 10;
  candidate_.hops = 10;
  EXPECT_EQ(decide_it().choice, Choice::Skip);
  candidate_.hops = 11;
  expect_run_because(ReasonKind::TooFarAway);
}

TEST_F(Select, trained_runs_the_likely_and_skips_the_harmless) {
  train();
  const fakes::PlantedHistory history("planted", fakes::PlantedSize{}, 4);
  candidate_.profile = &history.profile(0);
  candidate_.compared = {"program"};
  std::map<ReasonKind, std::size_t> seen;
  for (std::size_t commit = 1; commit <= 200; ++commit) {
    difference_ = history.difference(commit - 1, commit);
    const Decision decision = decide_it();
    const ReasonKind kind = decision.reasons.front().kind;
    ++seen[kind];
    const bool likely = decision.probability >= learned_.probability.run_from;
    EXPECT_EQ(kind == ReasonKind::LikelyEnough, likely);
    EXPECT_EQ(decision.choice, likely ? Choice::Run : Choice::Skip);
  }
  EXPECT_GE(seen[ReasonKind::LikelyEnough], 5);
  EXPECT_GE(seen[ReasonKind::LearnedHarmless], 5);
  EXPECT_GE(seen[ReasonKind::NothingChanged], 5);
  EXPECT_GE(seen[ReasonKind::NothingExecutedChanged], 5);
}

TEST_F(Select, trained_runs_a_change_of_a_kind_that_it_never_saw) {
  train();
  profile_.instructions = 100'000'000;
  difference_.changes = {change(ChangeKind::Changed, "insertCell", 0)}; // only data
  expect_run_because(ReasonKind::BeyondTraining);
}

TEST_F(Select, by_thresholds_names_the_indicator) {
  policy_.method = Method::Perphecy;
  learned_.thresholds.by_benchmark[""] = {
      .any = {{Indicator::TopByInstructions, 90}}, .hits = 1, .dismissed = 5};
  difference_.changes = {change(ChangeKind::Changed, "step", 2)};
  const Decision run = decide_it();
  EXPECT_EQ(run.choice, Choice::Run);
  EXPECT_EQ(sentence(run.reasons.front()), "top_by_instructions is 100, at least 90");
  difference_.changes = {change(ChangeKind::Changed, "insertCell", 2)};
  const Decision skip = decide_it();
  EXPECT_EQ(skip.choice, Choice::Skip);
  EXPECT_EQ(sentence(skip.reasons.front()),
            "no indicator reaches its threshold, learned from 6 examples");
}

TEST_F(Select, by_thresholds_without_hits_in_training_is_untrained) {
  policy_.method = Method::Perphecy;
  learned_.thresholds.by_benchmark[""] = {.any = {}, .hits = 0, .dismissed = 50};
  difference_.changes = {change(ChangeKind::Changed, "insertCell", 2)};
  expect_run_because(ReasonKind::Untrained);
}

TEST_F(Select, lists_the_weightiest_changes_and_counts_the_others) {
  difference_.changes = {change(ChangeKind::Changed, "insertCell", 50),
                         change(ChangeKind::Changed, "step", 50)};
  policy_.most_of_a_kind = 1;
  const Decision decision = decide_it();
  EXPECT_EQ(sentence(decision.reasons.back()),
            "changed: step, 70.0 % of this benchmark's instructions, and 1 more");
}

TEST(Audit, runs_a_random_share_of_the_skipped) {
  std::mt19937_64 random(1);
  std::set<std::size_t> ever;
  for (int round = 0; round < 400; ++round) {
    std::vector<Decision> decisions(50);
    for (std::size_t i = 10; i < decisions.size(); ++i)
      decisions[i].choice = Choice::Skip;
    audit(decisions, 0.05, random);
    std::size_t audited = 0;
    for (std::size_t i = 0; i < decisions.size(); ++i)
      if (decisions[i].audited) {
        EXPECT_EQ(decisions[i].choice, Choice::Run);
        EXPECT_EQ(decisions[i].reasons.front().kind, ReasonKind::Audit);
        EXPECT_GE(i, 10);
        ever.insert(i);
        ++audited;
      }
    EXPECT_EQ(audited, 2);
  }
  EXPECT_EQ(ever.size(), 40);
}

TEST(Audit, keeps_its_share_where_little_is_skipped) {
  std::mt19937_64 random(2);
  int audited = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Decision> decisions(9);
    for (Decision& decision : decisions)
      decision.choice = Choice::Skip;
    audit(decisions, 0.05, random);
    audited += static_cast<int>(std::ranges::count_if(decisions, &Decision::audited));
  }
  // 0.45 a round; four standard deviations of 2000 rounds are 89.
  EXPECT_NEAR(audited, 900, 89);
}

TEST(Audit, of_nothing_or_no_share_does_nothing) {
  std::mt19937_64 random(1);
  std::vector<Decision> decisions(3);
  audit(decisions, 1, random);
  EXPECT_FALSE(std::ranges::any_of(decisions, &Decision::audited));
  decisions.front().choice = Choice::Skip;
  audit(decisions, 0, random);
  EXPECT_EQ(decisions.front().choice, Choice::Skip);
}

} // namespace
} // namespace dragnet::select
