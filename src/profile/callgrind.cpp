#include "profile/callgrind.h"

#include "base/result.h"
#include "model/function.h"
#include "model/profile.h"
#include "profile/tally.h"

#include <fmt/core.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

// A number as callgrind writes it: decimal, or hexadecimal behind 0x.
std::optional<std::uint64_t> number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x")) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (problem != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

// Takes the next word off a line; an empty one at its end.
std::string_view next_word(std::string_view& line) {
  const auto start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos) {
    line = {};
    return {};
  }
  line.remove_prefix(start);
  const auto word = line.substr(0, line.find_first_of(" \t"));
  line.remove_prefix(word.size());
  return word;
}

// Reads one file line by line. Lines are "key=value", "key: value", or a position and its costs;
// names are written once as "(number) name" and then as "(number)"; a position may be relative to
// the one of the line before.
class Reader {
public:
  Result<CallgrindOutput> read(std::string_view text) {
    while (!text.empty()) {
      const auto size = text.find('\n');
      const auto line = text.substr(0, size);
      text.remove_prefix(size == std::string_view::npos ? text.size() : size + 1);
      ++line_;
      if (!read_line(line))
        return Error{
            fmt::format("line {} is not as callgrind writes it: {}", line_, line.substr(0, 80)),
            "profile the benchmark again"};
    }
    if (positions_ == 0)
      return Error{"callgrind's output has no addresses", "run it with --dump-instr=yes"};
    return std::move(output_);
  }

private:
  enum class Next { Cost, CallCost, Nothing };

  bool read_line(std::string_view line) {
    if (line.empty() || line.front() == '#')
      return true;
    const char first = line.front();
    if (first == '+' || first == '-' || first == '*' || (first >= '0' && first <= '9'))
      return read_cost(line);
    if (const auto equals = line.find('='); equals != std::string_view::npos)
      return read_setting(line.substr(0, equals), line.substr(equals + 1));
    const auto colon = line.find(':');
    if (colon == std::string_view::npos)
      return false;
    return read_header(line.substr(0, colon), line.substr(colon + 1));
  }

  bool read_header(std::string_view key, std::string_view value) {
    if (key != "positions")
      return true;
    positions_ = 0;
    if (next_word(value) != "instr")
      return true;
    positions_ = 1;
    while (!next_word(value).empty())
      ++positions_;
    return true;
  }

  bool read_setting(std::string_view key, std::string_view value) {
    if (key == "ob" || key == "cob") {
      auto& object = key == "ob" ? object_ : callee_object_;
      object = object_of(value);
      return object.has_value();
    }
    if (key == "calls")
      return read_calls(value);
    if (key == "jump" || key == "jcnd")
      next_ = Next::Nothing;
    return true; // functions and files: addresses say more
  }

  std::optional<std::uint32_t> object_of(std::string_view value) {
    const auto close = value.find(')');
    if (!value.starts_with('(') || close == std::string_view::npos)
      return add_object(std::string(value));
    const auto id = number(value.substr(1, close - 1));
    if (!id)
      return std::nullopt;
    const auto known = object_ids_.find(*id);
    if (close + 1 == value.size())
      return known == object_ids_.end() ? std::nullopt : std::optional(known->second);
    if (known != object_ids_.end())
      return known->second;
    std::string_view name = value.substr(close + 1);
    name.remove_prefix(name.starts_with(' ') ? 1 : 0);
    return object_ids_[*id] = add_object(std::string(name));
  }

  std::uint32_t add_object(std::string name) {
    const auto [place, added] =
        object_names_.try_emplace(name, static_cast<std::uint32_t>(output_.objects.size()));
    if (added)
      output_.objects.push_back(std::move(name));
    return place->second;
  }

  std::optional<std::uint64_t> address_of(std::string_view word) const {
    if (word == "*")
      return address_;
    const bool forward = word.starts_with('+');
    const bool backward = word.starts_with('-');
    if (forward || backward)
      word.remove_prefix(1);
    const auto value = number(word);
    if (!value)
      return std::nullopt;
    return forward ? address_ + *value : backward ? address_ - *value : *value;
  }

  bool read_calls(std::string_view value) {
    const auto calls = number(next_word(value));
    const auto target = address_of(next_word(value));
    if (!calls || !target || !object_)
      return false;
    output_.calls.push_back({*object_, 0, callee_object_.value_or(*object_), *target, *calls});
    callee_object_.reset();
    next_ = Next::CallCost;
    return true;
  }

  bool read_cost(std::string_view line) {
    const auto address = address_of(next_word(line));
    if (!address || !object_)
      return false;
    address_ = *address;
    const Next kind = std::exchange(next_, Next::Cost);
    if (kind == Next::CallCost)
      output_.calls.back().from = address_;
    if (kind != Next::Cost)
      return true;
    for (std::size_t skipped = 1; skipped < positions_; ++skipped)
      next_word(line);
    const auto cost = next_word(line);
    const auto instructions = cost.empty() ? std::optional<std::uint64_t>(0) : number(cost);
    if (instructions)
      output_.costs.push_back({*object_, address_, *instructions});
    return instructions.has_value();
  }

  CallgrindOutput output_;
  std::size_t line_ = 0;
  std::size_t positions_ = 0; // in front of the costs; 0: no addresses
  std::map<std::uint64_t, std::uint32_t> object_ids_;
  std::map<std::string, std::uint32_t> object_names_;
  std::optional<std::uint32_t> object_;
  std::optional<std::uint32_t> callee_object_;
  std::uint64_t address_ = 0;
  Next next_ = Next::Cost;
};

std::vector<const FunctionTable*> tables_of(const CallgrindOutput& output, const Tables& tables) {
  std::vector<const FunctionTable*> found;
  for (const auto& object : output.objects) {
    const auto place = tables.find(object);
    found.push_back(place == tables.end() ? nullptr : place->second);
  }
  return found;
}

} // namespace

Result<CallgrindOutput> parse_callgrind(std::string_view text) {
  return Reader().read(text);
}

Profile attribute(const std::vector<CallgrindOutput>& processes, const Tables& tables,
                  const Identify& identify) {
  Tally tally;
  for (const auto& output : processes) {
    const auto found = tables_of(output, tables);
    for (const auto& cost : output.costs)
      if (found[cost.object] == nullptr)
        tally.executed_outside(output.objects[cost.object], cost.instructions);
      else
        tally.executed(place_at(found[cost.object], cost.address), 1, cost.instructions);
    for (const auto& call : output.calls) {
      const Place callee = place_at(found[call.to_object], call.to);
      if (!callee.is_entry())
        continue;
      tally.called(callee, call.calls);
      tally.called_from(place_at(found[call.from_object], call.from), callee, CallKind::Direct,
                        call.calls);
    }
  }
  return tally.profile(Counting::Callgrind, identify);
}

} // namespace dragnet::profile
