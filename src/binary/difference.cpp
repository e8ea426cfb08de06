#include "binary/difference.h"
#include "binary/mix.h"
#include "binary/ranges.h"
#include "model/function.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragnet::binary {
namespace {

// More edits than this are not counted exactly.
constexpr std::size_t most_edits = 1000;

constexpr std::size_t none = SIZE_MAX;

std::uint64_t content_of(const Function& function) {
  return mix(function.code_hash, function.data_hash);
}

class Matcher {
public:
  Matcher(const FunctionTable& old_table, const FunctionTable& new_table)
      : old_(old_table), new_(new_table), old_of_(new_table.functions.size(), none),
        taken_(old_table.functions.size()) {}

  Difference difference() {
    match_by_name();
    match_rest([](const Function& function) { return content_of(function); });
    match_rest([](const Function& function) {
      const std::string_view plain = without_copy_number(function.name);
      return plain == function.name ? 0 : hash_of(plain);
    });
    return found();
  }

private:
  void pair(std::size_t old_number, std::size_t new_number) {
    old_of_[new_number] = old_number;
    taken_[old_number] = true;
  }

  void match_by_name() {
    std::unordered_map<std::string_view, std::size_t> by_name;
    by_name.reserve(old_.functions.size());
    for (std::size_t i = 0; i < old_.functions.size(); ++i)
      by_name.emplace(old_.functions[i].name, i);
    for (std::size_t i = 0; i < new_.functions.size(); ++i)
      if (const auto same = by_name.find(new_.functions[i].name); same != by_name.end())
        pair(same->second, i);
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
    if (before.code_hash != now.code_hash)
      change.edited = std::max(1U, edits(old_.tokens_of(before), new_.tokens_of(now)));
    changes.push_back(std::move(change));
  }

  const FunctionTable& old_;
  const FunctionTable& new_;
  std::vector<std::size_t> old_of_; ///< by new function: its old version
  std::vector<bool> taken_;         ///< by old function: it has a new version
};

// At least as many edits as the numbers of each instruction differ by.
std::uint32_t least_edits(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b) {
  std::vector<std::int32_t> surplus(std::size_t{UINT16_MAX} + 1);
  for (const std::uint16_t token : a)
    ++surplus[token];
  for (const std::uint16_t token : b)
    --surplus[token];
  std::uint32_t edits = 0;
  for (const std::int32_t difference : surplus)
    edits += static_cast<std::uint32_t>(difference < 0 ? -difference : difference);
  return std::max(edits, static_cast<std::uint32_t>(most_edits));
}

std::size_t equal_at_end(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b) {
  const auto [in_a, in_b] = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  return static_cast<std::size_t>(in_a - a.rbegin());
}

} // namespace

Difference difference(const FunctionTable& old_table, const FunctionTable& new_table) {
  return Matcher(old_table, new_table).difference();
}

// Myers 1986, "An O(ND) difference algorithm", section 4: on each diagonal, how far a path with d
// edits reaches.
std::uint32_t edits(std::span<const std::uint16_t> old_tokens,
                    std::span<const std::uint16_t> new_tokens) {
  const auto [in_old, in_new] = std::ranges::mismatch(old_tokens, new_tokens);
  const auto same = static_cast<std::size_t>(in_old - old_tokens.begin());
  auto a = old_tokens.subspan(same);
  auto b = new_tokens.subspan(same);
  const std::size_t same_end = equal_at_end(a, b);
  a = a.first(a.size() - same_end);
  b = b.first(b.size() - same_end);
  if (a.empty() || b.empty())
    return static_cast<std::uint32_t>(a.size() + b.size());
  const auto limit = static_cast<std::ptrdiff_t>(std::min(a.size() + b.size(), most_edits));
  std::vector<std::ptrdiff_t> reached(static_cast<std::size_t>(2 * limit + 3), 0);
  const auto at = [&](std::ptrdiff_t diagonal) -> std::ptrdiff_t& {
    return reached[static_cast<std::size_t>(diagonal + limit + 1)];
  };
  const auto a_size = static_cast<std::ptrdiff_t>(a.size());
  const auto b_size = static_cast<std::ptrdiff_t>(b.size());
  for (std::ptrdiff_t d = 0; d <= limit; ++d)
    for (std::ptrdiff_t diagonal = -d; diagonal <= d; diagonal += 2) {
      const bool down = diagonal == -d || (diagonal != d && at(diagonal - 1) < at(diagonal + 1));
      std::ptrdiff_t x = down ? at(diagonal + 1) : at(diagonal - 1) + 1;
      std::ptrdiff_t y = x - diagonal;
      while (x < a_size && y < b_size &&
             a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(y)]) {
        ++x;
        ++y;
      }
      at(diagonal) = x;
      if (x >= a_size && y >= b_size)
        return static_cast<std::uint32_t>(d);
    }
  return least_edits(a, b);
}

} // namespace dragnet::binary
