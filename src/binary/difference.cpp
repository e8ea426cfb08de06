#include "binary/difference.h"
#include "binary/block_matching.h"
#include "binary/mix.h"
#include "binary/outline.h"
#include "binary/ranges.h"
#include "binary/rework.h"
#include "model/function.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragnet::binary {
namespace {

constexpr std::size_t none = SIZE_MAX;

std::uint64_t content_of(const Function& function) {
  return mix(function.code_hash, function.data_hash);
}

class Matcher {
public:
  Matcher(const Side& before, const Side& now)
      : before_(before), now_(now), old_(before.table), new_(now.table),
        old_of_(new_.functions.size(), none), taken_(old_.functions.size()) {}

  Difference difference() {
    match_by_name();
    match_rest([](const Function& function) { return content_of(function); });
    match_rest([](const Function& function) {
      const std::string_view plain = without_copy_number(function.name);
      return plain == function.name ? 0 : hash_of(plain);
    });
    match_alike();
    return found();
  }

private:
  void pair(std::size_t old_number, std::size_t new_number) {
    old_of_[new_number] = old_number;
    taken_[old_number] = true;
  }

  void match_by_name() {
    match_in_order();
    std::unordered_map<std::string_view, std::size_t> by_name;
    for (std::size_t i = 0; i < old_.functions.size(); ++i)
      if (!taken_[i])
        by_name.emplace(old_.functions[i].name, i);
    for (std::size_t i = 0; i < new_.functions.size() && !by_name.empty(); ++i)
      if (old_of_[i] == none)
        if (const auto same = by_name.find(new_.functions[i].name); same != by_name.end())
          pair(same->second, i);
  }

  // Most functions come in their old order: a look ahead finds them faster than a map is made.
  void match_in_order() {
    constexpr std::size_t ahead = 8;
    std::size_t expected = 0;
    for (std::size_t i = 0; i < new_.functions.size(); ++i)
      for (std::size_t j = expected; j < std::min(expected + ahead, old_.functions.size()); ++j)
        if (old_.functions[j].name == new_.functions[i].name) {
          pair(j, i);
          expected = j + 1;
          break;
        }
  }

  // Pairs what is left by a key, in the order of addresses; key 0 stays alone.
  template <class Key>
  void match_rest(Key key) {
    std::multimap<std::uint64_t, std::size_t> rest;
    for (std::size_t i = 0; i < old_.functions.size(); ++i)
      if (!taken_[i] && key(old_.functions[i]) != 0)
        rest.emplace(key(old_.functions[i]), i);
    for (std::size_t i = 0; i < new_.functions.size() && !rest.empty(); ++i) {
      if (old_of_[i] != none)
        continue;
      const auto same = rest.find(key(new_.functions[i]));
      if (same == rest.end())
        continue;
      pair(same->second, i);
      rest.erase(same);
    }
  }

  // What is left on a side and worth comparing.
  struct Left {
    std::size_t number = 0;
    std::vector<std::uint16_t> operations; // sorted
  };

  template <class IsLeft>
  static std::vector<Left> left_of(const Side& side, IsLeft is_left) {
    constexpr std::uint32_t long_enough = 12;
    std::vector<Left> left;
    for (std::size_t i = 0; i < side.table.functions.size(); ++i)
      if (is_left(i) && side.table.functions[i].instructions >= long_enough)
        left.push_back({.number = i, .operations = {}});
    return left;
  }

  static void outline(const Side& side, std::vector<Left>& all) {
    for (Left& left : all) {
      for (const Outlined& one : side.outline(left.number))
        left.operations.push_back(one.operation);
      std::ranges::sort(left.operations);
    }
  }

  // A function that has another name and other code may still be recognised by what it does.
  void match_alike() {
    constexpr std::size_t most = 1000;
    constexpr double enough = 0.7;
    auto before = left_of(before_, [&](std::size_t i) { return !taken_[i]; });
    auto now = left_of(now_, [&](std::size_t i) { return old_of_[i] == none; });
    if (before.empty() || now.empty() || before.size() > most || now.size() > most)
      return;
    outline(before_, before);
    outline(now_, now);
    std::vector<std::tuple<double, std::size_t, std::size_t>> candidates;
    for (const Left& a : before)
      for (const Left& b : now)
        if (const double alike = likeness(a.operations, b.operations); alike >= enough)
          candidates.emplace_back(-alike, a.number, b.number);
    std::ranges::sort(candidates);
    for (const auto& [unlike, a, b] : candidates)
      if (!taken_[a] && old_of_[b] == none)
        pair(a, b);
  }

  Difference found() const {
    Difference result{.changes = {},
                      .old_functions = old_.functions.size(),
                      .new_functions = new_.functions.size()};
    for (std::size_t i = 0; i < new_.functions.size(); ++i)
      compare(i, result.changes);
    for (std::size_t i = 0; i < old_.functions.size(); ++i)
      if (!taken_[i])
        result.changes.push_back(alone(ChangeKind::Deleted, old_, old_.functions[i]));
    return result;
  }

  static FunctionChange alone(ChangeKind kind, const FunctionTable& table,
                              const Function& function) {
    FunctionChange change;
    change.kind = kind;
    change.binary = table.binary;
    change.name = function.name;
    (kind == ChangeKind::New ? change.new_instructions : change.old_instructions) =
        function.instructions;
    change.edited = function.instructions;
    return change;
  }

  void compare(std::size_t number, std::vector<FunctionChange>& changes) const {
    const Function& now = new_.functions[number];
    if (old_of_[number] == none) {
      changes.push_back(alone(ChangeKind::New, new_, now));
      return;
    }
    const Function& before = old_.functions[old_of_[number]];
    const bool same_content = content_of(before) == content_of(now);
    if (same_content && before.name == now.name)
      return;
    FunctionChange change;
    change.kind = same_content ? ChangeKind::Renamed : ChangeKind::Changed;
    change.binary = new_.binary;
    change.name = now.name;
    if (before.name != now.name)
      change.old_name = before.name;
    change.old_instructions = before.instructions;
    change.new_instructions = now.instructions;
    if (before.code_hash != now.code_hash) {
      const Outline old_outline = before_.outline(old_of_[number]);
      const Outline new_outline = now_.outline(number);
      describe_edits(
          {.before = old_outline, .now = new_outline, .old_table = old_, .new_table = new_},
          change);
    }
    changes.push_back(std::move(change));
  }

  const Side& before_;
  const Side& now_;
  const FunctionTable& old_;
  const FunctionTable& new_;
  std::vector<std::size_t> old_of_; ///< by new function: its old version
  std::vector<bool> taken_;         ///< by old function: it has a new version
};

} // namespace

Difference difference(const Side& before, const Side& now) {
  return Matcher(before, now).difference();
}

} // namespace dragnet::binary
