// What changed stacks say about a benchmark, in sentences.
#pragma once

#include "analysis/explain/similarity.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::check {

/// A sentence for each function where changes arise, the largest first: what its most telling stack
/// does now and did before.
std::vector<std::string> stack_sentences(const explain::SimilarityReport& report, std::size_t most);

} // namespace dragnet::check
