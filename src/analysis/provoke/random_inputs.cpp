#include "analysis/provoke/random_inputs.h"

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/ranked.h"
#include "analysis/provoke/strategy.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::provoke {
namespace {

constexpr std::size_t batch = 30;

} // namespace

RandomInputs::RandomInputs(Pool pool, std::uint64_t seed) : pool_(std::move(pool)), random_(seed) {}

std::vector<Chromosome> RandomInputs::next() {
  asked_.clear();
  for (std::size_t i = 0; i < batch; ++i)
    asked_.push_back(random_chromosome(pool_, random_));
  return asked_;
}

void RandomInputs::observe(std::span<const Evaluation> evaluations) {
  for (std::size_t i = 0; i < evaluations.size() && i < asked_.size(); ++i)
    if (evaluations[i].ending == Ending::Compared) {
      population_.push_back({asked_[i], {}});
      population_.back().score.add(evaluations[i].fitness);
    }
  keep_fittest(population_, batch);
}

} // namespace dragnet::provoke
