#include "analysis/select/executed.h"

#include "model/profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::select {
namespace {

struct Call {
  std::size_t callee;
  double part; // of the callee's calls
};

// The calls of each function to others. Recursion into itself moves no cost.
std::vector<std::vector<Call>> calls_of(const Executed& executed) {
  const Profile& profile = executed.profile();
  std::vector<std::vector<Call>> calls(profile.functions.size());
  std::vector<double> incoming(profile.functions.size(), 0.0);
  for (const CallEdge& edge : profile.edges) {
    const auto caller = executed.find(edge.caller.binary, edge.caller.name);
    const auto callee = executed.find(edge.callee.binary, edge.callee.name);
    if (!caller || !callee || *caller == *callee || edge.calls == 0)
      continue;
    calls[*caller].push_back({.callee = *callee, .part = static_cast<double>(edge.calls)});
    incoming[*callee] += static_cast<double>(edge.calls);
  }
  for (auto& row : calls)
    for (Call& call : row)
      call.part /= incoming[call.callee];
  return calls;
}

// Walks the calls of a function that was not seen yet; each function is added after its callees.
void add_below(std::size_t root, const std::vector<std::vector<Call>>& calls,
               std::vector<bool>& seen, std::vector<std::size_t>& order) {
  seen[root] = true;
  std::vector<std::pair<std::size_t, std::size_t>> path; // a function and its next call to follow
  path.emplace_back(root, 0);
  while (!path.empty()) {
    auto& [function, next] = path.back();
    if (next == calls[function].size()) {
      order.push_back(function);
      path.pop_back();
      continue;
    }
    const std::size_t callee = calls[function][next++].callee;
    if (seen[callee])
      continue;
    seen[callee] = true;
    path.emplace_back(callee, 0);
  }
}

// All functions, callees before callers as far as cycles allow.
std::vector<std::size_t> callees_first(const std::vector<std::vector<Call>>& calls) {
  std::vector<std::size_t> order;
  order.reserve(calls.size());
  std::vector<bool> seen(calls.size(), false);
  for (std::size_t root = 0; root < calls.size(); ++root)
    if (!seen[root])
      add_below(root, calls, seen, order);
  return order;
}

} // namespace

Executed::Executed(const Profile& profile) : profile_(&profile) {
  std::uint64_t inside = 0;
  for (const FunctionCounts& counts : profile.functions)
    inside += counts.instructions;
  instructions_ = static_cast<double>(std::max({profile.instructions, inside, std::uint64_t{1}}));
}

std::optional<std::size_t> Executed::find(std::string_view binary, std::string_view name) const {
  using Key = std::pair<std::string_view, std::string_view>;
  const auto key = [](const FunctionCounts& counts) {
    return Key(counts.function.binary, counts.function.name);
  };
  const auto found = std::ranges::lower_bound(profile_->functions, Key(binary, name), {}, key);
  if (found == profile_->functions.end() || key(*found) != Key(binary, name))
    return std::nullopt;
  return static_cast<std::size_t>(found - profile_->functions.begin());
}

double Executed::share_of(std::uint64_t instructions) const {
  return std::min(static_cast<double>(instructions) / instructions_, 1.0);
}

double Executed::share(std::size_t function) const {
  return share_of(counts(function).instructions);
}

std::vector<double> Executed::inclusive_shares() const {
  // One pass with callees first is exact without cycles; with them, further passes approach the
  // solution, which the limit of the whole run keeps finite.
  constexpr int most_passes = 30;
  constexpr double precise = 1e-9;
  const auto calls = calls_of(*this);
  const std::vector<std::size_t> order = callees_first(calls);
  std::vector<double> inclusive(calls.size(), 0.0);
  for (int pass = 0; pass < most_passes; ++pass) {
    double moved = 0;
    for (const std::size_t function : order) {
      double sum = share(function);
      for (const Call& call : calls[function])
        sum += call.part * inclusive[call.callee];
      sum = std::min(sum, 1.0);
      moved = std::max(moved, std::abs(sum - inclusive[function]));
      inclusive[function] = sum;
    }
    if (moved <= precise)
      break;
  }
  return inclusive;
}

} // namespace dragnet::select
