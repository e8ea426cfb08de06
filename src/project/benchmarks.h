// Reads [measure], the defaults of all benchmarks, and the [[benchmark]] entries.
#pragma once

#include "model/benchmark.h"
#include "project/document.h"
#include "project/mistakes.h"

#include <string>
#include <vector>

namespace dragnet::project {

/// What [measure] says: a benchmark to start from, and what holds for all runs.
struct Defaults {
  Benchmark benchmark;
  std::vector<std::string> environment;
  int warm_up = 1;
};

/// The defaults from [measure]; a null table means that there is none.
Defaults read_measure(const Node* table, Mistakes& mistakes);

/// The benchmarks of a list of tables, in the order of the file.
std::vector<Benchmark> read_benchmarks(const Node& list, const Defaults& defaults,
                                       Mistakes& mistakes);

} // namespace dragnet::project
