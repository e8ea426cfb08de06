// The clauses of [constraints], as people write them, made into clauses of literals:
//   "gzip + bzip2 + lzo == 1", "encrypt implies compress", "not (index=hash and cache >= 64)".
// From the loosest to the closest: iff, implies, or, and, not; parentheses; sums of options with
// ==, <=, >=, < or > and a number; options with values by name=value, or with a relation.
#pragma once

#include "base/result.h"
#include "model/configuration.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::project {

/// One value of an option that has several.
struct NamedValue {
  std::string text;
  std::optional<double> number; ///< where it is a level
  std::size_t bit = 0;
};

/// What the names in clauses stand for.
struct Vocabulary {
  std::map<std::string, std::size_t, std::less<>> bits;               ///< "compress", "index=hash"
  std::map<std::string, std::vector<NamedValue>, std::less<>> values; ///< by option: "index"

  std::vector<std::string> names() const;
};

/// The clauses that say the same, each with the text. An Error says what is wrong with the text.
Result<std::vector<Clause>> parse_clause(std::string_view text, const Vocabulary& vocabulary);

/// The clauses of a file in the format of DIMACS, in which comments name the variables ("c 3
/// compress"). A variable without an option of its name must have its value from the others by unit
/// clauses, such as the root of a feature model.
Result<std::vector<Clause>> parse_dimacs(std::string_view text, const Vocabulary& vocabulary);

} // namespace dragnet::project
