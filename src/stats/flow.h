// Costs in a graph of who calls whom: what a node costs with all that it leads to.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dragnet::stats {

/// A way from one node to another; its weight is above 0.
struct Arc {
  std::size_t from = 0;
  std::size_t to = 0;
  double weight = 0; ///< how often it is taken
};

/// For each arc, the part that it has of all that lead to the same node, 0 to 1.
std::vector<double> parts_of(std::span<const Arc> arcs, std::size_t nodes);

/// For each node what it costs itself and what it passes on: the cost of a node is divided among
/// those that lead to it, by the parts of the arcs, as gprof does (Graham, Kessler and McKusick
/// 1982). No node costs more than `limit`, which keeps cycles finite. Arcs from a node to itself
/// move nothing.
std::vector<double> accumulated(std::span<const double> own, std::span<const Arc> arcs,
                                std::span<const double> parts, double limit);

} // namespace dragnet::stats
