// The systems on which learners of configuration-dependent change points are compared: drawn,
// recorded, or measured by others.
#pragma once

#include "analysis/variants/answer.h"
#include "analysis/variants/learner.h"
#include "analysis/variants/likelihood.h"
#include "analysis/variants/naive.h"
#include "analysis/variants/plain_solver.h"
#include "analysis/variants/published.h"
#include "analysis/variants/sampling.h"
#include "analysis/variants/score.h"
#include "analysis/variants/synthetic.h"
#include "base/result.h"
#include "model/configuration.h"
#include "model/variant_lab.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::eval {

namespace v = dragnet::variants;

/// One system and the budget of the published learner.
struct Setting {
  char part = 'a'; ///< a: as published, b: hard, c: none planted
  v::Synthesis system;
  std::size_t n_initial = 5;
  std::size_t n_measurements = 200;
  std::uint64_t seed = 0;
};

inline constexpr std::array<std::size_t, 4> options_range = {8, 16, 32, 64};
inline constexpr std::array<std::size_t, 2> commits_range = {1000, 2500};
inline constexpr std::array<std::size_t, 4> change_points_range = {1, 2, 5, 10};
inline constexpr std::array<double, 3> p_interaction_range = {0.5, 0.7, 0.9};
inline constexpr std::array<std::size_t, 3> n_initial_range = {2, 5, 10};
inline constexpr std::array<std::size_t, 3> n_measurements_range = {100, 200, 500};
inline constexpr std::array<double, 3> noise_range = {0.01, 0.03, 0.05};

/// All systems of Table 1 of the paper, without what only the published learner knows.
inline std::vector<v::Synthesis> table_1() {
  std::vector<v::Synthesis> all;
  for (const std::size_t options : options_range)
    for (const std::size_t commits : commits_range)
      for (const std::size_t change_points : change_points_range)
        for (const double p : p_interaction_range)
          all.push_back({.options = options,
                         .commits = commits,
                         .change_points = change_points,
                         .p_interaction = p});
  return all;
}

/// 10,800 experiments: each combination of Table 1 with twelve or thirteen seeds; or with one.
inline std::vector<Setting> published_grid(std::uint64_t first_seed, bool small) {
  std::vector<Setting> all;
  std::size_t number = 0;
  for (const v::Synthesis& system : table_1())
    for (const std::size_t n_initial : n_initial_range)
      for (const std::size_t n_measurements : n_measurements_range) {
        const std::size_t seeds = small ? (number % 9 == 4 ? 1 : 0) : 12 + (number % 2);
        for (std::size_t i = 0; i < seeds; ++i)
          all.push_back({'a', system, n_initial, n_measurements, first_seed + all.size()});
        ++number;
      }
  return all;
}

/// The same systems with noise, constraints, interactions of up to five options and change points
/// that are undone later.
inline std::vector<Setting> hard_grid(std::uint64_t first_seed, std::size_t seeds) {
  std::vector<Setting> all;
  for (v::Synthesis system : table_1())
    for (const double noise : noise_range)
      for (std::size_t i = 0; i < seeds; ++i) {
        system.noise = noise;
        system.constrained = true;
        system.most_interacting = 5;
        system.cancelling = 0.3;
        all.push_back({'b', system, 5, 200, first_seed + all.size()});
      }
  return all;
}

/// Systems in which nothing changes.
inline std::vector<Setting> empty_grid(std::uint64_t first_seed, std::size_t count) {
  std::vector<Setting> all;
  while (all.size() < count) {
    v::Synthesis system{.options = options_range.at(all.size() % 4), .change_points = 0};
    system.noise = 0.01 * static_cast<double>(all.size() / 4 % 4);
    system.constrained = all.size() % 2 == 0;
    all.push_back({'c', system, 5, 200, first_seed + all.size()});
  }
  return all;
}

/// The fields of a line of comma-separated values.
inline std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream rest(line);
  for (std::string field; std::getline(rest, field, ',');)
    fields.push_back(field);
  return fields;
}

} // namespace dragnet::eval
