#include "analysis/provoke/search.h"

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/strategy.h"
#include "base/ensure.h"
#include "base/result.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::provoke {
namespace {

constexpr std::size_t most_findings = 1000;

void note(Outcome& outcome, const Chromosome& chromosome, const Evaluation& evaluation) {
  ++outcome.evaluations;
  if (evaluation.ending == Ending::Compared) {
    ++outcome.compared;
    return;
  }
  ++outcome.not_compared;
  if (outcome.findings.size() < most_findings)
    outcome.findings.push_back({chromosome, evaluation.ending, evaluation.version});
}

Generation generation_of(const std::vector<Individual>& population, std::size_t evaluations) {
  Generation generation{.evaluations = evaluations};
  if (population.empty())
    return generation;
  generation.best = generation.worst = population.front().score.mean;
  for (const auto& individual : population) {
    generation.best = std::max(generation.best, individual.score.mean);
    generation.worst = std::min(generation.worst, individual.score.mean);
    generation.mean += individual.score.mean / static_cast<double>(population.size());
  }
  return generation;
}

// The first of each kind, then the rest, each in the order found.
void order(std::vector<Finding>& findings) {
  std::vector<std::pair<Ending, Version>> kinds;
  std::ranges::stable_partition(findings, [&](const Finding& finding) {
    const std::pair kind(finding.ending, finding.version);
    if (std::ranges::find(kinds, kind) != kinds.end())
      return false;
    kinds.push_back(kind);
    return true;
  });
}

} // namespace

Result<Outcome> search(Strategy& strategy, const Evaluate& evaluate, std::size_t budget,
                       std::size_t patience) {
  Outcome outcome;
  while (outcome.evaluations < budget) {
    auto chromosomes = strategy.next();
    if (chromosomes.empty())
      break;
    chromosomes.resize(std::min(chromosomes.size(), budget - outcome.evaluations));
    const auto evaluations = TRY(evaluate(chromosomes));
    ensure(evaluations.size() == chromosomes.size(), "each chromosome is evaluated once");
    for (std::size_t i = 0; i < chromosomes.size(); ++i)
      note(outcome, chromosomes[i], evaluations[i]);
    strategy.observe(evaluations);
    outcome.generations.push_back(generation_of(strategy.population(), outcome.evaluations));
    if (outcome.compared == 0 && outcome.not_compared >= patience)
      return Error{fmt::format("none of {} test cases could be compared: each was rejected, "
                               "crashed or hung",
                               outcome.not_compared),
                   "try the inputs one by one on the old version"};
  }
  outcome.best = strategy.population();
  order(outcome.findings);
  return outcome;
}

} // namespace dragnet::provoke
