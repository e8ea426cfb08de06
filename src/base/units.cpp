#include "base/units.h"
#include "base/result.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <system_error>

namespace dragnet {
namespace {

struct Step {
  double size;
  std::string_view name;
};

Result<double> seconds_of_unit(std::string_view unit, std::string_view whole) {
  constexpr std::array<Step, 6> known{
      {{1e-6, "us"}, {1e-3, "ms"}, {1, "s"}, {60, "m"}, {60, "min"}, {3600, "h"}}};
  if (unit.empty())
    return 1.0;
  for (const auto& step : known)
    if (step.name == unit)
      return step.size;
  return Error{fmt::format("'{}' is not a duration: unknown unit '{}'", whole, unit),
               "write it like 30s, 5m, 1h30m or 250ms"};
}

std::string three_digits(double value) {
  const double size = std::fabs(value);
  if (size >= 99.95)
    return fmt::format("{:.0f}", value);
  return size >= 9.995 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
}

template <std::size_t N>
std::string scaled(double value, const std::array<Step, N>& steps) {
  const Step* best = steps.data();
  for (const auto& step : steps)
    if (std::fabs(value) >= step.size * 0.9995)
      best = &step;
  return three_digits(value / best->size) + std::string(best->name);
}

} // namespace

Result<Seconds> parse_duration(std::string_view text) {
  const Error wrong{fmt::format("'{}' is not a duration", text),
                    "write it like 30s, 5m, 1h30m or 250ms"};
  double total = 0;
  std::string_view rest = text;
  if (rest.empty())
    return wrong;
  while (!rest.empty()) {
    double number = 0;
    const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (problem != std::errc{} || !std::isfinite(number) || number < 0)
      return wrong;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const auto unit_length = std::min(rest.find_first_of("0123456789."), rest.size());
    // Only a number that stands alone may lack its unit.
    if (unit_length == 0 && (total > 0 || !rest.empty()))
      return wrong;
    total += number * TRY(seconds_of_unit(rest.substr(0, unit_length), text));
    rest.remove_prefix(unit_length);
  }
  if (total > 1e9)
    return wrong;
  return Seconds(total);
}

std::string format_duration(Seconds duration) {
  const double seconds = duration.count();
  if (seconds < 60)
    return format_quantity(seconds, "s");
  const long whole = std::lround(seconds);
  if (whole < 3600)
    return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string format_quantity(double value, std::string_view unit) {
  constexpr std::array<Step, 4> times{{{1e-9, " ns"}, {1e-6, " us"}, {1e-3, " ms"}, {1, " s"}}};
  constexpr std::array<Step, 4> sizes{
      {{1, " B"}, {1024, " KiB"}, {1048576, " MiB"}, {1073741824, " GiB"}}};
  constexpr std::array<Step, 4> counts{{{1, ""}, {1e3, " k"}, {1e6, " M"}, {1e9, " G"}}};
  if (value == 0)
    return unit == "s" || unit == "B" ? fmt::format("0 {}", unit) : "0";
  if (unit == "s")
    return scaled(value, times);
  if (unit == "B")
    return std::fabs(value) < 1024 ? fmt::format("{:.0f} B", value) : scaled(value, sizes);
  if (std::fabs(value) < 1000 && value == std::floor(value))
    return fmt::format("{:.0f}", value);
  return std::fabs(value) < 1 ? fmt::format("{:.3g}", value) : scaled(value, counts);
}

std::string format_change(double change) {
  const double percent = change * 100;
  const int digits = std::fabs(percent) >= 99.95                   ? 0
                     : std::fabs(percent) >= 0.095 || percent == 0 ? 1
                                                                   : 3;
  if (std::fabs(percent) >= 1000)
    return fmt::format("x {:.1f}", change + 1);
  return fmt::format("{:+.{}f} %", percent, digits);
}

} // namespace dragnet
