// A profile that can be asked: which function of it has this name, what share of the run it has,
// and what share runs inside it and below it.
#pragma once

#include "model/profile.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace dragnet::select {

/// Borrows the profile, whose functions are sorted by id.
class Executed {
public:
  explicit Executed(const Profile& profile);

  const Profile& profile() const { return *profile_; }

  /// Where a function stands in the profile, or nothing when it is not in it.
  std::optional<std::size_t> find(std::string_view binary, std::string_view name) const;

  const FunctionCounts& counts(std::size_t function) const { return profile_->functions[function]; }

  /// Instructions as a share of the whole run, 0 to 1.
  double share_of(std::uint64_t instructions) const;

  /// The instructions executed in a function itself, as a share of the whole run.
  double share(std::size_t function) const;

  /// For each function, the share of the run in it and in what it calls, 0 to 1. A callee's share
  /// is divided among its callers by their calls, as gprof does (Graham, Kessler and McKusick
  /// 1982).
  std::vector<double> inclusive_shares() const;

private:
  const Profile* profile_;
  double instructions_; // at least 1
};

} // namespace dragnet::select
