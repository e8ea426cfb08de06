// Which benchmarks a user means: by name, by the name of a suite, or by a pattern with * and ?.
#pragma once

#include "base/result.h"
#include "model/benchmark.h"

#include <optional>
#include <string>
#include <vector>

namespace dragnet::lab {

/// The configured entries that can contain a wanted benchmark; all when nothing is wanted.
std::vector<Benchmark> entries_for(const std::vector<Benchmark>& entries,
                                   const std::vector<std::string>& wanted);

/// A suite's entry as one benchmark a case.
std::vector<Benchmark> cases_of(const Benchmark& suite, const std::vector<std::string>& names);

/// What a case's program does without it, as a benchmark of its own; nothing where that is no part
/// of the case, or cannot be had.
std::optional<Benchmark> start_of(const Benchmark& benchmark);

/// Removes what is not wanted; an Error when a wanted name matches nothing.
Result<> keep_wanted(std::vector<Benchmark>& benchmarks, const std::vector<std::string>& wanted);

} // namespace dragnet::lab
