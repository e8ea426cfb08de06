#include "base/result.h"
#include "base/text.h"
#include "facts/counts.h"
#include "model/source.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::facts {
namespace {

constexpr std::string_view head = "dragnet counts 2";

using Fields = std::vector<std::string>;

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
      value < 0)
    return std::nullopt;
  return value;
}

bool take_function(const Fields& fields, SourceProfile& profile) {
  if (fields.size() < 4)
    return false;
  const auto calls = number_in(fields[2]);
  const auto own = number_in(fields[3]);
  if (!calls || !own)
    return false;
  SourceCounts counts{.function = fields[1], .calls = *calls, .own = *own, .blocks = {}};
  for (std::size_t i = 4; i < fields.size(); ++i) {
    const auto count = number_in(fields[i]);
    if (!count)
      return false;
    counts.blocks.push_back(*count);
  }
  profile.functions.push_back(std::move(counts));
  return true;
}

bool take(const Fields& fields, SourceProfile& profile) {
  if (fields.front() == "F")
    return take_function(fields, profile);
  if (fields.front() == "I" && fields.size() == 2) {
    const auto instructions = number_in(fields[1]);
    profile.instructions = instructions.value_or(0);
    return instructions.has_value();
  }
  if (fields.size() != 4)
    return false;
  const auto number = number_in(fields[3]);
  if (!number)
    return false;
  if (fields.front() == "E")
    profile.edges.push_back({.caller = fields[1], .callee = fields[2], .calls = *number});
  else if (fields.front() == "P") {
    profile.test = fields[1];
    profile.root = fields[2];
    profile.cost = *number;
  } else
    return false;
  return true;
}

} // namespace

std::string to_text(const SourceProfile& profile) {
  std::string text =
      fmt::format("{}\nP\t{}\t{}\t{}\n", head, profile.test, profile.root, profile.cost);
  const auto out = std::back_inserter(text);
  if (profile.instructions > 0)
    fmt::format_to(out, "I\t{}\n", profile.instructions);
  for (const SourceCounts& counts : profile.functions) {
    fmt::format_to(out, "F\t{}\t{}\t{}", counts.function, counts.calls, counts.own);
    for (const double count : counts.blocks)
      fmt::format_to(out, "\t{}", count);
    text += '\n';
  }
  for (const SourceEdge& edge : profile.edges)
    fmt::format_to(out, "E\t{}\t{}\t{}\n", edge.caller, edge.callee, edge.calls);
  return text;
}

Result<SourceProfile> parse_profile(std::string_view text) {
  const auto all = lines(text);
  if (all.empty() || all.front() != head)
    return Error{"these are no counts of this version", "take the profiles again"};
  SourceProfile profile;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (!take(split(all[i], '\t'), profile))
      return Error{fmt::format("line {} of the counts is wrong", i + 1), ""};
  return profile;
}

} // namespace dragnet::facts
