// Series with known change points: simulated ones, as benchmarks along a history look, and
// annotated ones from a file; and how well change points that were found agree with them.
#pragma once

#include "noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::eval {

using Indices = std::vector<std::size_t>;

/// A series, and what one or several people say of it.
struct Annotated {
  std::string set;
  std::string name;
  std::vector<double> values;
  std::vector<Indices> annotators;
};

inline constexpr std::array<std::string_view, 7> shapes = {
    "normal", "log-normal", "spikes", "bistable", "heavy-tailed", "drifting", "few points"};

/// So many points, one every 2 % of noise, with up to four steps of 3 to 15 % at least ten points
/// apart. spikes: one point in twenty is up to half slower; bistable: two modes, two spreads apart;
/// drifting: a random walk of a twentieth of the noise a point.
inline Annotated simulated(std::size_t shape, std::uint64_t seed) {
  Random random(seed);
  const std::size_t size = shapes.at(shape) == "few points" ? 30 : 200;
  const std::array<std::size_t, 7> noise_of = {0, 1, 0, 3, 4, 0, 0};
  Machine machine(noise_of.at(shape), 0.02, random);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  Annotated series{.set = std::string("simulated ") + std::string(shapes.at(shape)),
                   .name = std::to_string(seed),
                   .values = {},
                   .annotators = {{}}};
  const std::size_t steps = random() % (size < 100 ? 2 : 5);
  std::set<std::size_t> changes;
  for (std::size_t attempt = 0; attempt < 50 && changes.size() < steps; ++attempt) {
    const std::size_t at = 10 + (random() % (size - 19));
    if (std::ranges::all_of(changes, [&](std::size_t other) {
          return std::max(at, other) - std::min(at, other) >= 10;
        }))
      changes.insert(at);
  }
  double level = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (changes.contains(i))
      level += (uniform(random) < 0.5 ? -1 : 1) * std::log1p(0.03 + (0.12 * uniform(random)));
    if (shapes.at(shape) == "drifting")
      level += 0.001 * normal(random);
    const bool spike = shapes.at(shape) == "spikes" && uniform(random) < 0.05;
    series.values.push_back(100 * std::exp(level) * machine.next() *
                            (spike ? 1 + (0.5 * uniform(random)) : 1));
  }
  series.annotators = {Indices(changes.begin(), changes.end())};
  return series;
}

inline Indices read_indices(const std::string& text) {
  std::istringstream words(text);
  Indices indices;
  for (std::size_t index = 0; words >> index;)
    indices.push_back(index);
  return indices;
}

inline std::vector<Indices> read_annotators(const std::string& text) {
  std::istringstream parts(text);
  std::vector<Indices> annotators;
  for (std::string part; std::getline(parts, part, '|');)
    annotators.push_back(read_indices(part));
  if (annotators.empty() || text.ends_with('|'))
    annotators.emplace_back();
  return annotators;
}

/// Lines of: set; name; values, nan for gaps; for each annotator, after a bar, their change points.
inline std::vector<Annotated> read_series(const std::string& path) {
  std::vector<Annotated> all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    Annotated series;
    std::string values;
    std::string annotators;
    std::getline(fields, series.set, ';');
    std::getline(fields, series.name, ';');
    std::getline(fields, values, ';');
    std::getline(fields, annotators, ';');
    std::istringstream words(values);
    for (std::string word; words >> word;)
      series.values.push_back(std::strtod(word.c_str(), nullptr));
    series.annotators = read_annotators(annotators);
    all.push_back(series);
  }
  return all;
}

/// Agreement: as van den Burg and Williams (2020, section 4.2) count it.
struct Agreement {
  double precision = 0;
  double recall = 0;
  double f1() const {
    return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
  }
};

/// How many of the true points are met by one of their own within the margin.
inline double met(const std::set<std::size_t>& truth, std::set<std::size_t> found,
                  std::size_t margin) {
  double count = 0;
  for (const std::size_t point : truth) {
    const auto distance = [&](std::size_t other) {
      return std::max(point, other) - std::min(point, other);
    };
    const auto nearest = std::ranges::min_element(found, {}, distance);
    if (nearest == found.end() || distance(*nearest) > margin)
      continue;
    found.erase(nearest);
    ++count;
  }
  return count;
}

/// The start of the series counts as a change point for all, so that nothing is undefined;
/// precision is against all annotators together, recall against each, on average.
inline Agreement agreement(const std::vector<Indices>& annotators, const Indices& indices,
                           std::size_t margin) {
  std::set<std::size_t> found(indices.begin(), indices.end());
  found.insert(0);
  std::set<std::size_t> all = {0};
  Agreement agreement;
  for (const Indices& annotator : annotators) {
    std::set<std::size_t> truth(annotator.begin(), annotator.end());
    truth.insert(0);
    all.insert(truth.begin(), truth.end());
    agreement.recall += met(truth, found, margin) / static_cast<double>(truth.size()) /
                        static_cast<double>(annotators.size());
  }
  agreement.precision = met(all, found, margin) / static_cast<double>(found.size());
  return agreement;
}

} // namespace dragnet::eval
