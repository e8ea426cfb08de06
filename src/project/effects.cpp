#include "project/effects.h"

#include "base/text.h"
#include "model/metric.h"
#include "project/document.h"
#include "project/section.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace dragnet::project {
namespace {

constexpr std::string_view key = "smallest-effect";

// The share that "2%" or "0.5 %" means.
std::optional<double> share_of(std::string_view text) {
  text = trim(text);
  if (!text.ends_with('%'))
    return std::nullopt;
  text = trim(text.substr(0, text.size() - 1));
  double percent = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (problem != std::errc{} || end != text.data() + text.size() || !std::isfinite(percent))
    return std::nullopt;
  return percent / 100;
}

std::optional<double> read_share(const Section& section, const Node& value) {
  std::optional<double> share;
  if (value.kind == Kind::Text)
    share = share_of(value.text);
  else if (value.kind == Kind::Whole || value.kind == Kind::Number)
    share = value.number;
  else {
    section.expect(value, key, "a share such as 0.02 or \"2%\"");
    return std::nullopt;
  }
  if (share && *share > 0 && *share < 1)
    return share;
  if (!share)
    section.wrong(value.at, key, "must be a share such as 0.02 or \"2%\", but is another text");
  else
    section.wrong(value.at, key, "must be more than 0 and less than 1",
                  *share >= 1 ? fmt::format("for {} percent write \"{}%\"", *share, *share) : "");
  return std::nullopt;
}

} // namespace

void read_smallest_effect(const Section& section, std::map<std::string, double>& effects) {
  const Entry* entry = section.find(key);
  if (entry == nullptr)
    return;
  if (entry->value.kind != Kind::Table) {
    if (const auto share = read_share(section, entry->value))
      effects = {{"", *share}};
    return;
  }
  for (const auto& [metric, at, value] : entry->value.entries) {
    const std::string name = canonical(metric);
    const auto share = read_share(section, value);
    if (!is_known_metric(name))
      section.wrong(at, key, fmt::format("has the unknown metric '{}'", shown(metric)),
                    did_you_mean(name.substr(0, 60), metric_names()));
    else if (share)
      effects[name] = *share;
  }
}

} // namespace dragnet::project
