#include "analysis/provoke/shrink.h"

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/strategy.h"
#include "base/result.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <random>

namespace dragnet::provoke {
namespace {

// The invariant: what comes back is a subsequence of what went in.
class Shrinks : public testing::Test {
protected:
  Shrinks() {
    for (Gene gene = 0; gene < 50; ++gene)
      chromosome.push_back(gene);
  }

  Shrunk shrunk(const std::function<double(const Chromosome&)>& effect) {
    const auto made = shrink(
        chromosome,
        [&](const Chromosome& tried) -> Result<std::optional<double>> {
          ++runs;
          EXPECT_FALSE(tried.empty());
          if (refused && std::ranges::find(tried, *refused) != tried.end())
            return std::optional<double>();
          return std::optional(effect(tried) + (noise * normal(random)));
        },
        rule);
    EXPECT_TRUE(made) << made.error().what;
    EXPECT_TRUE(std::ranges::includes(chromosome, made->chromosome)); // both ascend
    EXPECT_EQ(made->runs, runs);
    return *made;
  }

  static bool has(const Chromosome& tried, Gene gene) {
    return std::ranges::find(tried, gene) != tried.end();
  }

  Chromosome chromosome;
  ShrinkRule rule{.least = 5, .noise = Noise::Exact};
  double noise = 0;
  std::optional<Gene> refused;
  std::size_t runs = 0;
  std::mt19937_64 random{3};
  std::normal_distribution<double> normal;
};

TEST_F(Shrinks, finds_the_one_gene) {
  const auto made = shrunk([](const Chromosome& tried) { return has(tried, 17) ? 10.0 : 0.0; });
  EXPECT_EQ(made.chromosome, Chromosome{17});
  EXPECT_TRUE(made.confirmed);
  EXPECT_LE(made.tests, 20U);
}

TEST_F(Shrinks, finds_genes_that_only_count_together) {
  const auto made = shrunk([](const Chromosome& tried) {
    return has(tried, 3) && has(tried, 20) && has(tried, 49) ? 10.0 : 0.0;
  });
  EXPECT_EQ(made.chromosome, (Chromosome{3, 20, 49}));
}

TEST_F(Shrinks, keeps_as_many_as_the_effect_needs) {
  const auto made =
      shrunk([](const Chromosome& tried) { return static_cast<double>(tried.size()) * 0.5; });
  EXPECT_EQ(made.chromosome.size(), 10U);
}

TEST_F(Shrinks, passes_over_what_cannot_be_compared) {
  refused = 5; // all that hold it are refused, the whole one too
  const auto made = shrunk([](const Chromosome& tried) { return has(tried, 17) ? 10.0 : 0.0; });
  EXPECT_EQ(made.chromosome, Chromosome{17});
}

TEST_F(Shrinks, says_when_there_was_nothing_to_begin_with) {
  const auto made = shrunk([](const Chromosome&) { return 0.0; });
  EXPECT_EQ(made.chromosome, chromosome);
  EXPECT_FALSE(made.confirmed);
}

TEST_F(Shrinks, passes_on_why_a_measurement_failed) {
  const auto made = shrink(
      chromosome,
      [](const Chromosome&) -> Result<std::optional<double>> { return Error{"no disk", {}}; },
      rule);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().what, "no disk");
}

// Noise as large as half of the margin: of 100 searches nearly all end at the right two genes.
TEST_F(Shrinks, repeats_until_noise_does_not_matter) {
  rule.noise = Noise::Noisy;
  noise = 2.5;
  int right = 0;
  for (int i = 0; i < 100; ++i) {
    runs = 0;
    const auto made = shrunk(
        [](const Chromosome& tried) { return has(tried, 8) && has(tried, 31) ? 10.0 : 0.0; });
    right += made.chromosome == Chromosome{8, 31} && made.confirmed ? 1 : 0;
    EXPECT_LE(made.runs, 1500U);
  }
  EXPECT_GE(right, 90);
}

} // namespace
} // namespace dragnet::provoke
