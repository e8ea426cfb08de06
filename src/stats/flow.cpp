#include "stats/flow.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::stats {
namespace {

struct Way {
  std::size_t to;
  double part;
};

using Ways = std::vector<std::vector<Way>>; // by the node that they start from

Ways ways_of(std::size_t nodes, std::span<const Arc> arcs, std::span<const double> parts) {
  Ways ways(nodes);
  for (std::size_t i = 0; i < arcs.size(); ++i)
    if (arcs[i].from != arcs[i].to)
      ways[arcs[i].from].push_back({.to = arcs[i].to, .part = parts[i]});
  return ways;
}

// Walks on from a node that was not seen yet; each node is added after those that it leads to.
void add_below(std::size_t root, const Ways& ways, std::vector<bool>& seen,
               std::vector<std::size_t>& order) {
  seen[root] = true;
  std::vector<std::pair<std::size_t, std::size_t>> path; // a node and its next way to follow
  path.emplace_back(root, 0);
  while (!path.empty()) {
    auto& [node, next] = path.back();
    if (next == ways[node].size()) {
      order.push_back(node);
      path.pop_back();
      continue;
    }
    const std::size_t to = ways[node][next++].to;
    if (seen[to])
      continue;
    seen[to] = true;
    path.emplace_back(to, 0);
  }
}

// All nodes, each after those that it leads to as far as cycles allow.
std::vector<std::size_t> last_first(const Ways& ways) {
  std::vector<std::size_t> order;
  order.reserve(ways.size());
  std::vector<bool> seen(ways.size(), false);
  for (std::size_t root = 0; root < ways.size(); ++root)
    if (!seen[root])
      add_below(root, ways, seen, order);
  return order;
}

} // namespace

std::vector<double> parts_of(std::span<const Arc> arcs, std::size_t nodes) {
  std::vector<double> incoming(nodes, 0.0);
  for (const Arc& arc : arcs)
    if (arc.from != arc.to)
      incoming[arc.to] += arc.weight;
  std::vector<double> parts;
  parts.reserve(arcs.size());
  for (const Arc& arc : arcs)
    parts.push_back(arc.from == arc.to ? 0 : arc.weight / incoming[arc.to]);
  return parts;
}

std::vector<double> accumulated(std::span<const double> own, std::span<const Arc> arcs,
                                std::span<const double> parts, double limit) {
  // One pass in this order is exact without cycles; with them, further passes approach the
  // solution.
  constexpr int most_passes = 30;
  constexpr double precise = 1e-9;
  const Ways ways = ways_of(own.size(), arcs, parts);
  const std::vector<std::size_t> order = last_first(ways);
  std::vector<double> sums(own.size(), 0.0);
  for (int pass = 0; pass < most_passes; ++pass) {
    double moved = 0;
    for (const std::size_t node : order) {
      double sum = own[node];
      for (const Way& way : ways[node])
        sum += way.part * sums[way.to];
      sum = std::min(sum, limit);
      moved = std::max(moved, std::abs(sum - sums[node]));
      sums[node] = sum;
    }
    if (moved <= precise * limit)
      break;
  }
  return sums;
}

} // namespace dragnet::stats
