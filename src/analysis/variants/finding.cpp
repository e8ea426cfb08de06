#include "analysis/variants/finding.h"

#include "analysis/variants/answer.h"
#include "model/verdict.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace dragnet::variants {

bool Finding::worse(const ChangePoint& change) const {
  return (change.change > 0) == (metric.better == Better::Lower);
}

std::string Finding::condition(const Condition& condition) const {
  std::string text;
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " and ") + word; };
  for (const std::size_t option : condition.on)
    add(space.options[option]);
  for (const std::size_t option : condition.off)
    add("not " + space.options[option]);
  return text.empty() ? "all" : text;
}

int exit_status(const Finding& found) {
  constexpr int nothing_measured = 4;
  constexpr int inconclusive = 3;
  if (found.answer.cells == 0)
    return nothing_measured;
  if (std::ranges::any_of(found.answer.changes,
                          [&](const ChangePoint& change) { return found.worse(change); }))
    return 1;
  return found.answer.done < found.rule.confidence ? inconclusive : 0;
}

} // namespace dragnet::variants
