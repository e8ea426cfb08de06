#include "analysis/select/cheapest_cover.h"

#include "analysis/select/indicators.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace dragnet::select {
namespace {

// A set of dismissed pairs, a bit each.
using Bits = std::vector<std::uint64_t>;

std::size_t size_of_union(const Bits& a, const Bits& b) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    size += static_cast<std::size_t>(std::popcount(a[i] | b[i]));
  return size;
}

Bits united(Bits a, const Bits& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] |= b[i];
  return a;
}

bool nowhere_above(const Indicators& a, const Indicators& b) {
  return std::ranges::equal(a, b, std::less_equal<>{});
}

// The hits that no other is covered with for certain: whatever covers a hit covers all that are
// nowhere below it.
std::vector<Indicators> lowest(std::span<const Indicators> hits) {
  std::vector<Indicators> kept;
  for (const Indicators& hit : hits) {
    const auto below = [&](const Indicators& other) { return nowhere_above(other, hit); };
    if (std::ranges::any_of(kept, below))
      continue;
    std::erase_if(kept, [&](const Indicators& other) { return nowhere_above(hit, other); });
    kept.push_back(hit);
  }
  return kept;
}

bool covers(const Thresholds& thresholds, const Indicators& pair) {
  for (std::size_t i = 0; i < indicator_count; ++i)
    if (pair.at(i) >= thresholds.at(i))
      return true;
  return false;
}

class Finder {
public:
  Finder(std::span<const Indicators> hits, std::span<const Indicators> dismissed)
      : hits_(lowest(hits)), words_((dismissed.size() + 63) / 64), fired_(hits_.size()) {
    for (std::size_t hit = 0; hit < hits_.size(); ++hit)
      for (std::size_t i = 0; i < indicator_count; ++i)
        fired_[hit].at(i) = firing(dismissed, i, hits_[hit].at(i));
  }

  Cover find(const Cover& first) {
    best_ = first;
    Thresholds thresholds;
    thresholds.fill(takes_no_part);
    descend(thresholds, Bits(words_));
    best_.cheapest_is_known = work_ <= most_work;
    return best_;
  }

private:
  // In words of sets that are looked at: some tenths of a second.
  static constexpr std::size_t most_work = 200'000'000;

  struct Choice {
    std::size_t hit = 0;
    std::array<std::size_t, indicator_count> prices{};
    std::size_t least = 0;
  };

  Bits firing(std::span<const Indicators> dismissed, std::size_t indicator,
              double threshold) const {
    Bits bits(words_);
    for (std::size_t i = 0; i < dismissed.size(); ++i)
      if (dismissed[i].at(indicator) >= threshold)
        bits[i / 64] |= std::uint64_t{1} << (i % 64);
    return bits;
  }

  Choice choice_for(std::size_t hit, const Bits& fired) {
    Choice choice{.hit = hit};
    for (std::size_t i = 0; i < indicator_count; ++i)
      choice.prices.at(i) = size_of_union(fired, fired_[hit].at(i));
    choice.least = std::ranges::min(choice.prices);
    work_ += indicator_count * words_ + 1;
    return choice;
  }

  // Covers the hit that is dearest to cover: its least price bounds what any completion costs.
  void descend(const Thresholds& thresholds, const Bits& fired) {
    Choice dearest;
    bool complete = true;
    for (std::size_t hit = 0; hit < hits_.size(); ++hit) {
      if (covers(thresholds, hits_[hit]))
        continue;
      const Choice choice = choice_for(hit, fired);
      if (complete || choice.least > dearest.least)
        dearest = choice;
      complete = false;
    }
    if (complete)
      keep(thresholds, fired);
    else if (dearest.least < best_.price)
      branch(thresholds, fired, dearest);
  }

  void keep(const Thresholds& thresholds, const Bits& fired) {
    const std::size_t price = size_of_union(fired, fired);
    if (price < best_.price)
      best_ = {.thresholds = thresholds, .price = price, .cheapest_is_known = false};
  }

  void branch(const Thresholds& thresholds, const Bits& fired, const Choice& choice) {
    std::array<std::size_t, indicator_count> order{0, 1, 2, 3, 4, 5, 6, 7};
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return choice.prices.at(i); });
    for (const std::size_t i : order) {
      if (choice.prices.at(i) >= best_.price || work_ > most_work)
        return;
      Thresholds lowered = thresholds;
      lowered.at(i) = hits_[choice.hit].at(i);
      descend(lowered, united(fired, fired_[choice.hit].at(i)));
    }
  }

  std::vector<Indicators> hits_;
  std::size_t words_;
  std::vector<std::array<Bits, indicator_count>> fired_;
  Cover best_;
  std::size_t work_ = 0;
};

} // namespace

Cover cheapest_cover(std::span<const Indicators> hits, std::span<const Indicators> dismissed,
                     const Thresholds& first) {
  const auto fires = [&](const Indicators& pair) { return covers(first, pair); };
  const auto price = static_cast<std::size_t>(std::ranges::count_if(dismissed, fires));
  return Finder(hits, dismissed).find({.thresholds = first, .price = price});
}

} // namespace dragnet::select
