#include "formats/quantity.h"

#include "base/result.h"
#include "base/text.h"
#include "formats/clean.h"
#include "formats/csv_table.h"
#include "model/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace dragnet::formats {
namespace {

struct Unit {
  std::string_view name;
  std::string_view base;
  double factor;
};

constexpr std::array<Unit, 18> units{{{"ns", "s", 1e-9},
                                      {"us", "s", 1e-6},
                                      {"\xC2\xB5s", "s", 1e-6}, // the micro sign
                                      {"\xCE\xBCs", "s", 1e-6}, // the Greek letter
                                      {"ms", "s", 1e-3},
                                      {"s", "s", 1},
                                      {"min", "s", 60},
                                      {"h", "s", 3600},
                                      {"B", "B", 1},
                                      {"kB", "B", 1e3},
                                      {"KB", "B", 1e3},
                                      {"MB", "B", 1e6},
                                      {"GB", "B", 1e9},
                                      {"KiB", "B", 1024},
                                      {"MiB", "B", 1048576},
                                      {"GiB", "B", 1073741824},
                                      {"1", "", 1},
                                      {"", "", 1}}};

std::vector<std::string> unit_names() {
  return {"ns", "us", "ms", "s", "min", "h", "B", "kB", "MB", "GB", "KiB", "MiB", "GiB"};
}

std::string kind_of(std::string_view base) {
  if (base == "s")
    return "a time";
  return base == "B" ? "a number of bytes" : "a count";
}

} // namespace

Result<Quantity> make_quantity(const std::string& name, const std::string& unit,
                               const Field& field) {
  const auto* const found = std::ranges::find(units, unit, &Unit::name);
  if (found == units.end())
    return error_at(field,
                    fmt::format("the unit '{}' of '{}' is not known", shown(unit), shown(name)),
                    did_you_mean(unit.substr(0, 60), unit_names()));
  const Metric metric = metric_named(name);
  if (is_known_metric(name) && !unit.empty() && found->base != metric.unit)
    return error_at(field, fmt::format("'{}' is {}, and cannot be in '{}'", name,
                                       kind_of(metric.unit), shown(unit)));
  return Quantity{name, unit, found->factor, !is_known_metric(name) && found->base.empty()};
}

Result<Quantity> parse_quantity(const Field& field) {
  const std::string_view text = trim(field.text);
  const auto bracket = text.ends_with(']') ? text.rfind('[') : std::string_view::npos;
  const std::string name(trim(text.substr(0, bracket)));
  if (name.empty())
    return error_at(field, "a metric without a name");
  if (std::ranges::any_of(name,
                          [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }))
    return error_at(field, fmt::format("the name '{}' contains a control character", shown(name)));
  const auto unit = bracket == std::string_view::npos
                        ? std::string_view()
                        : text.substr(bracket + 1, text.size() - bracket - 2);
  return make_quantity(name, std::string(trim(unit)), field);
}

Result<double> parse_value(const Field& field, const Quantity& quantity) {
  const std::string_view text = trim(field.text);
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size())
    return error_at(field, fmt::format("the value '{}' of '{}' is not a number", shown(text),
                                       shown(quantity.name)));
  if (!std::isfinite(value * quantity.factor))
    return error_at(field, fmt::format("the value '{}' of '{}' is not finite", shown(text),
                                       shown(quantity.name)));
  if (value < 0 && !quantity.is_signed)
    return error_at(field, fmt::format("the value '{}' of '{}' is negative", shown(text),
                                       shown(quantity.name)));
  return value * quantity.factor;
}

} // namespace dragnet::formats
