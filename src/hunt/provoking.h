// Searches inputs that make a new version slower than an old one: runs both on sequences of inputs,
// as a strategy asks for them, and shrinks the best.
#pragma once

#include "analysis/provoke/answer.h"
#include "analysis/provoke/chromosome.h"
#include "base/progress.h"
#include "base/result.h"
#include "lab/laboratory.h"
#include "model/run.h"
#include "project/project.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::hunt {

struct ProvokeRequest {
  project::Provoke provoke; ///< how inputs reach the program
  Build old_build;
  Build new_build;
  std::vector<std::string> genes;
  std::vector<std::string> seed_with; ///< a sequence to begin with; its inputs join the genes
  std::size_t length = 50;
  std::size_t generations = 30;
  std::string strategy = "guided";
  std::string metric = "instructions";
  std::uint64_t seed = 1;
  std::size_t repetitions = 3; ///< of an evaluation, where the metric is noisy
  std::size_t at_once = 1;     ///< runs, where instructions are counted
  std::size_t users = 1;       ///< of a server, at once
};

/// The inputs that a text holds: its lines, or, where there is an empty line, its blocks.
std::vector<std::string> read_genes(std::string_view text);

/// The share of what the old version needs that counts as slower.
constexpr double smallest_slowdown = 0.01;

/// An Error where a program cannot be started, no inputs can be compared, or the user interrupts;
/// what was evaluated is kept.
Result<provoke::Answer> search_inputs(lab::Laboratory& laboratory, const ProvokeRequest& request,
                                      Progress& progress);

} // namespace dragnet::hunt
