#include "analysis/variants/synthetic.h"

#include "analysis/variants/plain_solver.h"
#include "analysis/variants/sampling.h"
#include "analysis/variants/score.h"
#include "base/result.h"
#include "model/configuration.h"
#include "model/variant_lab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::variants {
namespace {

// By how much of itself an influence changes, up or down; those of the authors' program.
constexpr std::array<double, 6> shifts = {0.5, 0.9, 0.99, 1.01, 1.1, 2};

std::vector<Literal> all_on(const Configuration& options) {
  std::vector<Literal> literals;
  for (std::size_t option = 0; option < options.size(); ++option)
    if (options.on(option))
      literals.push_back({option, true});
  return literals;
}

// Draws a system part by part.
class Synthesizer {
public:
  Synthesizer(const Synthesis& wanted, std::uint64_t seed) : wanted_(wanted), random_(seed) {}

  System make() {
    system_.commits = wanted_.commits;
    system_.noise = wanted_.noise;
    for (std::size_t option = 0; option < wanted_.options; ++option)
      system_.space.options.push_back("option" + std::to_string(option));
    if (wanted_.constrained)
      constrain();
    draw_terms();
    while (system_.events.size() < wanted_.change_points)
      draw_change();
    std::ranges::stable_sort(system_.events, {}, &Event::commit);
    return std::move(system_);
  }

private:
  // Disjoint groups, then clauses, each kept only if every option can still be on and off.
  void constrain() {
    std::vector<std::size_t> order(wanted_.options);
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    for (std::size_t i = 0; i < order.size(); ++i)
      std::swap(order[i], order[i + below(random_, order.size() - i)]);
    std::size_t used = 0;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, wanted_.options / 16); ++i) {
      const std::size_t size = 3 + below(random_, 2);
      OptionGroup group{.name = "group" + std::to_string(i), .options = {}, .levels = {}};
      group.choice = i % 2 == 0 ? Choice::ExactlyOne : Choice::AtMostOne;
      for (std::size_t j = 0; j < size; ++j)
        group.options.push_back(order[used++]);
      system_.space.groups.push_back(group);
    }
    for (std::size_t i = 0; i < wanted_.options / 4; ++i)
      add_clause();
  }
  void add_clause() {
    const std::size_t first = below(random_, wanted_.options);
    const std::size_t second = below(random_, wanted_.options);
    if (first == second)
      return;
    const bool implies = unit(random_) < 0.5;
    system_.space.clauses.push_back({.literals = {{first, false}, {second, implies}}, .text = ""});
    PlainSolver solver(system_.space);
    for (std::size_t option = 0; option < wanted_.options; ++option)
      for (const bool on : {false, true}) {
        const std::vector<Literal> fixed = {{option, on}};
        if (!solver.near(Configuration(wanted_.options), fixed)) {
          system_.space.clauses.pop_back();
          return;
        }
      }
  }

  double influence() {
    return wanted_.lowest_influence + (unit(random_) * (1 - wanted_.lowest_influence));
  }
  void draw_terms() {
    PlainSolver solver(system_.space);
    for (std::size_t option = 0; option < wanted_.options; ++option) {
      Term term{.options = Configuration(wanted_.options), .influence = influence()};
      term.options.set(option, true);
      system_.terms.push_back(term);
    }
    const auto interactions =
        static_cast<std::size_t>(wanted_.interaction_share * static_cast<double>(wanted_.options));
    while (system_.terms.size() < wanted_.options + interactions)
      if (const std::optional<Configuration> options = draw_interaction(solver))
        system_.terms.push_back({.options = *options, .influence = influence()});
    system_.terms.push_back({.options = Configuration(wanted_.options), .influence = influence()});
  }
  std::optional<Configuration> draw_interaction(PlainSolver& solver) {
    std::size_t degree = 2;
    while (unit(random_) >= wanted_.p_interaction)
      ++degree;
    degree = std::min({degree, wanted_.most_interacting, wanted_.options});
    Configuration options = with_random_on(wanted_.options, degree, random_);
    if (wanted_.constrained && !told_apart(solver, options))
      return std::nullopt;
    return options;
  }
  // Whether it can be on, and each option be off while the others are on.
  bool told_apart(PlainSolver& solver, const Configuration& options) const {
    const Configuration none(wanted_.options);
    std::vector<Literal> literals = all_on(options);
    if (!solver.near(none, literals))
      return false;
    for (Literal& literal : literals) {
      literal.on = false;
      if (!solver.near(none, literals))
        return false;
      literal.on = true;
    }
    return true;
  }

  double influence_at(std::size_t term, std::size_t commit) const {
    double value = system_.terms[term].influence;
    std::size_t latest = 0;
    for (const Event& event : system_.events)
      if (event.term == term && event.commit <= commit && event.commit >= latest) {
        latest = event.commit;
        value = event.after;
      }
    return value;
  }
  // A term changes at most twice, the second time to undo the first: no change can be overwritten,
  // as some are in the authors' program, where nobody can see them.
  void draw_change() {
    const std::size_t term = below(random_, system_.terms.size());
    if (std::ranges::any_of(system_.events, [&](const Event& e) { return e.term == term; }) &&
        system_.events.size() < system_.terms.size())
      return;
    const std::size_t commit = 1 + below(random_, wanted_.commits - 1);
    const double before = influence_at(term, commit);
    const double shift = shifts.at(below(random_, shifts.size()));
    const double after = before * (1 + (unit(random_) < 0.5 ? shift : -shift));
    system_.events.push_back({commit, term, before, after});
    const bool undone = unit(random_) < wanted_.cancelling;
    if (undone && commit + 1 < wanted_.commits && system_.events.size() < wanted_.change_points)
      system_.events.push_back(
          {commit + 1 + below(random_, wanted_.commits - commit - 1), term, after, before});
  }

  Synthesis wanted_;
  Random random_;
  System system_;
};

bool visible(const System& system, PlainSolver& solver, const Event& event, double threshold) {
  const auto fixed = all_on(system.terms[event.term].options);
  const auto smallest = solver.near(Configuration(system.space.options.size()), fixed);
  if (!smallest)
    return false;
  const double before = performance(system, *smallest, event.commit - 1);
  const double after = performance(system, *smallest, event.commit);
  return std::abs(after - before) >= threshold * std::abs(before);
}

} // namespace

System synthesize(const Synthesis& wanted, std::uint64_t seed) {
  return Synthesizer(wanted, seed).make();
}

double performance(const System& system, const Configuration& configuration, std::size_t commit) {
  double total = 0;
  for (const Term& term : system.terms)
    if (configuration.includes(term.options))
      total += term.influence;
  for (const Event& event : system.events)
    if (event.commit <= commit && configuration.includes(system.terms[event.term].options))
      total += event.after - event.before;
  return total;
}

std::vector<TrueAssociation> truth(const System& system, double threshold) {
  std::vector<TrueAssociation> associations;
  PlainSolver solver(system.space);
  for (const Event& event : system.events) {
    const bool seen = visible(system, solver, event, threshold);
    const std::vector<Literal> options = all_on(system.terms[event.term].options);
    if (options.empty())
      associations.push_back({.what = {event.commit, std::nullopt}, .visible = seen});
    for (const Literal& literal : options)
      associations.push_back({.what = {event.commit, literal.option}, .visible = seen});
  }
  return associations;
}

Result<Cell> SimulatedLab::measure(const Configuration& configuration, std::size_t commit) {
  ++measurements_;
  const double noise = system_.noise > 0 ? system_.noise * normal(random_) : 0;
  return Cell{.value = performance(system_, configuration, commit) * (1 + noise)};
}

} // namespace dragnet::variants
