#include "report/wording.h"

#include "analysis/compare/judge.h"
#include "base/text.h"
#include "base/units.h"
#include "model/check.h"
#include "model/verdict.h"
#include "report/table.h"

#include <cstddef>
#include <fmt/core.h>
#include <span>
#include <string>

namespace dragnet::report {

Colour colour_of(Verdict verdict) {
  switch (verdict) {
  case Verdict::Regressed:
  case Verdict::Failed:
    return Colour::Red;
  case Verdict::Improved:
    return Colour::Green;
  case Verdict::Inconclusive:
    return Colour::Yellow;
  default:
    return Colour::None;
  }
}

std::string some(std::span<const std::string> names) {
  constexpr std::size_t most = 4;
  if (names.size() <= most)
    return join(names, ", ");
  return join(names.first(most), ", ") + fmt::format(" and {} more", names.size() - most);
}

std::string change_text(const CheckedMetric& metric, std::size_t pairs) {
  if (pairs == 0)
    return "-";
  if (metric.verdict == Verdict::Unchanged)
    return "~";
  const bool unbounded = metric.high + 1 >= compare::ratio_limit * 0.99 ||
                         (metric.low + 1) * compare::ratio_limit <= 1.01;
  if (metric.exact || unbounded)
    return format_change(metric.change);
  return fmt::format("{} ({} to {})", format_change(metric.change), format_change(metric.low),
                     format_change(metric.high));
}

} // namespace dragnet::report
