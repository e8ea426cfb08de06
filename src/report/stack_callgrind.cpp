// In callgrind's format a function has lines with what it cost itself, and calls with what they
// cost altogether. A stack that comes back to a function is shortened to its first visit, so that
// no cost counts twice among its callers.
#include "analysis/explain/watched.h"
#include "base/function_name.h"
#include "base/text.h"
#include "model/profile.h"
#include "model/stacks.h"
#include "report/escape.h"
#include "report/stack_export.h"

#include <algorithm>
#include <array>
#include <cctype>
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

using Costs = std::array<std::uint64_t, 2>; // old and new

// A function as the format knows it.
struct Node {
  std::string binary;
  std::string file;
  std::string name;

  auto operator<=>(const Node&) const = default;
};

struct Call {
  Costs calls{};
  Costs costs{};
};

struct Body {
  std::map<std::size_t, Costs> own;                   ///< by line
  std::map<std::pair<std::size_t, Node>, Call> calls; ///< by line and callee
};

std::string safe(const std::string& text) {
  const std::string line = plain(text);
  const std::string_view trimmed = trim(line);
  return trimmed.empty() ? "???" : std::string(trimmed);
}

// Events are named by one word.
std::string event_name(std::string_view prefix, const std::string& metric) {
  std::string name(prefix);
  for (const char letter : metric)
    name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  return name.empty() ? "amount" : name;
}

class Callgrind {
public:
  explicit Callgrind(const StackExport& stacks) : stacks_(stacks) {
    if (stacks.before)
      add(*stacks.before, 0);
    add(stacks.profile, 1);
  }

  std::string text(const std::string& version) {
    std::string text =
        fmt::format("# callgrind format\nversion: 1\ncreator: dragnet {}\ncmd: {}\n"
                    "positions: line\nevents: {}\nsummary: {}\n",
                    safe(version), safe(stacks_.title), events(), costs_text(total_));
    for (const auto& [node, body] : bodies_) {
      text += fmt::format("\nob={}\nfl={}\nfn={}\n", numbered(binaries_, node.binary),
                          numbered(files_, node.file), numbered(names_, node.name));
      for (const auto& [line, costs] : body.own)
        text += fmt::format("{} {}\n", line, costs_text(costs));
      for (const auto& [key, call] : body.calls)
        text += call_text(key.first, key.second, call);
    }
    return text + fmt::format("\ntotals: {}\n", costs_text(total_));
  }

private:
  struct Step {
    Node node;
    std::size_t line = 0;
  };

  std::string events() const {
    const std::string metric =
        stacks_.quantity == explain::Quantity::Calls ? stacks_.metric + "_calls" : stacks_.metric;
    return stacks_.before ? event_name("old_", metric) + " " + event_name("new_", metric)
                          : event_name("", metric);
  }

  std::string costs_text(const Costs& costs) const {
    return stacks_.before ? fmt::format("{} {}", costs[0], costs[1]) : fmt::format("{}", costs[1]);
  }

  // A name is written once, with a number; then its number stands for it.
  static std::string numbered(std::map<std::string, std::size_t>& known, const std::string& name) {
    const auto [found, added] = known.emplace(name, known.size() + 1);
    return added ? fmt::format("({}) {}", found->second, name) : fmt::format("({})", found->second);
  }

  std::string call_text(std::size_t line, const Node& callee, const Call& call) {
    return fmt::format("cob={}\ncfi={}\ncfn={}\ncalls={} 0\n{} {}\n",
                       numbered(binaries_, callee.binary), numbered(files_, callee.file),
                       numbered(names_, callee.name), std::ranges::max(call.calls), line,
                       costs_text(call.costs));
  }

  static Step step_of(const StackFrame& frame) {
    return {.node = {.binary = safe(frame.function.binary),
                     .file = frame.place ? safe(frame.place->file) : "???",
                     .name = safe(demangled(frame.function.name))},
            .line = frame.place ? frame.place->line : 0};
  }

  static std::vector<Step> steps_of(const StackProfile& profile, std::size_t stack) {
    std::vector<Step> steps;
    for (const std::size_t number : profile.stacks[stack]) {
      Step step = step_of(profile.frames[number]);
      const auto before = std::ranges::find(steps, step.node, &Step::node);
      steps.erase(before, steps.end());
      steps.push_back(std::move(step));
    }
    if (steps.empty())
      steps.push_back({.node = {.binary = "???", .file = "???", .name = "???"}, .line = 0});
    return steps;
  }

  void add(const StackProfile& profile, std::size_t side) {
    for (const StackUse& use : profile.uses)
      if (use.metric == stacks_.metric)
        add(steps_of(profile, use.stack), use, side);
  }

  void add(const std::vector<Step>& steps, const StackUse& use, std::size_t side) {
    const std::uint64_t cost =
        stacks_.quantity == explain::Quantity::Amount ? use.amount : use.calls;
    total_[side] += cost;
    bodies_[steps.back().node].own[steps.back().line][side] += cost;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      Call& call = bodies_[steps[i].node].calls[{steps[i].line, steps[i + 1].node}];
      call.calls[side] += use.calls;
      call.costs[side] += cost;
    }
  }

  const StackExport& stacks_;
  Costs total_{};
  std::map<Node, Body> bodies_;
  std::map<std::string, std::size_t> binaries_;
  std::map<std::string, std::size_t> files_;
  std::map<std::string, std::size_t> names_;
};

} // namespace

std::string callgrind_text(const StackExport& stacks, const std::string& version) {
  return Callgrind(stacks).text(version);
}

} // namespace dragnet::report
