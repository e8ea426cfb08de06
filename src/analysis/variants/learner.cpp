#include "analysis/variants/learner.h"

#include "analysis/variants/answer.h"
#include "analysis/variants/attribution.h"
#include "analysis/variants/notebook.h"
#include "analysis/variants/pursuit.h"
#include "analysis/variants/sampling.h"
#include "analysis/variants/segments.h"
#include "analysis/variants/survey.h"
#include "base/result.h"
#include "model/configuration.h"
#include "model/variant_lab.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

namespace dragnet::variants {
namespace {

constexpr std::size_t first_repeats = 3; // of both ends of the first configuration
constexpr double recorded_noise = 0.2;   // of the threshold, at least, in recorded data
// The same for counts that repeat: what is so much smaller need not be looked at.
constexpr double measured_noise = 0.02;
constexpr std::size_t recorded_positions = 17; // of a first look at recorded data
constexpr double hardly_any = 1e-4;            // noise
constexpr std::size_t most_found = 200;
constexpr int most_refusals = 10;   // of the first configurations
constexpr std::size_t nearby = 3;   // commits within which the same change is not told twice
constexpr double improbable = 0.01; // not worth listing
constexpr double nearly = 0.9;      // of the threshold: an estimate may be a little low

// A step in a configuration that no known change explains.
struct Unexplained {
  std::size_t number = 0;
  std::size_t low = 0;
  std::size_t high = 0;
  double deviations = 0;
};

LearnRule adapted(LearnRule rule, const VariantLab& lab, ValidConfigurations& space) {
  if (lab.repeats())
    return rule;
  rule.positions = std::max(rule.positions, recorded_positions);
  rule.alternatives = alternatives(space);
  return rule;
}

class Learner {
public:
  Learner(VariantLab& lab, ValidConfigurations& space, std::size_t commits, const LearnRule& rule,
          Random& random)
      : rule_(adapted(rule, lab, space)), notebook_(lab, commits, rule.measurements), space_(space),
        tools_{notebook_, space, rule_, random, Noise{0.01}},
        survey_(notebook_, space, rule_, random) {
    survey_.divide_by(
        [this](const Configuration& configuration) { return known_in(configuration); });
  }

  Result<> begin() {
    const std::size_t options = space_.options();
    for (const bool on : {true, false})
      // The program may refuse it; then the space knows of another one.
      for (int i = 0; i < most_refusals; ++i) {
        const auto end = space_.near(Configuration(options, on), {});
        if (!end)
          break;
        TRY(look({*end, survey_.spread(rule_.positions, true)}));
        if (!notebook_.refused(notebook_.number_of(*end)))
          break;
      }
    return notebook_.repeats() ? success() : look_at_pairs();
  }
  Result<> look(const Look& wanted) {
    const std::size_t number = notebook_.number_of(wanted.configuration);
    for (const std::size_t commit : wanted.commits)
      TRY(measure_or_older(number, commit));
    listen_to_noise();
    for (int i = 0; i < 2 && notebook_.size() == 1 && tools_.noise.relative > hardly_any; ++i) {
      TRY(look_at_noise(number));
      listen_to_noise();
    }
    return settle();
  }
  // Another round; false when there is nothing more to do.
  Result<bool> round() {
    // Reading costs nothing: the budget alone ends it.
    if (notebook_.spent() || (notebook_.repeats() && done() >= rule_.confidence))
      return false;
    const std::optional<Look> next = survey_.next(tools_.noise);
    if (!next)
      return false;
    const std::size_t before = notebook_.measurements();
    TRY(look(*next));
    TRY(clarify());
    return notebook_.measurements() > before;
  }
  Answer answer() {
    Answer result{.changes = {},
                  // A step that could not be followed any more is another change.
                  .done = notebook_.spent() && next_step() ? 0 : done(),
                  .noise = tools_.noise.relative,
                  .measurements = notebook_.measurements(),
                  .cells = notebook_.measured_cells(),
                  .configurations = notebook_.size(),
                  .broken = {notebook_.broken().begin(), notebook_.broken().end()},
                  .rows = {}};
    for (Found& found : found_) {
      Pursuit(tools_, found_).weigh(found);
      if (!notebook_.repeats())
        Pursuit(tools_, found_).show_best(found);
      if (std::abs(found.relative) >= least_told() * rule_.threshold && !told(found))
        result.changes.push_back(change_of(found, Pursuit(tools_, found_).told(found)));
    }
    std::ranges::stable_sort(result.changes, {}, &ChangePoint::commit);
    return result;
  }
  std::vector<MeasuredRow> measured() const { return notebook_.measured(); }

private:
  // In parts of the threshold. The largest of many recorded steps is not too low an estimate.
  double least_told() const { return notebook_.repeats() ? nearly : 1; }
  // Recorded configurations are few and cannot be made to measure: each pair of options is looked
  // at first.
  Result<> look_at_pairs() {
    for (const Configuration& configuration : pair_wise(space_))
      if (notebook_.measurements() < rule_.measurements / 3)
        TRY(look({configuration, survey_.spread(rule_.positions, true)}));
    return success();
  }
  // Where a commit does not build, the nearest older one that does takes its place.
  Result<> measure_or_older(std::size_t number, std::size_t commit) {
    for (std::size_t at = commit; !notebook_.spent() && !notebook_.refused(number); --at) {
      if (TRY(notebook_.measure(number, at)) || !notebook_.hopeless(number, at) || at == 0 ||
          notebook_.cells(number).contains(at - 1))
        break;
    }
    return success();
  }
  Result<> look_at_noise(std::size_t number) {
    const std::size_t last = notebook_.commits() - 1;
    for (std::size_t i = 1; i <= std::min(first_repeats, last); ++i) {
      TRY(notebook_.measure(number, notebook_.repeats() ? 0 : i));
      TRY(notebook_.measure(number, notebook_.repeats() ? last : last - i));
    }
    return success();
  }
  void listen_to_noise() {
    const double share = notebook_.repeats() ? measured_noise : recorded_noise;
    const double smallest = std::max(rule_.smallest_noise, share * rule_.threshold);
    for (int i = 0; i < 3; ++i) // the segments depend on the noise, and it on them
      tools_.noise = noise_of(notebook_, tools_.noise, smallest);
  }
  // The expected number of changes that were missed, as if there were one more than was found.
  double done() {
    const auto expected = static_cast<double>(found_.size() + 1);
    return std::exp(-expected * survey_.missed(tools_.noise));
  }

  Result<> settle() {
    while (!notebook_.spent() && found_.size() < most_found) {
      const std::optional<Unexplained> step = next_step();
      if (!step)
        break;
      TRY(handle(*step));
      listen_to_noise();
    }
    return success();
  }
  // What is found later may show that a condition is not as sure as it was.
  Result<> clarify() {
    for (Found& found : found_)
      if (!notebook_.spent())
        TRY(Pursuit(tools_, found_).clarify(found));
    return success();
  }
  // The most evident step that is not explained and was not given up.
  std::optional<Unexplained> next_step() const {
    std::optional<Unexplained> best;
    const auto offer = [&](const Unexplained& step) {
      if ((!best || step.deviations > best->deviations) &&
          !given_up_.contains({step.number, step.low, step.high}))
        best = step;
    };
    for (std::size_t number = 0; number < notebook_.size(); ++number)
      for (const Unexplained& step : steps_of(number))
        offer(step);
    return best;
  }
  // The commits of the known changes that affect a configuration.
  std::set<std::size_t> known_in(const Configuration& configuration) const {
    std::set<std::size_t> commits;
    for (const Found& found : found_)
      if (found.affects(configuration))
        commits.insert(found.commit);
    return commits;
  }
  // The known changes divide a configuration's cells; each part should have one level.
  std::vector<Unexplained> steps_of(std::size_t number) const {
    const Cells& cells = notebook_.cells(number);
    std::set<std::size_t> bounds = known_in(notebook_.configuration(number));
    bounds.insert(notebook_.commits());
    std::vector<Unexplained> steps;
    std::optional<Segment> before;
    auto begin = cells.begin();
    for (const std::size_t bound : bounds) {
      const auto end = cells.lower_bound(bound);
      if (begin == end)
        continue;
      const std::vector<Segment> all = segments({begin, end}, tools_.noise, rule_.suspicion);
      for (std::size_t i = 1; i < all.size(); ++i)
        if (!too_small(all[i - 1], all[i]))
          steps.push_back(step_between(number, all[i - 1], all[i]));
      if (before && !expected(number, *before, all.front()))
        steps.push_back(step_between(number, *before, all.front()));
      before = all.back();
      begin = end;
    }
    return steps;
  }
  Unexplained step_between(std::size_t number, const Segment& left, const Segment& right) const {
    return {number, left.last, right.first,
            std::abs(deviations_between(left, right, tools_.noise))};
  }
  // Recorded data have no smaller configuration in which the same step would be larger.
  bool too_small(const Segment& left, const Segment& right) const {
    return !notebook_.repeats() &&
           std::abs(right.mean - left.mean) < 0.7 * rule_.threshold * std::abs(left.mean);
  }
  // Whether the known changes between two commits may make up the step: together at least half, and
  // at most twice, of what they are where they were found, or of the same in proportion. What was
  // measured on both sides of a change needs no such guess.
  bool expected(std::size_t number, const Segment& left, const Segment& right) const {
    const double step = right.mean - left.mean;
    double same = 0;
    double in_proportion = 0;
    for (const Found& found : found_)
      if (found.commit > left.last && found.commit <= right.first &&
          found.affects(notebook_.configuration(number))) {
        if (found.after <= left.last && found.commit == right.first)
          return true;
        same += found.size;
        in_proportion += found.relative * std::abs(left.mean);
      }
    const auto [low, high] =
        std::minmax({same / 2, same * 2, in_proportion / 2, in_proportion * 2});
    const double off = std::max({low - step, step - high, 0.0});
    Segment other = right;
    other.mean = right.mean + (step > high ? -off : off);
    return std::abs(deviations_between(other, right, tools_.noise)) < rule_.suspicion;
  }

  Result<> handle(const Unexplained& step) {
    const std::size_t before = notebook_.measurements();
    if (!TRY(Pursuit(tools_, found_).confirm(step.number, step.low, step.high)))
      return give_up(step);
    if (notebook_.measurements() > before)
      return success(); // its bounds may have moved
    for (const Found& found : found_) {
      if (found.commit <= step.low || found.commit > step.high)
        continue;
      for (const std::size_t commit : {found.after, found.commit})
        if (!notebook_.cells(step.number).contains(commit))
          TRY(notebook_.measure(step.number, commit));
    }
    if (notebook_.measurements() > before)
      return success();
    return add(step);
  }
  Result<> give_up(const Unexplained& step) {
    given_up_.insert({step.number, step.low, step.high});
    return success();
  }
  // A step at the commit of a known change may only show that its condition is another.
  bool belongs_to_known(const Unexplained& step) {
    bool belongs = false;
    for (Found& found : found_)
      if (found.commit > step.low && found.after < step.high) {
        Pursuit(tools_, found_).weigh(found);
        if (!found.affects(notebook_.configuration(step.number)))
          continue;
        belongs = true;
        if (!notebook_.repeats())
          Pursuit(tools_, found_).show_in(found, step.number);
      }
    return belongs;
  }
  Result<> add(const Unexplained& step) {
    TRY(give_up(step)); // whatever comes of it, once is enough
    if (belongs_to_known(step))
      return success();
    const auto found = TRY(Pursuit(tools_, found_).pursue(step.number, step.low, step.high));
    if (!found || known(*found))
      return success();
    found_.push_back(*found);
    for (Found& each : found_)
      Pursuit(tools_, found_).weigh(each);
    return look_beside(found_.back());
  }
  bool known(const Found& found) const {
    return std::ranges::any_of(found_, [&](const Found& other) {
      const bool near =
          other.commit + nearby >= found.commit && found.commit + nearby >= other.commit;
      return near && (other.size > 0) == (found.size > 0) && !other.hypotheses.empty() &&
             !found.hypotheses.empty() &&
             other.hypotheses.front().literals == found.hypotheses.front().literals;
    });
  }
  // Whether one that was found before has become the same.
  bool told(const Found& found) const {
    const auto end = found_.begin() + (&found - found_.data());
    return std::ranges::any_of(found_.begin(), end, [&](const Found& other) {
      return other.commit == found.commit && other.after == found.after &&
             (other.size > 0) == (found.size > 0) &&
             other.hypotheses.front().literals == found.hypotheses.front().literals;
    });
  }
  // Without the condition nothing should change at this commit; otherwise there is another change.
  Result<> look_beside(const Found& found) {
    const std::size_t options = space_.options();
    const Configuration all(options, true);
    for (const std::size_t literal : found.hypotheses.front().literals) {
      const std::vector<Literal> fixed = {{literal % options, literal >= options}};
      const auto without = space_.near(all, fixed);
      if (!without)
        continue;
      const std::size_t number = notebook_.number_of(*without);
      if (!tells_at_once(found, number))
        break;
      TRY(notebook_.measure(number, found.after));
      TRY(notebook_.measure(number, found.commit));
      break;
    }
    return success();
  }

  // Whether one measurement on each side would show a step of this size.
  bool tells_at_once(const Found& found, std::size_t number) const {
    const double level =
        notebook_.cells(number).empty() ? notebook_.level(0) : notebook_.level(number);
    return std::abs(found.size) > rule_.evidence * tools_.noise.relative * level;
  }

  ChangePoint change_of(const Found& found, std::span<const Hypothesis> hypotheses) const {
    const std::size_t options = space_.options();
    const double level = std::abs(found.size / found.relative);
    const double margin = 1.96 * found.deviation / level;
    const Hypothesis told = most_credible(hypotheses, options);
    ChangePoint change;
    change.after = found.after;
    change.commit = found.commit;
    change.condition = condition_of(told, options);
    change.commit_probability = found.commit_probability;
    change.condition_probability = stated(told);
    change.shown_by = notebook_.configuration(found.witness);
    change.change = found.relative;
    change.interval = {found.relative - margin, found.relative + margin};
    for (std::size_t literal = 0; literal < 2 * options; ++literal)
      if (const double p = involves(hypotheses, literal); p >= improbable)
        change.options.push_back({{literal % options, literal < options}, p});
    return change;
  }

  LearnRule rule_;
  Notebook notebook_;
  ValidConfigurations& space_;
  Tools tools_;
  Survey survey_;
  std::vector<Found> found_;
  std::set<std::tuple<std::size_t, std::size_t, std::size_t>> given_up_;
};

} // namespace

Result<Answer> learn(VariantLab& lab, ValidConfigurations& space, std::size_t commits,
                     const LearnRule& rule, Random& random) {
  if (commits < 2)
    return Error{"a range of fewer than two commits has no change in it", "name a longer range"};
  if (!space.near(Configuration(space.options()), {}))
    return Error{"no configuration is valid", "loosen the constraints of the options"};
  Learner learner(lab, space, commits, rule, random);
  TRY(learner.begin());
  do {
    if (rule.listener)
      rule.listener(learner.answer());
  } while (TRY(learner.round()));
  Answer result = learner.answer();
  result.rows = learner.measured();
  return result;
}

} // namespace dragnet::variants
