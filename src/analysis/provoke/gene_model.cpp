#include "analysis/provoke/gene_model.h"

#include "analysis/provoke/chromosome.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::provoke {
namespace {

constexpr std::size_t most_cases = 800;
constexpr int sweeps = 12;
constexpr double ridge = 2; // as much as two cases that say that a gene adds nothing

// The cases that have a feature, and how often.
struct Column {
  std::vector<std::pair<std::uint32_t, double>> entries;
  double squares = 0;
};

double spread_of(std::span<const double> values) {
  double sum = 0;
  double squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  const auto count = static_cast<double>(values.size());
  return std::sqrt(std::max(0.0, (squares / count) - (sum / count * sum / count)));
}

} // namespace

GeneModel::GeneModel(std::size_t genes, std::size_t length)
    : genes_(genes), length_(length), weights_(genes * zones) {}

void GeneModel::add(const Chromosome& chromosome, double fitness) {
  cases_.push_back({chromosome, fitness});
}

double GeneModel::weight(Gene gene, std::size_t place) const {
  return weights_[feature_of(gene, place)];
}

void GeneModel::learn() {
  if (cases_.size() > 2 * most_cases)
    cases_.erase(cases_.begin(), cases_.end() - most_cases);
  if (cases_.empty())
    return;
  descend();
  for (std::size_t zone = 0; zone < zones; ++zone)
    spread_.at(zone) = spread_of(std::span(weights_).subspan(zone * genes_, genes_));
}

// What there is to fit: the features of the cases, and what the weights leave unexplained so far.
struct GeneModel::Design {
  std::vector<Column> columns;
  std::vector<double> rest;
};

GeneModel::Design GeneModel::design() const {
  Design made{std::vector<Column>(weights_.size()), {}};
  double mean = 0;
  for (const auto& each : cases_)
    mean += each.fitness / static_cast<double>(cases_.size());
  for (std::uint32_t row = 0; row < cases_.size(); ++row) {
    const auto& chromosome = cases_[row].chromosome;
    double predicted = mean;
    for (std::size_t place = 0; place < chromosome.size(); ++place) {
      auto& entries = made.columns[feature_of(chromosome[place], place)].entries;
      if (entries.empty() || entries.back().first != row)
        entries.emplace_back(row, 0);
      ++entries.back().second;
      predicted += weight(chromosome[place], place);
    }
    made.rest.push_back(cases_[row].fitness - predicted);
  }
  for (auto& column : made.columns)
    for (const auto& [row, times] : column.entries)
      column.squares += times * times;
  return made;
}

void GeneModel::descend() {
  auto [columns, rest] = design();
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t feature = 0; feature < columns.size(); ++feature) {
      const auto& column = columns[feature];
      double slope = weights_[feature] * column.squares;
      for (const auto& [row, times] : column.entries)
        slope += times * rest[row];
      const double updated = slope / (column.squares + ridge);
      for (const auto& [row, times] : column.entries)
        rest[row] -= times * (updated - weights_[feature]);
      weights_[feature] = updated;
    }
}

Gene GeneModel::draw(std::size_t place, double greed, std::mt19937_64& random) const {
  const std::size_t zone = zone_of(place);
  const double scale = spread_.at(zone) > 0 ? greed / spread_.at(zone) : 0;
  const auto weights = std::span(weights_).subspan(zone * genes_, genes_);
  const double top = *std::ranges::max_element(weights);
  std::vector<double> chances;
  chances.reserve(genes_);
  for (const double weight : weights)
    chances.push_back(std::exp((weight - top) * scale));
  return std::discrete_distribution<Gene>(chances.begin(), chances.end())(random);
}

} // namespace dragnet::provoke
