// A formula over options, and its conjunctive normal form: what stands between the clauses that
// people write and those of a solver.
#pragma once

#include "model/configuration.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dragnet::project {

struct Formula {
  enum class Kind : std::uint8_t { Literal, All, Any };

  Kind kind = Kind::All; ///< without parts: All is true, Any is false
  Literal literal;
  std::vector<Formula> parts;

  static Formula of(Literal literal);
  static Formula all(std::vector<Formula> parts);
  static Formula any(std::vector<Formula> parts);
};

/// The opposite.
Formula negated(const Formula& formula);

/// Whether it has more parts than anybody writes: equivalences double what they stand for.
bool is_large(const Formula& formula);

/// That at most, or at least, so many of the options are on; nothing where that takes too many
/// clauses to write down.
std::optional<Formula> at_most(std::span<const std::size_t> options, std::size_t count);
std::optional<Formula> at_least(std::span<const std::size_t> options, std::size_t count);

using Disjunction = std::vector<Literal>;

/// The disjunctions that must all hold, without those that always do; nothing where there are too
/// many.
std::optional<std::vector<Disjunction>> normal_form(const Formula& formula);

} // namespace dragnet::project
