#include "analysis/variants/attribution.h"

#include "analysis/variants/answer.h"
#include "analysis/variants/sampling.h"
#include "model/configuration.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::variants {
namespace {

// How probable conditions of 0, 1, 2... literals are beforehand: most changes have to do with one
// option, interactions of many are rare (Mühlbauer et al. 2020, section 3.1).
constexpr std::array<double, 6> size_weights = {0.10, 0.60, 0.16, 0.07, 0.04, 0.03};
// So many of the most plausible literals are combined to conditions of each size.
constexpr std::array<std::size_t, 6> combined = {0, 1000, 64, 20, 14, 12};
// How probable it is that any alternative but one must be on, against that one.
constexpr double another = 0.3;
constexpr std::size_t drawn = 150;     // larger conditions of each size, where not all are made
constexpr double contradiction = 5;    // nats against a literal
constexpr std::size_t most_kept = 256; // testimonies
constexpr double most_improbable = 1e-12;

using Who = std::array<std::uint64_t, most_kept / 64>; // a set of testimonies

double log_of_choices(std::size_t all, std::size_t taken) {
  double sum = 0;
  for (std::size_t i = 0; i < taken; ++i)
    sum += std::log(static_cast<double>(all - i) / static_cast<double>(i + 1));
  return sum;
}

// Makes and weighs conditions.
class Weighing {
public:
  Weighing(std::span<const Testimony> testimonies, const LearnRule& rule, std::size_t options)
      : options_(options), holding_(2 * options), negations_(options, std::log(rule.negation)) {
    for (std::size_t option = 0; option < rule.alternatives.size(); ++option)
      if (rule.alternatives.on(option))
        negations_[option] = std::log(another);
    const std::size_t from = testimonies.size() - std::min(testimonies.size(), most_kept);
    for (std::size_t i = from; i < testimonies.size(); ++i) {
      const std::size_t at = i - from;
      ratios_.push_back(testimonies[i].log_ratio);
      everybody_[at / 64] |= std::uint64_t{1} << (at % 64);
      for (std::size_t literal = 0; literal < 2 * options; ++literal)
        if (testimonies[i].literals.on(literal))
          holding_[literal][at / 64] |= std::uint64_t{1} << (at % 64);
    }
  }

  // The evidence of configurations that changed without it.
  double against(std::size_t literal) const {
    double sum = 0;
    for (std::size_t i = 0; i < ratios_.size(); ++i)
      if ((holding_[literal][i / 64] >> (i % 64) & 1U) == 0)
        sum += std::max(0.0, ratios_[i]);
    return sum;
  }
  double log_weight(const std::vector<std::size_t>& literals, double log_share) const {
    Who who = everybody_;
    double weight = std::log(size_weights.at(literals.size())) + log_share;
    for (const std::size_t literal : literals) {
      for (std::size_t word = 0; word < who.size(); ++word)
        who.at(word) &= holding_[literal].at(word);
      weight += literal >= options_ ? negations_[literal - options_] : 0;
    }
    for (std::size_t word = 0; word < who.size(); ++word)
      for (std::uint64_t rest = who.at(word); rest != 0; rest &= rest - 1)
        weight += ratios_[(word * 64) + static_cast<std::size_t>(std::countr_zero(rest))];
    return weight;
  }
  void add(const std::vector<std::size_t>& literals, double log_share) {
    made_.push_back({literals, log_weight(literals, log_share)});
  }
  // All sets of so many of the literals.
  void combine(std::span<const std::size_t> literals, std::size_t size) {
    std::vector<std::size_t> chosen;
    combine_more(literals, size, chosen, -log_of_choices(options_, size));
  }
  // Some sets of so many of the literals, which stand for all of them.
  void draw(std::span<const std::size_t> literals, std::size_t size, Random& random) {
    const double log_share = log_of_choices(literals.size(), size) -
                             log_of_choices(options_, size) - std::log(static_cast<double>(drawn));
    for (std::size_t i = 0; i < drawn; ++i) {
      std::vector<std::size_t> chosen;
      while (chosen.size() < size)
        if (const std::size_t next = literals[below(random, literals.size())];
            std::ranges::find(chosen, next) == chosen.end())
          chosen.push_back(next);
      std::ranges::sort(chosen);
      add(chosen, log_share);
    }
  }
  std::vector<Hypothesis> take() {
    double largest = made_.front().probability;
    for (const Hypothesis& hypothesis : made_)
      largest = std::max(largest, hypothesis.probability);
    double total = 0;
    for (Hypothesis& hypothesis : made_)
      total += hypothesis.probability = std::exp(hypothesis.probability - largest);
    for (Hypothesis& hypothesis : made_)
      hypothesis.probability /= total;
    std::erase_if(made_, [](const Hypothesis& h) { return h.probability < most_improbable; });
    std::ranges::stable_sort(made_, std::ranges::greater{}, &Hypothesis::probability);
    return std::move(made_);
  }

private:
  void combine_more(std::span<const std::size_t> literals, std::size_t size,
                    std::vector<std::size_t>& chosen, double log_share) {
    if (chosen.size() == size) {
      std::vector<std::size_t> sorted = chosen;
      std::ranges::sort(sorted);
      add(sorted, log_share);
      return;
    }
    for (std::size_t i = 0; i < literals.size(); ++i) {
      chosen.push_back(literals[i]);
      combine_more(literals.subspan(i + 1), size, chosen, log_share);
      chosen.pop_back();
    }
  }

  std::size_t options_;
  std::vector<Who> holding_;      // by literal
  std::vector<double> negations_; // by option: log of how probable it is that it must be off
  Who everybody_{};
  std::vector<double> ratios_;
  std::vector<Hypothesis> made_; // until they are taken, the probability is a log weight
};

} // namespace

Configuration literals_of(const Configuration& configuration) {
  const std::size_t options = configuration.size();
  Configuration literals(2 * options);
  for (std::size_t option = 0; option < options; ++option)
    literals.set(configuration.on(option) ? option : options + option, true);
  return literals;
}

Attribution::Attribution(const Configuration& witness, std::span<const Testimony> testimonies,
                         const LearnRule& rule, Random& random) {
  const std::size_t options = witness.size();
  Weighing weighing(testimonies, rule, options);
  const Configuration held = literals_of(witness);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t literal = 0; literal < 2 * options; ++literal)
    if (held.on(literal))
      order.emplace_back(weighing.against(literal) + (literal >= options ? 1 : 0), literal);
  std::ranges::stable_sort(order);
  std::vector<std::size_t> literals;
  for (const auto& [against, literal] : order) {
    literals.push_back(literal);
    if (against < contradiction + 1)
      possible_.push_back(literal);
  }
  weighing.add({}, 0);
  for (std::size_t size = 1; size <= std::min({rule.most_interacting, options, std::size_t{5}});
       ++size) {
    const std::size_t used = std::min(literals.size(), combined.at(size));
    weighing.combine(std::span(literals).first(used), size);
    const auto on = static_cast<std::size_t>(
        std::ranges::count_if(possible_, [&](std::size_t literal) { return literal < options; }));
    if (on > used)
      weighing.draw(possible_, size, random);
  }
  hypotheses_ = weighing.take();
}

double Attribution::affects(const Configuration& literals) const {
  double sum = 0;
  for (const Hypothesis& hypothesis : hypotheses_)
    if (std::ranges::all_of(hypothesis.literals,
                            [&](std::size_t literal) { return literals.on(literal); }))
      sum += hypothesis.probability;
  return sum;
}

double involves(std::span<const Hypothesis> hypotheses, std::size_t literal) {
  double sum = 0;
  for (const Hypothesis& hypothesis : hypotheses)
    if (std::ranges::binary_search(hypothesis.literals, literal))
      sum += hypothesis.probability;
  return sum;
}

Hypothesis most_credible(std::span<const Hypothesis> hypotheses, std::size_t options) {
  const Hypothesis& best = hypotheses.front();
  if (best.probability >= 0.5)
    return best;
  Hypothesis median;
  for (std::size_t literal = 0; literal < 2 * options; ++literal)
    if (involves(hypotheses, literal) >= 0.5)
      median.literals.push_back(literal);
  if (median.literals.empty())
    return best;
  const auto known = std::ranges::find(hypotheses, median.literals, &Hypothesis::literals);
  median.probability = known == hypotheses.end() ? 0 : known->probability;
  return median;
}

double stated(const Hypothesis& told) {
  return std::max(told.probability, 0.5 + (0.35 * told.probability));
}

Condition condition_of(const Hypothesis& hypothesis, std::size_t options) {
  Condition condition;
  for (const std::size_t literal : hypothesis.literals)
    (literal < options ? condition.on : condition.off).push_back(literal % options);
  return condition;
}

} // namespace dragnet::variants
