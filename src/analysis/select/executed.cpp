#include "analysis/select/executed.h"

#include "model/profile.h"
#include "stats/flow.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::select {
namespace {

// The calls between functions of the profile, recursion into itself left out.
std::vector<stats::Arc> calls_of(const Executed& executed) {
  std::vector<stats::Arc> calls;
  for (const CallEdge& edge : executed.profile().edges) {
    const auto caller = executed.find(edge.caller.binary, edge.caller.name);
    const auto callee = executed.find(edge.callee.binary, edge.callee.name);
    if (caller && callee && *caller != *callee && edge.calls > 0)
      calls.push_back({*caller, *callee, static_cast<double>(edge.calls)});
  }
  return calls;
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
  std::vector<double> own;
  own.reserve(profile_->functions.size());
  for (std::size_t function = 0; function < profile_->functions.size(); ++function)
    own.push_back(share(function));
  const auto calls = calls_of(*this);
  return stats::accumulated(own, calls, stats::parts_of(calls, own.size()), 1.0);
}

} // namespace dragnet::select
