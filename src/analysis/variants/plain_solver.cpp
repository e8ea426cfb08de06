#include "analysis/variants/plain_solver.h"

#include "model/configuration.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dragnet::variants {

// What is decided so far, in the order of deciding.
struct PlainSolver::Trail {
  std::vector<std::int8_t> values; // -1: open
  std::vector<std::size_t> decided;

  bool holds(const Literal& literal) const {
    return values[literal.option] == static_cast<std::int8_t>(literal.on);
  }
  bool open(const Literal& literal) const { return values[literal.option] < 0; }
  void undo(std::size_t until) {
    for (; decided.size() > until; decided.pop_back())
      values[decided.back()] = -1;
  }
};

PlainSolver::PlainSolver(const ConfigurationSpace& space)
    : options_(space.options.size()), clauses_(all_clauses(space)), clauses_of_(options_) {
  for (std::size_t i = 0; i < clauses_.size(); ++i)
    for (const Literal& literal : clauses_[i].literals)
      clauses_of_[literal.option].push_back(i);
}

// Decides a literal and all that follows from it; false where it contradicts.
bool PlainSolver::assign(Trail& trail, Literal literal) const {
  if (!trail.open(literal))
    return trail.holds(literal);
  const std::size_t from = trail.decided.size();
  trail.values[literal.option] = static_cast<std::int8_t>(literal.on);
  trail.decided.push_back(literal.option);
  return propagate(trail, from);
}

bool PlainSolver::propagate(Trail& trail, std::size_t from) const {
  for (std::size_t next = from; next < trail.decided.size(); ++next)
    for (const std::size_t number : clauses_of_[trail.decided[next]]) {
      const std::vector<Literal>& literals = clauses_[number].literals;
      if (std::ranges::any_of(literals, [&](const Literal& l) { return trail.holds(l); }))
        continue;
      const auto is_open = [&](const Literal& l) { return trail.open(l); };
      const auto last = std::ranges::find_if(literals, is_open);
      if (last == literals.end())
        return false;
      if (std::ranges::count_if(literals, is_open) > 1)
        continue;
      trail.values[last->option] = static_cast<std::int8_t>(last->on);
      trail.decided.push_back(last->option);
    }
  return true;
}

bool PlainSolver::complete(Trail& trail, const Configuration& wanted) const {
  const auto open = std::ranges::find(trail.values, std::int8_t{-1});
  if (open == trail.values.end())
    return true;
  const auto option = static_cast<std::size_t>(open - trail.values.begin());
  const std::size_t before = trail.decided.size();
  for (const bool on : {wanted.on(option), !wanted.on(option)}) {
    if (assign(trail, {option, on}) && complete(trail, wanted))
      return true;
    trail.undo(before);
  }
  return false;
}

bool PlainSolver::keeps_valid(const Configuration& configuration, std::size_t flipped) const {
  return std::ranges::all_of(clauses_of_[flipped], [&](std::size_t number) {
    return holds(clauses_[number], configuration);
  });
}

void PlainSolver::improve(Configuration& found, const Configuration& wanted,
                          std::span<const Literal> fixed) const {
  for (std::size_t option = 0; option < options_; ++option) {
    if (found.on(option) == wanted.on(option) ||
        std::ranges::any_of(fixed, [&](const Literal& l) { return l.option == option; }))
      continue;
    found.set(option, wanted.on(option));
    if (!keeps_valid(found, option))
      found.set(option, !wanted.on(option));
  }
}

std::optional<Configuration> PlainSolver::near(const Configuration& wanted,
                                               std::span<const Literal> fixed) {
  Trail trail{.values = std::vector<std::int8_t>(options_, -1), .decided = {}};
  for (const Clause& clause : clauses_) // what is certain from the beginning
    if (clause.literals.empty() ||
        (clause.literals.size() == 1 && !assign(trail, clause.literals.front())))
      return std::nullopt;
  for (const Literal& literal : fixed)
    if (!assign(trail, literal))
      return std::nullopt;
  if (!complete(trail, wanted))
    return std::nullopt;
  Configuration found(options_);
  for (std::size_t option = 0; option < options_; ++option)
    found.set(option, trail.values[option] == 1);
  improve(found, wanted, fixed);
  return found;
}

bool PlainSolver::valid(const Configuration& configuration) {
  return configuration.size() == options_ &&
         std::ranges::all_of(clauses_, [&](const Clause& c) { return holds(c, configuration); });
}

} // namespace dragnet::variants
