#include "model/configuration.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dragnet {

std::vector<Clause> all_clauses(const ConfigurationSpace& space) {
  std::vector<Clause> clauses = space.clauses;
  for (const OptionGroup& group : space.groups) {
    Clause any{.literals = {}, .text = group.name};
    for (std::size_t i = 0; i < group.options.size(); ++i) {
      any.literals.push_back({group.options[i], true});
      for (std::size_t j = i + 1; j < group.options.size(); ++j)
        clauses.push_back({.literals = {{group.options[i], false}, {group.options[j], false}},
                           .text = group.name});
    }
    if (group.choice == Choice::ExactlyOne)
      clauses.push_back(any);
  }
  return clauses;
}

bool holds(const Clause& clause, const Configuration& configuration) {
  return std::ranges::any_of(clause.literals, [&](const Literal& literal) {
    return configuration.on(literal.option) == literal.on;
  });
}

} // namespace dragnet
