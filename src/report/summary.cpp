#include "report/summary.h"

#include "base/units.h"
#include "model/metric.h"
#include "stats/bootstrap.h"
#include "stats/quantiles.h"

#include <fmt/core.h>

#include <cmath>
#include <random>
#include <span>
#include <string>

namespace dragnet::report {
namespace {

constexpr unsigned fixed_seed = 20'110'613;

// The uncertainty in the unit that the value was shown in, without naming it again: "0.4" beside
// "41.2 ms".
std::string uncertainty(double half_width, double value, const Metric& metric) {
  const std::string shown = format_quantity(value, metric.unit);
  const auto blank = shown.find(' ');
  const double scale = value / std::stod(shown.substr(0, blank));
  const double scaled = half_width / scale;
  return scaled < 0.995 ? fmt::format("{:.2g}", scaled) : fmt::format("{:.1f}", scaled);
}

} // namespace

Summary summarise(std::span<const double> values) {
  if (values.empty())
    return {};
  std::mt19937_64 random(fixed_seed); // NOLINT(cert-msc51-cpp): a summary must not change by itself
  const auto interval = stats::bootstrap_median(values, {}, random);
  return {stats::median(values), interval.low, interval.high, values.size()};
}

std::string describe(const Summary& summary, const Metric& metric) {
  if (summary.count == 0)
    return "-";
  std::string value = format_quantity(summary.median, metric.unit);
  const double half_width = (summary.high - summary.low) / 2;
  // What is far below the digits that are shown is no uncertainty worth a word.
  constexpr double visible = 1e-5;
  if (summary.median == 0 || half_width <= visible * std::abs(summary.median))
    return value;
  return fmt::format("{} ± {}", value, uncertainty(half_width, summary.median, metric));
}

} // namespace dragnet::report
