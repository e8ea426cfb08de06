#include "analysis/blame/impact_sets.h"

#include "base/ensure.h"
#include "model/trace.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace dragnet::blame {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

} // namespace

ImpactSets::ImpactSets(std::size_t functions, std::span<const std::uint32_t> changed)
    : functions_(functions), words_((functions + 63) / 64),
      changed_(changed.begin(), changed.end()), change_of_(functions, none),
      sets_(changed.size() * words_), executed_(changed.size()), later_(words_) {
  for (std::size_t change = 0; change < changed.size(); ++change) {
    ensure(changed[change] < functions, "a changed function has a number of those traced");
    change_of_[changed[change]] = static_cast<std::uint32_t>(change);
  }
}

// Changes from the one entered last to the one entered first: what ends after the entry of one of
// them also ends after the entries of those that follow, so that one set grows and is added to
// each.
void ImpactSets::add(std::span<const FunctionSpan> execution) {
  entered_.clear();
  for (const auto& span : execution)
    if (change_of_[span.function] != none)
      entered_.push_back(span);
  if (entered_.empty())
    return;
  by_last_.assign(execution.begin(), execution.end());
  std::ranges::sort(by_last_, std::greater{}, &FunctionSpan::last);
  std::ranges::sort(entered_, std::greater{}, &FunctionSpan::first);
  std::ranges::fill(later_, 0);
  auto next = by_last_.cbegin();
  for (const auto& changed : entered_) {
    for (; next != by_last_.cend() && next->last > changed.first; ++next)
      later_[next->function / 64] |= std::uint64_t{1} << (next->function % 64);
    const std::size_t change = change_of_[changed.function];
    executed_[change] = true;
    auto* const set = &sets_[change * words_];
    for (std::size_t word = 0; word < words_; ++word)
      set[word] |= later_[word];
    set[changed.function / 64] &= ~(std::uint64_t{1} << (changed.function % 64));
  }
}

std::vector<std::uint32_t> ImpactSets::of(std::size_t change) const {
  std::vector<std::uint32_t> members;
  for (std::uint32_t function = 0; function < functions_; ++function)
    if (contains(change, function))
      members.push_back(function);
  return members;
}

} // namespace dragnet::blame
