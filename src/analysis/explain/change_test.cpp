// The idea: three quantities of a stack are judged, the amount per run, the calls per run and the
// average per call, because each sees what the others miss. Where the values of both sides repeat,
// a difference is a fact. Otherwise Welch's test decides, with a spread of at least what is usual
// among the stacks (few runs agree by chance), and only where a rank test does not contradict it
// (a single odd run proves nothing). Holm's correction covers all stacks that are large enough to
// matter, which is decided by the mean of both sides, so that it favours neither.
#include "analysis/explain/change_test.h"

#include "analysis/explain/spectrum.h"
#include "analysis/explain/watched.h"
#include "stats/classic.h"
#include "stats/distributions.h"
#include "stats/holm.h"
#include "stats/quantiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::explain {
namespace {

constexpr double rank_rate = 0.05;
constexpr std::size_t quantities = 3;
using Values = std::vector<double>;

// One quantity of one stack, on its way to a Change.
struct Question {
  Values before;
  Values now;
  double share = 0;
  double weight = 0; ///< of the stack in a run, as a share: the mean of both sides
  double p_value = 1;
};

double mean(const Values& values) {
  double sum = 0;
  for (const double value : values)
    sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double variance(const Values& values) {
  if (values.size() < 2)
    return 0;
  const double centre = mean(values);
  double sum = 0;
  for (const double value : values)
    sum += (value - centre) * (value - centre);
  return sum / static_cast<double>(values.size() - 1);
}

bool repeats(const Values& values) {
  if (values.empty())
    return true;
  const auto [low, high] = std::ranges::minmax(values);
  return high - low <= 1e-9 * std::max(std::fabs(low), std::fabs(high));
}

bool is_exact(const Question& question) {
  return repeats(question.before) && repeats(question.now);
}

// How much values differ from run to run, as a share of their mean.
double relative_spread(const Question& question) {
  const double centre = (mean(question.before) + mean(question.now)) / 2;
  const double spread = std::max(variance(question.before), variance(question.now));
  return centre > 0 ? std::sqrt(spread) / centre : 0;
}

// Of all ways to divide the runs into sides, the part that separates them as completely.
double least_rank_p(std::size_t before, std::size_t now) {
  double ways = 1;
  for (std::size_t i = 1; i <= now; ++i)
    ways *= static_cast<double>(before + i) / static_cast<double>(i);
  return std::min(1.0, 2 / ways);
}

bool are_enough(std::size_t before, std::size_t now) {
  return least_rank_p(before, now) <= rank_rate;
}

bool ranks_agree(const Question& question) {
  const double least = least_rank_p(question.before.size(), question.now.size());
  return stats::mann_whitney(question.before, question.now).p_value <=
         std::max(rank_rate, least * 1.0001);
}

// Welch's test, with at least a usual spread on each side; a side of one run borrows the other's.
double welch_p(const Question& question, double usual_spread) {
  const auto old_runs = static_cast<double>(question.before.size());
  const auto new_runs = static_cast<double>(question.now.size());
  const double difference = mean(question.now) - mean(question.before);
  const double floor = std::pow(usual_spread * (mean(question.before) + mean(question.now)) / 2, 2);
  double old_variance = variance(question.before);
  double new_variance = variance(question.now);
  old_variance = std::max(old_runs < 2 ? new_variance : old_variance, floor) / old_runs;
  new_variance = std::max(new_runs < 2 ? old_variance * old_runs : new_variance, floor) / new_runs;
  const double sum = old_variance + new_variance;
  if (sum <= 0)
    return difference == 0 ? 1 : 0;
  const double degrees =
      (sum * sum) / ((old_variance * old_variance / std::max(old_runs - 1, 1.0)) +
                     (new_variance * new_variance / std::max(new_runs - 1, 1.0)));
  return 2 * stats::student_cdf(-std::fabs(difference) / std::sqrt(sum), degrees);
}

Values values_of(std::span<const RunUse> runs, double (*quantity)(const RunUse&),
                 bool only_calling) {
  Values values;
  for (const RunUse& run : runs)
    if (!only_calling || run.calls > 0)
      values.push_back(quantity(run));
  return values;
}

double part(double amount, double total) {
  return total > 0 ? amount / total : 0;
}

std::array<Question, quantities> questions_of(const Evidence& evidence) {
  const auto amount = [](const RunUse& run) { return run.amount; };
  const auto calls = [](const RunUse& run) { return run.calls; };
  const auto per_call = [](const RunUse& run) { return run.per_call(); };
  const auto question = [&](double (*quantity)(const RunUse&), double total, double times) {
    // Without a call there is no average.
    const bool only_calling = times > 0;
    Question made{.before = values_of(evidence.before, quantity, only_calling),
                  .now = values_of(evidence.now, quantity, only_calling)};
    const double factor = only_calling ? times : 1;
    made.share = part(factor * (mean(made.now) - mean(made.before)), total);
    made.weight = part(factor * (mean(made.now) + mean(made.before)) / 2, total);
    if (only_calling && (made.before.empty() || made.now.empty()))
      made.share = made.weight = 0;
    return made;
  };
  // At the calls that both sides made: more of them is another change.
  const double common_calls = std::min(mean_of(evidence.before).calls, mean_of(evidence.now).calls);
  return {question(amount, evidence.total.amount, 0), question(calls, evidence.total.calls, 0),
          question(per_call, evidence.total.amount, common_calls)};
}

class Jury {
public:
  Jury(std::span<const Evidence> evidence, const Thresholds& thresholds)
      : evidence_(evidence), thresholds_(thresholds) {
    for (const Evidence& one : evidence)
      for (const Question& question : questions_of(one))
        questions_.push_back(question);
    everything_repeats_ = std::ranges::all_of(
        questions_, [&](const Question& q) { return !matters(q) || is_exact(q); });
    test();
  }

  Judgements judge() const {
    Judgements judgements{.rows = {}, .repeats = everything_repeats_};
    for (std::size_t i = 0; i < evidence_.size(); ++i) {
      Judgement made{.amount = change(quantities * i),
                     .calls = change((quantities * i) + 1),
                     .per_call = change((quantities * i) + 2)};
      for (std::size_t k = 0; k < quantities; ++k)
        include(made, k, questions_[(quantities * i) + k]);
      judgements.rows.push_back(made);
      judgements.enough =
          judgements.enough && are_enough(evidence_[i].before.size(), evidence_[i].now.size());
    }
    return judgements;
  }

private:
  // What is less of a run than this cannot have changed by enough.
  bool matters(const Question& question) const {
    return question.weight >= thresholds_.smallest_share / 2;
  }

  bool is_tested(const Question& question) const {
    return matters(question) && !is_exact(question);
  }

  // Of each quantity, how much it differs from run to run in the middle of the noisy rows.
  std::array<double, quantities> usual_spreads() const {
    std::array<Values, quantities> spreads;
    for (std::size_t i = 0; i < questions_.size(); ++i)
      if (is_tested(questions_[i]))
        spreads[i % quantities].push_back(relative_spread(questions_[i]));
    std::array<double, quantities> usual{};
    for (std::size_t i = 0; i < quantities; ++i)
      usual[i] = spreads[i].size() < 3 ? 0 : stats::median(spreads[i]);
    return usual;
  }

  void test() {
    const auto usual = usual_spreads();
    std::vector<std::size_t> tested;
    Values p_values;
    for (std::size_t i = 0; i < questions_.size(); ++i)
      if (is_tested(questions_[i])) {
        tested.push_back(i);
        p_values.push_back(welch_p(questions_[i], usual[i % quantities]));
      }
    const auto adjusted = stats::holm_adjusted(p_values);
    for (std::size_t i = 0; i < tested.size(); ++i) {
      Question& question = questions_[tested[i]];
      const bool significant = adjusted[i] <= thresholds_.family_rate;
      question.p_value = significant && !ranks_agree(question) ? 1 : adjusted[i];
    }
  }

  // In a program whose runs differ, values that repeat may do so by chance: then it takes as many
  // runs as a rank test needs.
  double exact_p(const Question& question) const {
    const bool enough =
        everything_repeats_ || are_enough(question.before.size(), question.now.size());
    return question.share != 0 && enough ? 0 : 1;
  }

  Change change(std::size_t i) const {
    const Question& question = questions_[i];
    const bool exact = is_exact(question);
    Change made{.before = mean(question.before),
                .now = mean(question.now),
                .share = question.share,
                .p_value = exact ? exact_p(question) : question.p_value,
                .exact = exact};
    const double smallest = exact ? thresholds_.smallest_exact_share : thresholds_.smallest_share;
    made.counts = made.p_value <= thresholds_.family_rate && std::fabs(made.share) >= smallest;
    return made;
  }

  static void include(Judgement& judgement, std::size_t quantity, const Question& question) {
    const std::array<const Change*, quantities> changes{&judgement.amount, &judgement.calls,
                                                        &judgement.per_call};
    if (!changes[quantity]->counts)
      return;
    judgement.changed = true;
    judgement.effect = std::max(judgement.effect, std::fabs(changes[quantity]->share));
    const auto [low, high] = question.before.empty() ? std::ranges::minmax_result<double>{0, 0}
                                                     : std::ranges::minmax(question.before);
    const auto inside = std::ranges::count_if(
        question.now, [&](double value) { return value >= low && value <= high; });
    judgement.similarity =
        std::min(judgement.similarity,
                 similarity_to_ones(static_cast<std::size_t>(inside), question.now.size()));
  }

  std::span<const Evidence> evidence_;
  const Thresholds& thresholds_;
  std::vector<Question> questions_;
  bool everything_repeats_ = true;
};

} // namespace

Judgements judged(std::span<const Evidence> evidence, const Thresholds& thresholds) {
  return Jury(evidence, thresholds).judge();
}

} // namespace dragnet::explain
