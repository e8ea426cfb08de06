// Profiles that are taken at the same time, one on each core: counts do not disturb each other.
#pragma once

#include "lab/state.h"
#include "lab/trial.h"
#include "model/benchmark.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/run.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dragnet::lab {

/// The files and numbers that a benchmark names, other than in its build and its own scratch
/// folder. Two that name the same may disturb each other.
std::vector<std::string> named_things(const Benchmark& benchmark);

/// A benchmark and the build that it runs on.
struct BenchmarkOn {
  const Build& build;
  const Benchmark& benchmark;
};

/// A trial and the functions of its build's binaries.
struct ProfiledTrial {
  Trial trial;
  std::span<const FunctionTable> tables;
};

/// Takes profiles in their order, as many at once as there are cores, until a time. Never at once:
/// what names the same things, and what may use more than one core. Nothing where a profile could
/// not be taken, or not in time.
std::vector<std::optional<Profile>>
take_profiles(const State& state, std::span<const ProfiledTrial> trials, double until);

} // namespace dragnet::lab
