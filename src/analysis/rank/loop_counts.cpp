#include "analysis/rank/loop_counts.h"

#include "analysis/structure/dependencies.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace dragnet::rank {
namespace {

using Map = std::vector<std::vector<std::size_t>>; // loops first, then collections

Map united(const structure::Correlation& correlation) {
  const std::size_t loops = correlation.walks.size();
  Map map(loops + correlation.collections);
  const auto connect = [&](const std::vector<std::vector<std::size_t>>& dependencies) {
    for (std::size_t loop = 0; loop < loops; ++loop)
      for (const std::size_t collection : dependencies[loop]) {
        map[loop].push_back(loops + collection);
        map[loops + collection].push_back(loop);
      }
  };
  connect(correlation.walks);
  connect(correlation.changes);
  for (auto& values : map) {
    std::ranges::sort(values);
    const auto [first, last] = std::ranges::unique(values);
    values.erase(first, last);
  }
  return map;
}

double average(const LoopCounts& counts) {
  double sum = 0;
  std::size_t known = 0;
  for (const auto& count : counts)
    if (count) {
      sum += *count;
      ++known;
    }
  return known == 0 ? 1 : sum / static_cast<double>(known);
}

// The sizes of collections, as far as known loops tell, the best ground first.
struct Sizes {
  explicit Sizes(std::size_t collections)
      : by_name(collections), by_alias(collections), filled(collections) {}
  LoopCounts by_name;
  LoopCounts by_alias;
  LoopCounts filled;
};

using Lists = std::vector<std::vector<std::size_t>>;

const Lists& names_of(const structure::Correlation& correlation) {
  return correlation.names.empty() ? correlation.walks : correlation.names;
}

double rate_of(const structure::Correlation& correlation, std::size_t loop) {
  return correlation.rates.empty() ? 1 : correlation.rates[loop];
}

bool is_partial(const structure::Correlation& correlation, std::size_t loop) {
  return !correlation.partial.empty() && correlation.partial[loop];
}

Sizes sizes_of(const structure::Correlation& correlation, const LoopCounts& counts) {
  Sizes sizes(correlation.collections);
  std::vector<double> walkers(correlation.collections, 0.0);
  for (std::size_t loop = 0; loop < counts.size(); ++loop) {
    const auto& count = counts[loop];
    if (!count || is_partial(correlation, loop))
      continue;
    const double size = *count / rate_of(correlation, loop);
    for (const std::size_t one : names_of(correlation)[loop])
      sizes.by_name[one] = std::max(sizes.by_name[one].value_or(0), size);
    if (size >= 1)
      for (const std::size_t one : correlation.walks[loop]) {
        sizes.by_alias[one] = sizes.by_alias[one].value_or(0) + std::log(size);
        walkers[one] += 1;
      }
    for (const std::size_t one : correlation.fills[loop])
      sizes.filled[one] = sizes.filled[one].value_or(0) + *count;
  }
  for (std::size_t one = 0; one < walkers.size(); ++one)
    if (auto& size = sizes.by_alias[one])
      size = std::exp(*size / walkers[one]);
  return sizes;
}

// The mean of the sizes that are known. Less than one is no size: such loops end early, or take
// large steps.
std::optional<double> mean_of(const std::vector<std::size_t>& collections,
                              const LoopCounts& sizes) {
  double sum = 0;
  double known = 0;
  for (const std::size_t one : collections)
    if (const auto& size = sizes[one]; size && *size >= 1) {
      sum += *size;
      known += 1;
    }
  return known > 0 ? std::optional(sum / known) : std::nullopt;
}

// What is walked, but by no loop even once.
bool are_empty(const std::vector<std::size_t>& collections, const Sizes& sizes) {
  return !collections.empty() && std::ranges::all_of(collections, [&](std::size_t one) {
    return sizes.by_name[one] && *sizes.by_name[one] == 0 && !sizes.by_alias[one];
  });
}

// The size of the one of them that has one.
std::optional<double> the_only_one(const std::vector<std::size_t>& collections,
                                   const LoopCounts& sizes) {
  std::optional<double> found;
  for (const std::size_t one : collections)
    if (sizes[one]) {
      if (found)
        return std::nullopt;
      found = sizes[one];
    }
  return found;
}

std::optional<double> times(double rate, std::optional<double> size) {
  return size ? std::optional(rate * *size) : std::nullopt;
}

std::optional<double> count_by(const Sizes& sizes, const std::vector<std::size_t>& names,
                               const std::vector<std::size_t>& walks) {
  for (const auto* ground : {&sizes.by_name, &sizes.filled, &sizes.by_alias})
    if (const auto count = mean_of(names, *ground))
      return count;
  for (const auto* ground : {&sizes.by_name, &sizes.by_alias, &sizes.filled})
    if (const auto count = mean_of(walks, *ground))
      return count;
  return std::nullopt;
}

} // namespace

LoopCounts inferred(const structure::Correlation& correlation, LoopCounts known) {
  const std::size_t loops = correlation.walks.size();
  const Map map = united(correlation);
  LoopCounts counts = std::move(known);
  counts.resize(loops + correlation.collections);
  std::deque<std::size_t> queue;
  for (std::size_t loop = 0; loop < loops; ++loop)
    if (counts[loop])
      queue.push_back(loop);
  while (!queue.empty()) {
    const std::size_t top = queue.front();
    queue.pop_front();
    for (const std::size_t value : map[top])
      if (auto& count = counts[value]; !count) {
        count = counts[top];
        queue.push_back(value);
      } else if (value >= loops) {
        count = *count + counts[top].value_or(0);
      }
  }
  counts.resize(loops);
  return counts;
}

LoopCounts inferred_or_average(const structure::Correlation& correlation, const LoopCounts& known) {
  const double usual = average(known);
  LoopCounts counts = inferred(correlation, known);
  for (auto& count : counts)
    count = count.value_or(usual);
  return counts;
}

LoopCounts inferred_by_name(const structure::Correlation& correlation, LoopCounts known) {
  const Sizes sizes = sizes_of(correlation, known);
  for (std::size_t loop = 0; loop < known.size(); ++loop) {
    if (!known[loop] && are_empty(names_of(correlation)[loop], sizes))
      known[loop] = 0;
    for (const auto* ground : {&sizes.by_name, &sizes.filled})
      if (!known[loop])
        known[loop] =
            times(rate_of(correlation, loop), mean_of(names_of(correlation)[loop], *ground));
  }
  return known;
}

LoopCounts inferred_by_identity(const structure::Correlation& correlation, LoopCounts known) {
  const Sizes sizes = sizes_of(correlation, known);
  for (std::size_t loop = 0; loop < known.size(); ++loop)
    if (!known[loop])
      known[loop] =
          times(rate_of(correlation, loop), the_only_one(correlation.walks[loop], sizes.by_name));
  return known;
}

LoopCounts walked_sizes(const structure::Correlation& correlation, const LoopCounts& known) {
  LoopCounts sizes = sizes_of(correlation, known).by_name;
  for (auto& size : sizes)
    if (size && *size < 1)
      size.reset();
  return sizes;
}

LoopCounts reached_sizes(const structure::Correlation& correlation, const LoopCounts& known) {
  LoopCounts sizes(correlation.collections);
  for (std::size_t loop = 0; loop < known.size(); ++loop)
    if (const auto& count = known[loop])
      for (const std::size_t one : names_of(correlation)[loop])
        sizes[one] = std::max(sizes[one].value_or(0), *count / rate_of(correlation, loop));
  return sizes;
}

LoopCounts counted_by(const structure::Correlation& correlation, const LoopCounts& sizes,
                      LoopCounts known) {
  for (std::size_t loop = 0; loop < known.size(); ++loop)
    if (!known[loop])
      known[loop] = times(rate_of(correlation, loop), mean_of(names_of(correlation)[loop], sizes));
  return known;
}

LoopCounts inferred_by_size(const structure::Correlation& correlation, LoopCounts known) {
  LoopCounts counts = std::move(known);
  for (bool news = true; news;) {
    news = false;
    const Sizes sizes = sizes_of(correlation, counts);
    for (std::size_t loop = 0; loop < counts.size(); ++loop) {
      if (counts[loop])
        continue;
      counts[loop] = times(rate_of(correlation, loop),
                           count_by(sizes, names_of(correlation)[loop], correlation.walks[loop]));
      news = news || counts[loop];
    }
  }
  return counts;
}

} // namespace dragnet::rank
