#include "project/formula.h"

#include "model/configuration.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::project {
namespace {

constexpr std::size_t most_clauses = 20'000;
constexpr std::size_t most_literals = 100'000;

bool always_holds(const Disjunction& disjunction) {
  return std::ranges::any_of(disjunction, [&](const Literal& literal) {
    return std::ranges::binary_search(disjunction, Literal{literal.option, !literal.on});
  });
}

Disjunction joined(const Disjunction& one, const Disjunction& other) {
  Disjunction both = one;
  both.insert(both.end(), other.begin(), other.end());
  std::ranges::sort(both);
  const auto repeated = std::ranges::unique(both);
  both.erase(repeated.begin(), repeated.end());
  return both;
}

// For each way in which one of the parts can hold: what follows.
std::optional<std::vector<Disjunction>> product(const std::vector<Disjunction>& one,
                                                const std::vector<Disjunction>& other) {
  if (one.size() * other.size() > most_clauses)
    return std::nullopt;
  std::vector<Disjunction> all;
  for (const Disjunction& left : one)
    for (const Disjunction& right : other)
      if (Disjunction both = joined(left, right); !always_holds(both))
        all.push_back(std::move(both));
  return all;
}

// Whether there are so few ways to choose some of many that all can be written down.
bool few_choices(std::size_t many, std::size_t some) {
  double ways = 1;
  for (std::size_t i = 0; i < std::min(some, many - some); ++i)
    ways = ways * static_cast<double>(many - i) / static_cast<double>(i + 1);
  return ways <= static_cast<double>(most_clauses) &&
         ways * static_cast<double>(some) <= static_cast<double>(most_literals);
}

// Of each choice of so many options, one is on (or off).
Formula one_of_each_choice(std::span<const std::size_t> options, std::size_t some, bool on) {
  std::vector<Formula> clauses;
  std::vector<Formula> chosen;
  const std::function<void(std::size_t)> choose = [&](std::size_t from) {
    if (chosen.size() == some) {
      clauses.push_back(Formula::any(chosen));
      return;
    }
    const std::size_t wanting = some - chosen.size();
    for (std::size_t i = from; i + wanting <= options.size(); ++i) {
      chosen.push_back(Formula::of({options[i], on}));
      choose(i + 1);
      chosen.pop_back();
    }
  };
  choose(0);
  return Formula::all(std::move(clauses));
}

} // namespace

Formula Formula::of(Literal literal) {
  return {.kind = Kind::Literal, .literal = literal, .parts = {}};
}

Formula Formula::all(std::vector<Formula> parts) {
  return {.kind = Kind::All, .literal = {}, .parts = std::move(parts)};
}

Formula Formula::any(std::vector<Formula> parts) {
  return {.kind = Kind::Any, .literal = {}, .parts = std::move(parts)};
}

Formula negated(const Formula& formula) {
  if (formula.kind == Formula::Kind::Literal)
    return Formula::of({formula.literal.option, !formula.literal.on});
  std::vector<Formula> parts;
  parts.reserve(formula.parts.size());
  for (const Formula& part : formula.parts)
    parts.push_back(negated(part));
  return formula.kind == Formula::Kind::All ? Formula::any(std::move(parts))
                                            : Formula::all(std::move(parts));
}

bool is_large(const Formula& formula) {
  std::size_t count = 0;
  const std::function<bool(const Formula&)> exceeds = [&](const Formula& part) {
    return ++count > most_literals || std::ranges::any_of(part.parts, exceeds);
  };
  return exceeds(formula);
}

std::optional<Formula> at_most(std::span<const std::size_t> options, std::size_t count) {
  if (count >= options.size())
    return Formula::all({});
  if (!few_choices(options.size(), count + 1))
    return std::nullopt;
  return one_of_each_choice(options, count + 1, false);
}

std::optional<Formula> at_least(std::span<const std::size_t> options, std::size_t count) {
  if (count > options.size())
    return Formula::any({});
  if (count == 0)
    return Formula::all({});
  if (!few_choices(options.size(), options.size() - count + 1))
    return std::nullopt;
  return one_of_each_choice(options, options.size() - count + 1, true);
}

std::optional<std::vector<Disjunction>> normal_form(const Formula& formula) {
  if (formula.kind == Formula::Kind::Literal)
    return std::vector<Disjunction>{{formula.literal}};
  const bool all = formula.kind == Formula::Kind::All;
  std::vector<Disjunction> clauses;
  if (!all)
    clauses.emplace_back(); // nothing to hold yet: false
  for (const Formula& part : formula.parts) {
    auto more = normal_form(part);
    if (!more || clauses.size() + more->size() > most_clauses)
      return std::nullopt;
    if (all) {
      clauses.insert(clauses.end(), more->begin(), more->end());
      continue;
    }
    auto both = product(clauses, *more);
    if (!both)
      return std::nullopt;
    clauses = std::move(*both);
  }
  return clauses;
}

} // namespace dragnet::project
