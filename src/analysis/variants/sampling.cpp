#include "analysis/variants/sampling.h"

#include "model/configuration.h"
#include "model/variant_lab.h"

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <numbers>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace dragnet::variants {
namespace {

constexpr std::size_t rejections = 100; // tried before the walk, which costs about as much
constexpr std::size_t tries_for_new = 20;

// Keeps those that are new, in order.
class Distinct {
public:
  bool add(std::optional<Configuration> found) {
    if (!found || !seen_.insert(*found).second)
      return false;
    configurations_.push_back(*std::move(found));
    return true;
  }
  std::vector<Configuration> take() { return std::move(configurations_); }
  std::size_t size() const { return configurations_.size(); }

private:
  std::set<Configuration> seen_;
  std::vector<Configuration> configurations_;
};

std::optional<Configuration> with(ValidConfigurations& space, bool rest,
                                  std::initializer_list<Literal> fixed) {
  return space.near(Configuration(space.options(), rest),
                    std::span<const Literal>(fixed.begin(), fixed.size()));
}

void flip(Configuration& configuration, std::size_t option) {
  configuration.set(option, !configuration.on(option));
}

// Flips one option, or two at once so that alternatives can be exchanged.
void walk(ValidConfigurations& space, Configuration& at, Random& random) {
  const std::size_t options = space.options();
  for (std::size_t step = 0; step < 20 * options; ++step) {
    const std::size_t first = below(random, options);
    const std::size_t second = below(random, options);
    Configuration next = at;
    flip(next, first);
    if (step % 2 == 1 && second != first)
      flip(next, second);
    if (space.valid(next))
      at = next;
  }
}

std::optional<Configuration> uniform_one(ValidConfigurations& space, Random& random) {
  const std::size_t options = space.options();
  Configuration any(options);
  for (std::size_t attempt = 0; attempt < rejections; ++attempt) {
    for (std::size_t option = 0; option < options; ++option)
      any.set(option, (random() >> 40 & 1U) != 0);
    if (space.valid(any))
      return any;
  }
  std::optional<Configuration> found = space.near(any, {});
  if (found)
    walk(space, *found, random);
  return found;
}

} // namespace

std::size_t below(Random& random, std::size_t bound) {
  return static_cast<std::size_t>(unit(random) * static_cast<double>(bound));
}

double unit(Random& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

double normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - unit(random)));
  return radius * std::cos(2 * std::numbers::pi * unit(random));
}

std::vector<Configuration> feature_wise(ValidConfigurations& space) {
  Distinct found;
  for (std::size_t option = 0; option < space.options(); ++option)
    found.add(with(space, false, {{option, true}}));
  return found.take();
}

std::vector<Configuration> negative_feature_wise(ValidConfigurations& space) {
  Distinct found;
  for (std::size_t option = 0; option < space.options(); ++option)
    found.add(with(space, true, {{option, false}}));
  return found.take();
}

std::vector<Configuration> pair_wise(ValidConfigurations& space) {
  Distinct found;
  for (std::size_t first = 0; first < space.options(); ++first)
    for (std::size_t second = first + 1; second < space.options(); ++second)
      found.add(with(space, false, {{first, true}, {second, true}}));
  return found.take();
}

std::vector<Configuration> uniform(ValidConfigurations& space, std::size_t count, Random& random) {
  Distinct found;
  for (std::size_t attempt = 0; found.size() < count && attempt < count + tries_for_new; ++attempt)
    found.add(uniform_one(space, random));
  return found.take();
}

std::vector<Configuration> distance_based(ValidConfigurations& space, std::size_t count,
                                          Random& random) {
  Distinct found;
  const std::size_t options = space.options();
  for (std::size_t attempt = 0; found.size() < count && attempt < (2 * count) + tries_for_new;
       ++attempt)
    found.add(space.near(with_random_on(options, below(random, options + 1), random), {}));
  return found.take();
}

Configuration alternatives(ValidConfigurations& space) {
  const std::size_t options = space.options();
  Configuration found(options);
  for (std::size_t one = 0; one < options; ++one) {
    std::size_t excluded = 0;
    for (std::size_t other = 0; other < options && excluded < 2; ++other)
      excluded += with(space, false, {{one, true}, {other, true}}) ? 0 : 1;
    found.set(one, excluded == 2);
  }
  return found;
}

Configuration with_random_on(std::size_t options, std::size_t on, Random& random) {
  std::vector<std::size_t> order(options);
  for (std::size_t i = 0; i < options; ++i)
    order[i] = i;
  Configuration configuration(options);
  for (std::size_t i = 0; i < on; ++i) {
    std::swap(order[i], order[i + below(random, options - i)]);
    configuration.set(order[i], true);
  }
  return configuration;
}

} // namespace dragnet::variants
