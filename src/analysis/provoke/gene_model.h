// Learns which inputs carry the difference: the fitness of a chromosome as a sum of what each of
// its genes adds, which may differ between the beginning, the middle and the end (an input that
// fills a table matters early, one that scans it late). Ridge regression, solved by coordinate
// descent. Sequences are drawn from what was learned, as in an estimation of distribution
// algorithm.
#pragma once

#include "analysis/provoke/chromosome.h"

#include <array>
#include <cstddef>
#include <random>
#include <vector>

namespace dragnet::provoke {

class GeneModel {
public:
  GeneModel(std::size_t genes, std::size_t length);

  /// Takes in one evaluation.
  void add(const Chromosome& chromosome, double fitness);

  /// Fits the weights to what was added; of very much, to what was added last.
  void learn();

  /// What a gene adds at a place of a chromosome.
  double weight(Gene gene, std::size_t place) const;

  /// A gene for a place: more often one that adds more. Greed 0 takes all alike; where it is
  /// high, the best are taken nearly always.
  Gene draw(std::size_t place, double greed, std::mt19937_64& random) const;

private:
  static constexpr std::size_t zones = 3;
  struct Case {
    Chromosome chromosome;
    double fitness = 0;
  };

  std::size_t zone_of(std::size_t place) const { return place * zones / length_; }
  std::size_t feature_of(Gene gene, std::size_t place) const {
    return (zone_of(place) * genes_) + gene;
  }
  struct Design;
  Design design() const;
  void descend();

  std::size_t genes_;
  std::size_t length_;
  std::vector<Case> cases_;
  std::vector<double> weights_; // by feature
  std::array<double, zones> spread_{};
};

} // namespace dragnet::provoke
