#include "analysis/variants/answer.h"

#include "analysis/variants/score.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace dragnet::variants {

std::vector<Association> associations(const Answer& answer) {
  std::vector<Association> all;
  for (const ChangePoint& change : answer.changes) {
    if (change.condition.on.empty())
      all.push_back({change.commit, std::nullopt});
    for (const std::size_t option : change.condition.on)
      all.push_back({change.commit, option});
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

} // namespace dragnet::variants
