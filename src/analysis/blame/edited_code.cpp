#include "analysis/blame/edited_code.h"

#include "analysis/blame/paired_tree.h"
#include "model/function.h"
#include "model/profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace dragnet::blame {
namespace {

// How often instructions of a function were executed, in all.
double executed(std::span<const Stretch> stretches, std::uint32_t first, std::uint32_t count) {
  const std::uint32_t end = first + count;
  double sum = 0;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const std::uint32_t next = i + 1 < stretches.size() ? stretches[i + 1].first : end;
    const std::uint32_t from = std::max(stretches[i].first, first);
    const std::uint32_t to = std::min(next, end);
    if (from < to)
      sum += static_cast<double>(to - from) * static_cast<double>(stretches[i].executed);
  }
  return sum;
}

} // namespace

double EditedCode::own_part() const {
  const double more = all[New] - all[Old];
  if (more <= 0.01 * all[Old])
    return 1;
  return std::clamp((edited[New] - edited[Old]) / more, 0.0, 1.0);
}

double EditedCode::otherness() const {
  if (all[Old] <= 0)
    return 1;
  const double edit = std::abs(edited[New] - edited[Old]) / all[Old];
  const double saved = all[New] > 0 ? std::max(0.0, std::log(all[Old] / all[New])) : 1;
  return std::min(1.0, std::max(std::log1p(edit), saved));
}

std::optional<EditedCode> edited_code(const FunctionCounts& before, const FunctionCounts& now,
                                      std::span<const Hunk> hunks) {
  if (before.calls == 0 || now.calls == 0 || before.stretches.empty() || now.stretches.empty())
    return std::nullopt;
  EditedCode code;
  std::uint32_t shift = 0; // of new numbers against old ones; wraps where it is negative
  for (const Hunk& hunk : hunks) {
    code.edited[Old] += executed(before.stretches, hunk.old_first, hunk.old_count);
    code.edited[New] += executed(now.stretches, hunk.old_first + shift, hunk.new_count);
    shift += hunk.new_count - hunk.old_count;
  }
  code.all = {static_cast<double>(before.instructions), static_cast<double>(now.instructions)};
  for (auto* sums : {&code.edited, &code.all}) {
    sums->at(Old) /= static_cast<double>(before.calls);
    sums->at(New) /= static_cast<double>(now.calls);
  }
  return code;
}

} // namespace dragnet::blame
