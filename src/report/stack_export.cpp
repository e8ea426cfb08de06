#include "report/stack_export.h"

#include "analysis/explain/watched.h"
#include "base/function_name.h"
#include "base/json.h"
#include "base/text.h"
#include "model/profile.h"
#include "model/stacks.h"
#include "report/escape.h"
#include "report/stack_wording.h"

#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::report {
namespace {

std::uint64_t weight(const StackUse& use, explain::Quantity quantity) {
  return quantity == explain::Quantity::Amount ? use.amount : use.calls;
}

std::string full_name(const FunctionId& function) {
  const std::string name = plain(demangled(function.name));
  return std::string(trim(name).empty() ? std::string_view("?") : std::string_view(name));
}

// A semicolon separates frames, so that no name may have one.
std::string folded_name(const FunctionId& function) {
  return replace_all(full_name(function), ";", ":");
}

struct Weights {
  std::uint64_t before = 0;
  std::uint64_t now = 0;
};

void fold(const StackProfile& profile, const StackExport& stacks, std::uint64_t Weights::* side,
          std::map<std::string, Weights>& lines) {
  for (const StackUse& use : profile.uses) {
    if (use.metric != stacks.metric || weight(use, stacks.quantity) == 0)
      continue;
    std::vector<std::string> names;
    for (const std::size_t frame : profile.stacks[use.stack])
      names.push_back(folded_name(profile.frames[frame].function));
    lines[names.empty() ? "?" : join(names, ";")].*side += weight(use, stacks.quantity);
  }
}

// Frames of both sides of a pair, each once.
class Speedscope {
public:
  explicit Speedscope(const StackExport& stacks) : stacks_(stacks) {}

  Json profile(const StackProfile& profile, const std::string& title) {
    std::map<std::vector<std::size_t>, std::uint64_t> weights;
    for (const StackUse& use : profile.uses)
      if (use.metric == stacks_.metric && weight(use, stacks_.quantity) > 0)
        weights[path(profile, use.stack)] += weight(use, stacks_.quantity);
    const bool bytes =
        stacks_.quantity == explain::Quantity::Amount && stack_unit(stacks_.metric) == "B";
    Json json{{"type", "sampled"},
              {"name", valid_utf8(title)},
              {"unit", bytes ? "bytes" : "none"},
              {"startValue", 0},
              {"endValue", 0},
              {"samples", Json::array()},
              {"weights", Json::array()}};
    std::uint64_t sum = 0;
    for (const auto& [stack, one] : weights) {
      json["samples"].push_back(stack);
      json["weights"].push_back(one);
      sum += one;
    }
    json["endValue"] = sum;
    return json;
  }

  Json frames() const { return frames_; }

private:
  std::vector<std::size_t> path(const StackProfile& profile, std::size_t stack) {
    std::vector<std::size_t> numbers;
    for (const std::size_t frame : profile.stacks[stack])
      numbers.push_back(number(profile.frames[frame]));
    return numbers;
  }

  std::size_t number(const StackFrame& frame) {
    const auto [found, added] = numbers_.emplace(frame, numbers_.size());
    if (added) {
      Json json{{"name", full_name(frame.function)}};
      if (frame.place) {
        json["file"] = frame.place->file;
        json["line"] = frame.place->line;
      }
      frames_.push_back(std::move(json));
    }
    return found->second;
  }

  const StackExport& stacks_;
  std::map<StackFrame, std::size_t> numbers_;
  Json frames_ = Json::array();
};

} // namespace

std::string folded_stacks(const StackExport& stacks) {
  std::map<std::string, Weights> lines;
  if (stacks.before)
    fold(*stacks.before, stacks, &Weights::before, lines);
  fold(stacks.profile, stacks, &Weights::now, lines);
  std::string text;
  for (const auto& [stack, weights] : lines)
    text += stacks.before ? fmt::format("{} {} {}\n", stack, weights.before, weights.now)
                          : fmt::format("{} {}\n", stack, weights.now);
  return text;
}

std::string speedscope_json(const StackExport& stacks, const std::string& version) {
  Speedscope speedscope(stacks);
  Json profiles = Json::array();
  if (stacks.before)
    profiles.push_back(speedscope.profile(*stacks.before, stacks.title + ", old"));
  profiles.push_back(
      speedscope.profile(stacks.profile, stacks.before ? stacks.title + ", new" : stacks.title));
  const Json document{{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                      {"name", fmt::format("{}: {}", plain(stacks.title), plain(stacks.metric))},
                      {"exporter", "dragnet " + version},
                      {"activeProfileIndex", profiles.size() - 1},
                      {"shared", {{"frames", speedscope.frames()}}},
                      {"profiles", profiles}};
  return to_text(document);
}

} // namespace dragnet::report
