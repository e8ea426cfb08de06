// Whether the numbers of a benchmark moved for a reason other than the commit.
#pragma once

#include "analysis/explain/explain.h"
#include "model/benchmark.h"
#include "model/lab.h"

#include <optional>
#include <span>
#include <string>

namespace dragnet::check {

/// A benchmark executes as much as before if its instructions differ by less than this share: start
/// up and the sizes of things in the environment make them differ a little.
inline constexpr double same_work = 0.001;

/// Why a benchmark is exonerated, as a sentence; nothing where it is not. It is where it executes
/// nothing that the commit changed and as many instructions as before. It also is where what it
/// executes of the changed code is so little that it would have to be several times as slow, what
/// every other function does differently is next to nothing beside the change of time, so is what
/// it uses of memory, it reads and writes the same, and the processor only took longer for it: then
/// the placement of code moved its numbers. `pairs`: its timed ones.
std::optional<std::string> exoneration(const explain::WorkDifference& work,
                                       const Benchmark& benchmark, std::span<const Pair> pairs);

/// Whether timing a benchmark could tell nothing that is due to the commit: all its functions do
/// the same, and too little of it is changed code.
bool does_the_same_work(const explain::WorkDifference& work, const Benchmark& benchmark);

/// Whether code with this share of a benchmark's instructions would have to become many times as
/// slow, with as many instructions as before, to move a metric by its smallest interesting effect.
bool changed_too_little(double share, const Benchmark& benchmark);

/// Whether both sides use the same memory, and read and write the same.
bool uses_the_same(std::span<const Pair> pairs);

} // namespace dragnet::check
