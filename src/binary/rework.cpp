#include "binary/rework.h"
#include "binary/alignment.h"
#include "binary/block_matching.h"
#include "binary/outline.h"
#include "model/function.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::binary {
namespace {

std::vector<std::uint16_t> tokens_of(const Outline& outline) {
  std::vector<std::uint16_t> tokens;
  tokens.reserve(outline.size());
  for (const Outlined& one : outline)
    tokens.push_back(one.token);
  return tokens;
}

class Rework {
public:
  Rework(const Versions& versions, FunctionChange& change)
      : versions_(versions), before_(versions.before), now_(versions.now),
        match_(match_blocks(before_, now_)), certain_(certain_places()), change_(change) {}

  void describe() {
    for (std::size_t i = 0; i < before_.blocks.size(); ++i)
      if (match_.new_of[i] == BlockMatch::none)
        take_away(before_.blocks[i]);
    for (std::size_t i = 0; i < now_.blocks.size(); ++i) {
      if (match_.old_of[i] == BlockMatch::none)
        put_in(static_cast<std::uint32_t>(i));
      else if (match_.old_of[i] != BlockMatch::copy)
        change_block(before_.blocks[match_.old_of[i]], now_.blocks[i]);
    }
  }

private:
  using Calls = std::map<std::string, std::pair<int, std::uint32_t>>; // by callee: how many, length

  static void count_calls(const Outline& outline, const Block& block, const FunctionTable& table,
                          int sign, Calls& calls) {
    for (std::uint32_t i = block.first; i < block.end(); ++i)
      if (outline[i].callee != Outlined::none) {
        const Function& callee = table.functions[outline[i].callee];
        auto& [count, length] = calls[callee.name];
        count += sign;
        length = callee.instructions;
      }
  }

  void add(const Edit& edit, const Calls& calls) {
    if (edit.instructions != 0)
      change_.edits.push_back(edit);
    for (const auto& [callee, counted] : calls)
      if (counted.first != 0)
        change_.calls.push_back({.place = edit.place,
                                 .callee = callee,
                                 .length = counted.second,
                                 .calls = counted.first});
  }

  void take_away(const Block& block) {
    Calls calls;
    count_calls(versions_.before, block, versions_.old_table, -1, calls);
    add({.place = {.before = {block.first}, .after = {block.first}, .certain = true},
         .instructions = -static_cast<std::int32_t>(block.count)},
        calls);
  }

  void change_block(const Block& before, const Block& now) {
    Calls calls;
    count_calls(versions_.before, before, versions_.old_table, -1, calls);
    count_calls(versions_.now, now, versions_.new_table, 1, calls);
    add({.place = {.before = {before.first}, .after = {before.first}, .certain = true},
         .instructions =
             static_cast<std::int32_t>(now.count) - static_cast<std::int32_t>(before.count)},
        calls);
  }

  // New blocks that are executed exactly as often as an old one, because there is no way around
  // them.
  std::vector<std::uint32_t> certain_places() const {
    std::vector<std::uint32_t> place_of(now_.blocks.size(), BlockMatch::none);
    for (std::size_t i = 0; i < now_.blocks.size(); ++i)
      if (match_.old_of[i] < BlockMatch::copy)
        place_of[i] = before_.blocks[match_.old_of[i]].first;
    for (bool more = true; std::exchange(more, false);)
      for (std::size_t i = 0; i < now_.blocks.size(); ++i)
        if (place_of[i] == BlockMatch::none) {
          place_of[i] = forced(now_.blocks[i].before, &Block::after, place_of);
          if (place_of[i] == BlockMatch::none)
            place_of[i] = forced(now_.blocks[i].after, &Block::before, place_of);
          more = more || place_of[i] != BlockMatch::none;
        }
    return place_of;
  }

  // The place of a neighbour that leads nowhere else.
  std::uint32_t forced(const std::vector<std::uint32_t>& neighbours,
                       std::vector<std::uint32_t> Block::* ways,
                       const std::vector<std::uint32_t>& place_of) const {
    for (const std::uint32_t neighbour : neighbours)
      if (place_of[neighbour] != BlockMatch::none && (now_.blocks[neighbour].*ways).size() == 1)
        return place_of[neighbour];
    return BlockMatch::none;
  }

  EditPlace place_of(std::uint32_t number) const {
    if (const std::uint32_t sure = certain_[number]; sure != BlockMatch::none)
      return {.before = {sure}, .after = {sure}, .certain = true};
    return {.before = around(number, &Block::before),
            .after = around(number, &Block::after),
            .certain = false};
  }

  void put_in(std::uint32_t number) {
    const Block& block = now_.blocks[number];
    Calls calls;
    count_calls(versions_.now, block, versions_.new_table, 1, calls);
    add({.place = place_of(number), .instructions = static_cast<std::int32_t>(block.count)}, calls);
  }

  // The old versions of the nearest blocks before or after a new one.
  std::vector<std::uint32_t> around(std::uint32_t number,
                                    std::vector<std::uint32_t> Block::* side) const {
    std::vector<std::uint32_t> found;
    std::vector<bool> seen(now_.blocks.size());
    std::vector<std::uint32_t> open{number};
    seen[number] = true;
    while (!open.empty()) {
      const Block& block = now_.blocks[open.back()];
      open.pop_back();
      for (const std::uint32_t next : block.*side) {
        if (seen[next])
          continue;
        seen[next] = true;
        const std::uint32_t old = match_.old_of[next];
        if (old < BlockMatch::copy)
          found.push_back(before_.blocks[old].first);
        else
          open.push_back(next);
      }
    }
    return found;
  }

  const Versions& versions_;
  Version before_;
  Version now_;
  BlockMatch match_;
  std::vector<std::uint32_t> certain_; ///< by new block: an old instruction that runs as often
  FunctionChange& change_;
};

} // namespace

void describe_edits(const Versions& versions, FunctionChange& change) {
  change.hunks = hunks(tokens_of(versions.before), tokens_of(versions.now));
  change.edited = std::max(1U, edits(change.hunks));
  Rework(versions, change).describe();
}

} // namespace dragnet::binary
