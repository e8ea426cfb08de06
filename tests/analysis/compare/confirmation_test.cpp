#include "analysis/compare/confirmation.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>

namespace dragnet::compare {
namespace {

Evidence noisy(std::size_t pairs, double ratio, std::mt19937_64& random) {
  std::normal_distribution<double> noise(1, 0.01);
  Evidence evidence;
  for (std::size_t i = 0; i < pairs; ++i) {
    evidence.old_values.push_back(noise(random));
    evidence.new_values.push_back(ratio * noise(random));
  }
  return evidence;
}

TEST(Confirmation, needs_fresh_pairs) {
  std::mt19937_64 random(1);
  const Evidence evidence = noisy(40, 1.2, random);
  EXPECT_EQ(confirmation(evidence, 40, {}), Confirmation::Open);
  EXPECT_EQ(confirmation(evidence, 39, {}), Confirmation::Open);
  EXPECT_EQ(confirmation(evidence, 20, {}), Confirmation::Confirmed);
}

TEST(Confirmation, does_not_look_at_the_pairs_that_raised_the_alarm) {
  std::mt19937_64 random(2);
  Evidence evidence = noisy(20, 1.2, random);
  const Evidence fresh = noisy(200, 1.0, random);
  evidence.old_values.insert(evidence.old_values.end(), fresh.old_values.begin(),
                             fresh.old_values.end());
  evidence.new_values.insert(evidence.new_values.end(), fresh.new_values.begin(),
                             fresh.new_values.end());
  EXPECT_EQ(confirmation(evidence, 20, {}), Confirmation::Refuted);
}

TEST(Confirmation, is_not_had_from_an_improvement) {
  std::mt19937_64 random(3);
  const Evidence evidence = noisy(40, 0.8, random);
  EXPECT_NE(confirmation(evidence, 0, {}), Confirmation::Confirmed);
}

TEST(Confirmation, comes_by_chance_as_rarely_as_it_says) {
  std::mt19937_64 random(4);
  int confirmed = 0;
  constexpr int rounds = 1000;
  for (int round = 0; round < rounds; ++round) {
    const Evidence evidence = noisy(30, 1.0, random);
    confirmed += confirmation(evidence, 0, {}) == Confirmation::Confirmed ? 1 : 0;
  }
  // Half of the chance errors are improvements, which confirm nothing.
  EXPECT_LE(confirmed, confirmation_rate * rounds);
}

} // namespace
} // namespace dragnet::compare
