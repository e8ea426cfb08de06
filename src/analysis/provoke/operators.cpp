#include "analysis/provoke/operators.h"

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/gene_model.h"
#include "analysis/provoke/strategy.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>

namespace dragnet::provoke {
namespace {

// From one place up to, not with, another.
struct Stretch {
  std::size_t begin;
  std::size_t end;
};

using Random = std::mt19937_64;

Stretch any_stretch(std::size_t length, Random& random) {
  const std::size_t a = below(length + 1, random);
  const std::size_t b = below(length + 1, random);
  return {std::min(a, b), std::max(a, b)};
}

// Short stretches are more often a unit of what an input needs.
Stretch short_stretch(std::size_t length, Random& random) {
  const std::size_t most = std::max<std::size_t>(1, length / 2);
  const std::size_t size = 1 + below(1 + below(most, random), random);
  const std::size_t begin = below(length - std::min(length, size) + 1, random);
  return {begin, std::min(length, begin + size)};
}

Chromosome cut_out(const Chromosome& from, Stretch stretch) {
  return {from.begin() + static_cast<std::ptrdiff_t>(stretch.begin),
          from.begin() + static_cast<std::ptrdiff_t>(stretch.end)};
}

void put_in(Chromosome& into, std::size_t place, const Chromosome& genes) {
  const std::size_t length = into.size();
  into.insert(into.begin() + static_cast<std::ptrdiff_t>(place), genes.begin(), genes.end());
  into.resize(length);
}

void take_out(Chromosome& from, Stretch stretch) {
  from.erase(from.begin() + static_cast<std::ptrdiff_t>(stretch.begin),
             from.begin() + static_cast<std::ptrdiff_t>(stretch.end));
}

// Mostly what is known to be good, at times anything.
Gene new_gene(const GeneModel& model, std::size_t place, Random& random) {
  constexpr std::array<double, 4> greeds{0, 0.5, 1, 2};
  return model.draw(place, greeds.at(below(greeds.size(), random)), random);
}

Chromosome two_point(const Parents& parents, Random& random) {
  auto child = parents.first;
  const auto stretch = any_stretch(child.size(), random);
  std::copy(parents.second.begin() + static_cast<std::ptrdiff_t>(stretch.begin),
            parents.second.begin() + static_cast<std::ptrdiff_t>(stretch.end),
            child.begin() + static_cast<std::ptrdiff_t>(stretch.begin));
  return child;
}

Chromosome spliced(const Parents& parents, Random& random) {
  auto child = parents.first;
  const auto genes = cut_out(parents.second, any_stretch(parents.second.size(), random));
  put_in(child, below(child.size(), random), genes);
  return child;
}

Chromosome inserted(const Parents& parents, const GeneModel& model, Random& random) {
  auto child = parents.first;
  const std::size_t count = 1 + below(3, random);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = below(child.size(), random);
    put_in(child, place, {new_gene(model, place, random)});
  }
  return child;
}

Chromosome deleted(const Parents& parents, Random& random) {
  auto child = parents.first;
  const std::size_t length = child.size();
  take_out(child, short_stretch(length, random));
  const auto missing = static_cast<std::ptrdiff_t>(length - child.size());
  child.insert(child.end(), parents.second.end() - missing, parents.second.end());
  return child;
}

Chromosome duplicated(const Parents& parents, Random& random) {
  auto child = parents.first;
  const auto stretch = short_stretch(child.size(), random);
  const auto genes = cut_out(child, stretch);
  const std::size_t times = happens(0.3, random) ? child.size() : 1;
  Chromosome many;
  for (std::size_t i = 0; i < times && many.size() < child.size(); ++i)
    many.insert(many.end(), genes.begin(), genes.end());
  put_in(child, happens(0.5, random) ? stretch.end : below(child.size(), random), many);
  return child;
}

Chromosome moved(const Parents& parents, Random& random) {
  auto child = parents.first;
  const std::size_t length = child.size();
  const auto stretch = short_stretch(length, random);
  const auto genes = cut_out(child, stretch);
  take_out(child, stretch);
  const std::size_t place = below(child.size() + 1, random);
  child.insert(child.begin() + static_cast<std::ptrdiff_t>(place), genes.begin(), genes.end());
  return child;
}

Chromosome replaced(const Parents& parents, const GeneModel& model, Random& random) {
  auto child = parents.first;
  const std::size_t count =
      1 + below(1 + below(std::max<std::size_t>(1, child.size() / 5), random), random);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = below(child.size(), random);
    child[place] = new_gene(model, place, random);
  }
  return child;
}

Chromosome drawn(const Parents& parents, const GeneModel& model, Random& random) {
  auto child = parents.first;
  const double greed = std::uniform_real_distribution<double>(0.3, 3)(random);
  for (std::size_t place = 0; place < child.size(); ++place)
    child[place] = model.draw(place, greed, random);
  return child;
}

constexpr double least_probability = 0.04;

} // namespace

Chromosome apply(Operator what, const Parents& parents, const GeneModel& model,
                 std::mt19937_64& random) {
  switch (what) {
  case Operator::TwoPoint:
    return two_point(parents, random);
  case Operator::Splice:
    return spliced(parents, random);
  case Operator::Insert:
    return inserted(parents, model, random);
  case Operator::Delete:
    return deleted(parents, random);
  case Operator::Duplicate:
    return duplicated(parents, random);
  case Operator::Move:
    return moved(parents, random);
  case Operator::Replace:
    return replaced(parents, model, random);
  case Operator::Draw:
    return drawn(parents, model, random);
  }
  return parents.first;
}

Operator OperatorChoice::choose(std::mt19937_64& random) const {
  double sum = 0;
  for (const double worth : worth_)
    sum += worth;
  std::array<double, operator_count> chances{};
  for (std::size_t i = 0; i < operator_count; ++i)
    chances.at(i) =
        least_probability + ((1 - (operator_count * least_probability)) * worth_.at(i) / sum);
  return static_cast<Operator>(
      std::discrete_distribution<int>(chances.begin(), chances.end())(random));
}

void OperatorChoice::observe(Operator what, bool fitter_than_parents) {
  auto& worth = worth_.at(static_cast<std::size_t>(what));
  worth = (0.9 * worth) + (0.1 * (fitter_than_parents ? 1.0 : 0.01));
}

} // namespace dragnet::provoke
