#include "analysis/select/succession.h"

#include "analysis/select/evaluation.h"
#include "analysis/select/example.h"
#include "analysis/select/probability.h"
#include "fakes/planted_history.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace dragnet::select {
namespace {

std::vector<Example> planted(std::size_t commits, std::uint64_t seed) {
  return fakes::PlantedHistory("planted", fakes::PlantedSize{.commits = commits}, seed).examples();
}

TEST(Succession, replaces_an_untrained_predictor_that_runs_too_much) {
  for (const std::uint64_t seed : {3U, 6U, 7U}) {
    const auto examples = planted(600, seed);
    const Succession succession = compare_successor(all_of(examples), {});
    EXPECT_TRUE(succession.replaces) << seed;
    EXPECT_GT(succession.candidate.dismiss.value(), succession.present.dismiss.value());
    EXPECT_GE(succession.candidate.hit.value(), 0.9);
  }
}

TEST(Succession, keeps_the_present_one_where_there_is_nothing_to_learn_from) {
  const auto examples = planted(200, 4);
  const Examples few = where(all_of(examples), [](const Example& example) {
    return example.truth != Truth::Hit || example.position < 2;
  });
  EXPECT_FALSE(compare_successor(few, {}).replaces);
}

TEST(Succession, keeps_the_present_one_where_the_truth_does_not_depend_on_what_changed) {
  auto examples = planted(200, 5);
  std::mt19937_64 random(1);
  for (Example& example : examples)
    example.truth = random() % 8 == 0 ? Truth::Hit : Truth::Dismiss;
  EXPECT_FALSE(compare_successor(all_of(examples), {}).replaces);
}

} // namespace
} // namespace dragnet::select
