#include "report/stack_wording.h"

#include "analysis/explain/trails.h"
#include "base/function_name.h"
#include "base/text.h"
#include "base/units.h"
#include "model/metric.h"
#include "model/profile.h"
#include "model/stacks.h"
#include "report/escape.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/core.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

using IsTold = bool (*)(const StackFrame&);

bool is_of_build(const StackFrame& frame) {
  return explain::is_of_build(frame.function);
}

// What headers of the system put into the build is not of the project's source.
bool is_of_source(const StackFrame& frame) {
  return is_of_build(frame) && !(frame.place && frame.place->file.starts_with('/'));
}

bool is_any(const StackFrame& /*frame*/) {
  return true;
}

// Which frames tell most about a stack: of the source, else of the build, else all.
IsTold told_frames(std::span<const StackFrame> frames) {
  for (const IsTold is_told : {is_of_source, is_of_build})
    if (std::ranges::any_of(frames, is_told))
      return is_told;
  return is_any;
}

} // namespace

std::string_view stack_unit(std::string_view metric) {
  constexpr std::array<std::string_view, 9> bytes{
      "written", "read", "sent", "received", "spliced", "allocated", "mapped", "freed", "memory"};
  if (std::ranges::find(bytes, metric) != bytes.end() || metric.starts_with("bytes-"))
    return "B";
  const std::string unit = metric_named(metric).unit;
  return unit == "B" ? "B" : unit == "s" ? "s" : "";
}

std::string amount_text(double amount, std::string_view metric) {
  return format_quantity(amount, stack_unit(metric));
}

std::string signed_amount_text(double amount, std::string_view metric) {
  return (amount > 0 ? "+" : "") + amount_text(amount, metric);
}

std::string from_to_text(double before, double now, std::string_view unit, std::string_view noun) {
  if (before == now)
    return fmt::format("{} {} as before", format_quantity(now, unit), noun);
  const std::string text =
      fmt::format("{} -> {} {}", format_quantity(before, unit), format_quantity(now, unit), noun);
  return before > 0 ? fmt::format("{} ({})", text, format_change((now / before) - 1)) : text;
}

std::string function_name_text(const FunctionId& function) {
  constexpr std::size_t longest = 120;
  const std::string name = shortened(plain(short_name(function.name)), longest);
  return name.empty() ? "?" : name;
}

std::string frame_text(const StackFrame& frame) {
  constexpr std::size_t longest = 200;
  std::string where;
  if (frame.place)
    where = fmt::format("{}:{}", shortened(plain(frame.place->file), longest), frame.place->line);
  else if (!explain::is_of_build(frame.function))
    where = plain(frame.function.binary.substr(frame.function.binary.find_last_of('/') + 1));
  if (frame.inlined)
    where += where.empty() ? "inlined" : ", inlined";
  return function_name_text(frame.function) + (where.empty() ? "" : " (" + where + ")");
}

std::string stack_text(std::span<const StackFrame> frames, std::size_t most) {
  std::vector<std::string> names;
  const auto shown = told_frames(frames);
  for (const StackFrame& frame : frames)
    if (shown(frame))
      names.push_back(function_name_text(frame.function));
  if (names.size() <= most)
    return join(names, " > ");
  return "... > " + join(std::span(names).last(most), " > ");
}

} // namespace dragnet::report
