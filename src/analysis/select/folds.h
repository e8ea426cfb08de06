// Divides examples into folds so that all examples of a commit stay together: what one benchmark
// shows about a commit must not help to predict another.
#pragma once

#include "analysis/select/example.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace dragnet::select {

struct Fold {
  Examples training;
  Examples tested;
};

/// As many folds as asked for, or one per commit if there are fewer; the commits with a hit are
/// dealt out evenly. Examples of unknown truth are in none. A pair of distant commits is only
/// trained on where neither of the two is tested.
std::vector<Fold> folds_by_commit(const Examples& examples, std::size_t count,
                                  std::mt19937_64& random);

} // namespace dragnet::select
