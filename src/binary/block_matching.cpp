#include "binary/block_matching.h"
#include "binary/mix.h"
#include "binary/outline.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragnet::binary {
namespace {

constexpr std::uint32_t none = BlockMatch::none;

// What a block does: its operations in their order, and sorted.
struct Content {
  std::uint64_t hash = 0;
  std::uint64_t exact = 0; // with registers and places in memory
  std::vector<std::uint16_t> sorted;
};

std::vector<Content> contents_of(const Version& version) {
  std::vector<Content> contents;
  contents.reserve(version.blocks.size());
  for (const Block& block : version.blocks) {
    Content content;
    for (std::uint32_t i = block.first; i < block.end(); ++i) {
      content.hash = mix(content.hash, version.outline[i].operation);
      content.exact = mix(content.exact, version.outline[i].token);
      content.sorted.push_back(version.outline[i].operation);
    }
    std::ranges::sort(content.sorted);
    contents.push_back(std::move(content));
  }
  return contents;
}

double alike(const Content& a, const Content& b) {
  return likeness(a.sorted, b.sorted);
}

class Matching {
public:
  Matching(const Version& before, const Version& now)
      : before_(before), now_(now), old_contents_(contents_of(before)),
        new_contents_(contents_of(now)) {
    result_.old_of.assign(now.blocks.size(), none);
    result_.new_of.assign(before.blocks.size(), none);
  }

  BlockMatch match() {
    if (before_.blocks.empty() || now_.blocks.empty())
      return std::move(result_);
    pair(0, 0);
    match_unique(&Content::exact, 1);
    match_unique(&Content::hash, 3);
    spread(0.5);
    match_unique(&Content::hash, 1);
    spread(0.5);
    match_alike();
    spread(0.25);
    spread_to_only_ones();
    mark_copies(new_contents_, old_contents_, result_.old_of);
    mark_copies(old_contents_, new_contents_, result_.new_of);
    return std::move(result_);
  }

private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>; // old, new

  void pair(std::uint32_t before, std::uint32_t now) {
    result_.old_of[now] = before;
    result_.new_of[before] = now;
    fresh_.emplace_back(before, now);
  }

  bool is_free(std::uint32_t before, std::uint32_t now) const {
    return result_.new_of[before] == none && result_.old_of[now] == none;
  }

  // Blocks of some length that are the only ones of their content among those left on both sides.
  void match_unique(std::uint64_t Content::* key, std::size_t shortest) {
    struct Places {
      std::uint32_t before = none;
      std::uint32_t now = none;
      bool unique = true;
    };
    std::unordered_map<std::uint64_t, Places> places;
    const auto note = [&](const std::vector<Content>& contents,
                          const std::vector<std::uint32_t>& matched,
                          std::uint32_t Places::* place) {
      for (std::uint32_t i = 0; i < contents.size(); ++i) {
        if (matched[i] != none || contents[i].sorted.size() < shortest)
          continue;
        Places& entry = places[contents[i].*key];
        entry.unique = entry.unique && entry.*place == none;
        entry.*place = i;
      }
    };
    note(old_contents_, result_.new_of, &Places::before);
    note(new_contents_, result_.old_of, &Places::now);
    for (const auto& [content, place] : places)
      if (place.unique && place.before != none && place.now != none)
        pair(place.before, place.now);
  }

  // Looks around each pair, and around those that are found thereby.
  template <class Look>
  void look_around_pairs(Look look) {
    for (std::uint32_t i = 0; i < result_.old_of.size(); ++i)
      if (result_.old_of[i] != none)
        fresh_.emplace_back(result_.old_of[i], i);
    while (!fresh_.empty()) {
      const auto [before, now] = fresh_.back();
      fresh_.pop_back();
      look(before, now);
    }
  }

  // What follows or comes before a pair, if it is alike enough, is a pair.
  void spread(double least) {
    look_around_pairs([&](std::uint32_t before, std::uint32_t now) {
      match_around(before_.blocks[before].after, now_.blocks[now].after, least);
      match_around(before_.blocks[before].before, now_.blocks[now].before, least);
      match_beside(before, now, least);
    });
  }

  // The most alike first. Where thousands of blocks jump to one, comparing each with each would
  // take longer than it tells.
  void match_around(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now,
                    double least) {
    constexpr std::size_t most = 1'000'000;
    if (before.size() * now.size() > most)
      return;
    std::vector<std::pair<double, Pair>> candidates;
    for (const std::uint32_t a : before)
      for (const std::uint32_t b : now)
        if (is_free(a, b))
          if (const double how = alike(old_contents_[a], new_contents_[b]); how >= least)
            candidates.push_back({how, {a, b}});
    std::ranges::stable_sort(candidates, std::greater<>{},
                             [](const auto& one) { return one.first; });
    for (const auto& [how, candidate] : candidates)
      if (is_free(candidate.first, candidate.second))
        pair(candidate.first, candidate.second);
  }

  // What alone is left beside a pair on both sides stands in the same place, whatever it does.
  void spread_to_only_ones() {
    look_around_pairs([&](std::uint32_t before, std::uint32_t now) {
      match_only_ones(before_.blocks[before].after, now_.blocks[now].after);
      match_only_ones(before_.blocks[before].before, now_.blocks[now].before);
    });
  }

  void match_only_ones(const std::vector<std::uint32_t>& before,
                       const std::vector<std::uint32_t>& now) {
    const auto only = [](const std::vector<std::uint32_t>& all,
                         const std::vector<std::uint32_t>& matched) {
      std::uint32_t found = none;
      for (const std::uint32_t one : all)
        if (matched[one] == none) {
          if (found != none && found != one)
            return none;
          found = one;
        }
      return found;
    };
    const std::uint32_t a = only(before, result_.new_of);
    const std::uint32_t b = only(now, result_.old_of);
    if (a != none && b != none && before.size() == now.size())
      pair(a, b);
  }

  // Neighbours in the order of the code.
  void match_beside(std::uint32_t before, std::uint32_t now, double least) {
    const auto attempt = [&](std::uint32_t a, std::uint32_t b) {
      if (a < before_.blocks.size() && b < now_.blocks.size() && is_free(a, b) &&
          alike(old_contents_[a], new_contents_[b]) >= std::max(least, 0.5))
        pair(a, b);
    };
    attempt(before + 1, now + 1);
    attempt(before - 1, now - 1);
  }

  using Holders = std::unordered_map<std::uint16_t, std::vector<std::uint32_t>>;

  // Too short a block is like many.
  static constexpr std::size_t worth_comparing = 4;

  // By operation: the old blocks among those left that have it.
  Holders holders_left() const {
    Holders holders;
    for (std::uint32_t i = 0; i < old_contents_.size(); ++i)
      if (result_.new_of[i] == none && old_contents_[i].sorted.size() >= worth_comparing)
        for (const std::uint16_t operation : old_contents_[i].sorted)
          if (auto& list = holders[operation]; list.empty() || list.back() != i)
            list.push_back(i);
    return holders;
  }

  // Of those left, each with the most alike, best first.
  void match_alike() {
    constexpr double enough = 0.6;
    const Holders holders = holders_left();
    std::vector<std::pair<double, Pair>> candidates;
    for (std::uint32_t j = 0; j < new_contents_.size(); ++j) {
      if (result_.old_of[j] != none || new_contents_[j].sorted.size() < worth_comparing)
        continue;
      for (const std::uint32_t i : sharing_something_rare(holders, new_contents_[j]))
        if (const double how = alike(old_contents_[i], new_contents_[j]); how >= enough)
          candidates.push_back({-how, {i, j}});
    }
    std::ranges::sort(candidates);
    for (const auto& [unlike, candidate] : candidates)
      if (is_free(candidate.first, candidate.second))
        pair(candidate.first, candidate.second);
  }

  static std::vector<std::uint32_t> sharing_something_rare(const Holders& holders,
                                                           const Content& content) {
    constexpr std::size_t rare = 12;
    std::vector<std::uint32_t> found;
    for (const std::uint16_t operation : content.sorted)
      if (const auto list = holders.find(operation);
          list != holders.end() && list->second.size() <= rare)
        found.insert(found.end(), list->second.begin(), list->second.end());
    std::ranges::sort(found);
    const auto rest = std::ranges::unique(found);
    found.erase(rest.begin(), rest.end());
    return found;
  }

  // Compilers make copies of blocks, and one of several: together they are executed as often.
  static void mark_copies(const std::vector<Content>& here, const std::vector<Content>& there,
                          std::vector<std::uint32_t>& matched) {
    constexpr std::size_t long_enough = 3;
    std::unordered_map<std::uint64_t, bool> known;
    for (const Content& content : there)
      known.emplace(content.hash, true);
    for (std::size_t i = 0; i < here.size(); ++i)
      if (matched[i] == none && here[i].sorted.size() >= long_enough &&
          known.contains(here[i].hash))
        matched[i] = BlockMatch::copy;
  }

  const Version& before_;
  const Version& now_;
  std::vector<Content> old_contents_;
  std::vector<Content> new_contents_;
  BlockMatch result_;
  std::vector<Pair> fresh_;
};

} // namespace

double likeness(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b) {
  const std::size_t longer = std::max(a.size(), b.size());
  const std::size_t shorter = std::min(a.size(), b.size());
  // Not even if all were in common.
  if (longer == 0 || 3 * shorter < longer)
    return 0;
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    common += a[i] == b[j] ? 1 : 0;
    const bool next_a = a[i] <= b[j];
    const bool next_b = b[j] <= a[i];
    i += next_a ? 1 : 0;
    j += next_b ? 1 : 0;
  }
  return 2.0 * static_cast<double>(common) / static_cast<double>(a.size() + b.size());
}

BlockMatch match_blocks(const Version& before, const Version& now) {
  return Matching(before, now).match();
}

} // namespace dragnet::binary
