#include "analysis/rank/handed_sizes.h"

#include "analysis/rank/loop_counts.h"
#include "analysis/structure/flow.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::rank {
namespace {

// Sizes go through so many calls at most.
constexpr std::size_t most_rounds = 20;
// Arguments that differ more than this say nothing about each other.
constexpr std::size_t most_unknown = 3;
// A parameter is as large as its known arguments where these are so much of all calls.
constexpr double enough = 0.5;
constexpr double smallest_growth = 1e-6;

// What calls hand over to one parameter, as far as it is known.
struct Sum {
  double all = 0;   ///< times
  double known = 0; ///< times with known sizes
  double size = 0;  ///< their sum
};

class Sizes {
public:
  Sizes(const Handed& handed, LoopCounts sizes) : handed_(handed), sizes_(std::move(sizes)) {}

  LoopCounts to_parameters() {
    for (std::size_t round = 0; round < most_rounds && std::exchange(news_, false); ++round) {
      set_parameters();
      set_same();
    }
    return std::move(sizes_);
  }

  // Where one argument is not known, it is what the others leave. Several share that, but only when
  // nothing else tells them apart, the fewest first.
  LoopCounts both_ways() {
    for (std::size_t round = 0; round < most_rounds && std::exchange(news_, false); ++round) {
      set_parameters();
      set_same();
      set_arguments(1);
      set_sources();
      for (std::size_t unknown = 2; !news_ && unknown <= most_unknown; ++unknown)
        set_arguments(unknown);
    }
    return std::move(sizes_);
  }

private:
  std::optional<double> size_of(const structure::Handing& handing) const {
    if (handing.factor <= 0)
      return std::nullopt;
    if (!handing.collection)
      return handing.factor;
    const auto& size = sizes_[*handing.collection];
    return size ? std::optional(std::max(0.0, (*size * handing.factor) + handing.more))
                : std::nullopt;
  }

  std::vector<Sum> summed() const {
    std::vector<Sum> sums(sizes_.size());
    for (std::size_t i = 0; i < handed_.flow.handings.size(); ++i) {
      const structure::Handing& handing = handed_.flow.handings[i];
      Sum& sum = sums[handing.parameter];
      sum.all += handed_.times[i];
      if (const auto size = size_of(handing)) {
        sum.known += handed_.times[i];
        sum.size += handed_.times[i] * *size;
      }
    }
    return sums;
  }

  void set(std::size_t collection, double size) {
    if (sizes_[collection] || !(size >= 0))
      return;
    sizes_[collection] = size;
    news_ = true;
  }

  void set_parameters() {
    const auto sums = summed();
    for (std::size_t one = 0; one < sums.size(); ++one)
      if (sums[one].known > 0 && sums[one].known >= enough * sums[one].all)
        set(one, sums[one].size / sums[one].known);
  }

  // What is made from several is as large as the largest of them, if all are known.
  void set_same() {
    LoopCounts largest(sizes_.size());
    std::vector<bool> open(sizes_.size(), false);
    for (const structure::Same& same : handed_.flow.same)
      if (const auto& size = sizes_[same.source])
        largest[same.collection] = std::max(largest[same.collection].value_or(0), *size);
      else
        open[same.collection] = true;
    for (std::size_t one = 0; one < largest.size(); ++one)
      if (const auto& size = largest[one]; size && !open[one])
        set(one, *size);
  }

  // Those of parameters with so many different unknown arguments.
  void set_arguments(std::size_t unknown) {
    const LoopCounts before = sizes_;
    const auto sums = summed();
    std::vector<std::set<std::size_t>> open(before.size());
    for (std::size_t i = 0; i < handed_.flow.handings.size(); ++i)
      if (const structure::Handing& handing = handed_.flow.handings[i];
          before[handing.parameter] && handed_.times[i] > 0 && !size_of(handing))
        open[handing.parameter].insert(handing.collection.value_or(before.size() + i));
    for (std::size_t i = 0; i < handed_.flow.handings.size(); ++i) {
      const structure::Handing& handing = handed_.flow.handings[i];
      const Sum& sum = sums[handing.parameter];
      if (open[handing.parameter].size() != unknown || !handing.collection || handing.factor <= 0 ||
          handed_.times[i] <= 0 || before[*handing.collection])
        continue;
      const double rest = (before[handing.parameter].value_or(0) * sum.all) - sum.size;
      if (rest > 0)
        set(*handing.collection,
            std::max(0.0, (rest / (sum.all - sum.known)) - handing.more) / handing.factor);
    }
  }

  void set_sources() {
    for (const structure::Same& same : handed_.flow.same)
      if (const auto& size = sizes_[same.collection])
        set(same.source, *size);
  }

  const Handed& handed_;
  LoopCounts sizes_;
  bool news_ = true;
};

} // namespace

LoopCounts sizes_both_ways(const Handed& handed, LoopCounts sizes) {
  return Sizes(handed, std::move(sizes)).both_ways();
}

LoopCounts sizes_of_parameters(const Handed& handed, LoopCounts sizes) {
  return Sizes(handed, std::move(sizes)).to_parameters();
}

std::vector<double> growth_of(const Handed& handed, std::span<const double> grown,
                              std::size_t collections) {
  std::vector<double> growth(collections, 1.0);
  for (std::size_t round = 0; round < most_rounds; ++round) {
    std::vector<double> sums(collections, 0.0);
    std::vector<double> times(collections, 0.0);
    for (std::size_t i = 0; i < handed.flow.handings.size(); ++i) {
      const structure::Handing& handing = handed.flow.handings[i];
      times[handing.parameter] += handed.times[i];
      sums[handing.parameter] +=
          handed.times[i] * grown[i] * (handing.collection ? growth[*handing.collection] : 1.0);
    }
    std::vector<double> next(collections, 1.0);
    for (const structure::Same& same : handed.flow.same)
      if (std::abs(growth[same.source] - 1) > std::abs(next[same.collection] - 1))
        next[same.collection] = growth[same.source];
    for (std::size_t one = 0; one < collections; ++one)
      if (times[one] > 0)
        next[one] = sums[one] / times[one];
    const bool settled = std::ranges::equal(
        growth, next, [](double a, double b) { return std::abs(a - b) <= smallest_growth * a; });
    growth = std::move(next);
    if (settled)
      break;
  }
  return growth;
}

} // namespace dragnet::rank
