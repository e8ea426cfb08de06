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

/// A recorded table of measurements: configurations by commits.
class RecordedLab final : public VariantLab, public ValidConfigurations {
public:
  std::size_t first = 0;   ///< commit that is position 0
  std::size_t commits = 0; ///< positions
  std::vector<std::string> names;
  std::map<Configuration, std::map<std::size_t, double>> rows;

  Result<Cell> measure(const Configuration& configuration, std::size_t commit) override {
    seen_.insert({configuration, commit});
    const auto row = rows.find(configuration);
    if (row == rows.end())
      return Cell{.outcome = Cell::Outcome::Invalid};
    const auto cell = row->second.find(commit);
    if (cell == row->second.end())
      return Cell{.outcome = Cell::Outcome::NotBuildable};
    return Cell{.value = cell->second};
  }
  bool repeats() const override { return false; }
  std::size_t cells() const { return seen_.size(); }

  std::size_t options() const override { return names.size(); }
  bool valid(const Configuration& configuration) override { return rows.contains(configuration); }
  std::optional<Configuration> near(const Configuration& wanted,
                                    std::span<const Literal> fixed) override {
    std::optional<Configuration> best;
    for (const auto& [configuration, row] : rows) {
      const bool fits = std::ranges::all_of(
          fixed, [&](const Literal& l) { return configuration.on(l.option) == l.on; });
      if (fits && (!best || configuration.distance(wanted) < best->distance(wanted)))
        best = configuration;
    }
    return best;
  }

private:
  std::set<std::pair<Configuration, std::size_t>> seen_;
};

inline std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream rest(line);
  for (std::string field; std::getline(rest, field, ',');)
    fields.push_back(field);
  return fields;
}

/// LRZIP as its authors measured it: rows of options, commit and run time. LZMA, which is what
/// compresses where nothing else is named, becomes an option of its own.
inline RecordedLab read_lrzip(const std::string& path) {
  RecordedLab lab;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> head = fields_of(line);
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(head, name) - head.begin());
  };
  const std::vector<std::string> kept = {"LzoCompressibilityTesting",
                                         "UnlimitedWindow",
                                         "Bzip2",
                                         "Gzip",
                                         "Lzo",
                                         "Zpaq",
                                         "Multithreading"};
  lab.names = kept;
  lab.names.emplace_back("LZMA");
  lab.first = 300; // nothing was measured before
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() <= column("perf") || fields[column("perf")].empty())
      continue;
    Configuration configuration(lab.names.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
      configuration.set(i, fields[column(kept[i])] == "1");
    configuration.set(kept.size(), !configuration.on(2) && !configuration.on(3) &&
                                       !configuration.on(4) && !configuration.on(5));
    const std::size_t commit = std::stoul(fields[column("commit")]) - lab.first;
    lab.commits = std::max(lab.commits, commit + 1);
    lab.rows[configuration][commit] = std::stod(fields[column("perf")]);
  }
  return lab;
}

/// Whether some recorded configuration changes by a tenth around a commit, between the medians of
/// five commits before and after.
inline bool steps_near(const RecordedLab& lab, std::size_t commit, std::size_t tolerance,
                       double threshold) {
  const auto median = [](const std::map<std::size_t, double>& row, std::size_t from) {
    std::vector<double> values;
    for (auto at = row.lower_bound(from); at != row.end() && at->first < from + 5; ++at)
      values.push_back(at->second);
    std::ranges::sort(values);
    return values.empty() ? 0 : values[values.size() / 2];
  };
  for (const auto& [configuration, row] : lab.rows)
    for (std::size_t at = std::max<std::size_t>(5 + tolerance, commit) - tolerance;
         at <= commit + tolerance && at + 5 < lab.commits; ++at) {
      const double before = median(row, at - 5);
      if (before > 0 && std::abs(median(row, at) - before) >= threshold * before)
        return true;
    }
  return false;
}

} // namespace dragnet::eval
