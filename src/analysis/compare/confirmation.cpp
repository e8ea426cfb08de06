#include "analysis/compare/confirmation.h"

#include "analysis/compare/judge.h"
#include "model/verdict.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace dragnet::compare {
namespace {

Evidence from(const Evidence& evidence, std::size_t first) {
  const auto rest = [first](const std::vector<double>& values) {
    const auto skipped = static_cast<std::ptrdiff_t>(std::min(first, values.size()));
    return std::vector<double>(std::next(values.begin(), skipped), values.end());
  };
  Evidence fresh = evidence;
  fresh.old_values = rest(evidence.old_values);
  fresh.new_values = rest(evidence.new_values);
  return fresh;
}

} // namespace

Confirmation confirmation(const Evidence& evidence, std::size_t first_fresh, const Rule& rule) {
  const Assessment fresh = assess(from(evidence, first_fresh), rule);
  const bool worse = (fresh.change > 0) == (evidence.better == Better::Lower);
  if (fresh.p_value <= confirmation_rate && worse && fresh.change != 0)
    return Confirmation::Confirmed;
  return fresh.equivalent ? Confirmation::Refuted : Confirmation::Open;
}

} // namespace dragnet::compare
