// Programs that exist only as what their inputs cost in two versions.
#pragma once

#include "analysis/provoke/chromosome.h"
#include "base/result.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace dragnet::provoke {

/// In which way the new version is slower.
enum class Kind : std::uint8_t {
  Sum,    ///< a few inputs are slower, each by itself; some are faster
  State,  ///< some inputs fill a store, others take longer the more is in it
  Steps,  ///< an input is slower only after three others, in their order, not too long ago
  Refused ///< as Sum, but some inputs make a version reject, crash or hang
};

class Landscape {
public:
  Landscape(Kind kind, std::uint64_t seed, double noise = 0)
      : kind_(kind), noise_(noise), random_(seed), worth_(genes) {
    std::exponential_distribution<double> heavy(1);
    for (auto& worth : worth_)
      worth = below(10) == 0 ? std::pow(heavy(random_) + 0.1, 2) : 0.02 * (heavy(random_) - 1);
    for (auto& gene : special_)
      gene = static_cast<Gene>(below(genes));
  }

  static constexpr std::size_t genes = 120;
  static constexpr std::size_t length = 50;
  static Pool pool() { return {.genes = genes, .length = length}; }

  /// The difference without noise.
  double truth(const Chromosome& chromosome) const {
    return kind_ == Kind::State   ? state(chromosome)
           : kind_ == Kind::Steps ? steps(chromosome)
                                  : sum(chromosome);
  }

  Result<std::vector<Evaluation>> evaluate(std::span<const Chromosome> chromosomes) {
    std::vector<Evaluation> evaluations;
    for (const auto& chromosome : chromosomes)
      evaluations.push_back(one(chromosome));
    evaluated += chromosomes.size();
    return evaluations;
  }

  double measured(const Chromosome& chromosome) {
    return truth(chromosome) + (noise_ * std::normal_distribution<double>()(random_));
  }

  std::size_t evaluated = 0;

private:
  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }

  Evaluation one(const Chromosome& chromosome) {
    Evaluation evaluation{.fitness = measured(chromosome), .base = 100};
    evaluation.traits = traits(chromosome);
    if (kind_ != Kind::Refused)
      return evaluation;
    for (const Gene gene : chromosome)
      if (gene % 40 == 7)
        evaluation = {.ending = gene == 7    ? Ending::Rejected
                                : gene == 47 ? Ending::Crashed
                                             : Ending::Hung,
                      .version = Version::New};
    return evaluation;
  }

  double sum(const Chromosome& chromosome) const {
    double total = 0;
    for (const Gene gene : chromosome)
      total += worth_[gene];
    return total;
  }

  // Every twelfth gene fills, every twelfth scans.
  static double state(const Chromosome& chromosome) {
    double filled = 0;
    double total = 0;
    for (const Gene gene : chromosome) {
      filled += gene % 12 == 3 ? 1 : 0;
      total += gene % 12 == 8 ? 0.1 * filled : 0.01;
    }
    return total;
  }

  // How many of the three have come, in order; the third opens for ten inputs.
  template <class Visit>
  void follow(const Chromosome& chromosome, const Visit& visit) const {
    std::size_t step = 0;
    std::size_t left = 0;
    for (const Gene gene : chromosome) {
      if (step < 3 && gene == special_[step]) {
        ++step;
        left = 10;
      } else if (step == 3 && left-- == 0) {
        step = 0;
      }
      visit(gene, step);
    }
  }

  double steps(const Chromosome& chromosome) const {
    double total = 0;
    follow(chromosome,
           [&](Gene gene, std::size_t step) { total += step == 3 && gene % 4 == 1 ? 5 : 0.01; });
    return total;
  }

  std::vector<std::uint32_t> traits(const Chromosome& chromosome) const {
    std::vector<std::uint32_t> found;
    if (kind_ == Kind::Steps)
      follow(chromosome, [&](Gene, std::size_t step) {
        if (std::ranges::find(found, step) == found.end())
          found.push_back(static_cast<std::uint32_t>(step));
      });
    return found;
  }

  Kind kind_;
  double noise_;
  std::mt19937_64 random_;
  std::vector<double> worth_;
  std::array<Gene, 3> special_{};
};

} // namespace dragnet::provoke
