#include "analysis/variants/recorded.h"

#include "analysis/variants/learner.h"
#include "analysis/variants/sampling.h"
#include "model/recorded_variants.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::variants {
namespace {

// All configurations of a fast option and one of three codecs, or none.
RecordedVariants table(std::size_t commits) {
  RecordedVariants recorded{
      .options = {"fast", "gzip", "lzo", "zpaq"}, .commits = {}, .values = {}, .notes = {}};
  for (std::size_t commit = 0; commit < commits; ++commit) {
    recorded.commits.push_back(std::to_string(commit));
    for (const bool fast : {false, true})
      for (std::size_t codec = 0; codec < 4; ++codec) {
        RecordedValue one{Configuration(4), commit, fast ? 5.0 : 10.0};
        one.configuration.set(0, fast);
        if (codec > 0)
          one.configuration.set(codec, true);
        one.value *= codec == 2 && commit >= 40 ? 1.5 : 1; // lzo
        one.value *= codec == 0 && commit >= 20 ? 2 : 1;   // none of them
        recorded.values.push_back(one);
      }
  }
  return recorded;
}

TEST(RecordedVariants, make_none_of_several_alternatives_an_option) {
  RecordedLab lab(table(2));
  ASSERT_EQ(lab.space().options.size(), 5U);
  EXPECT_EQ(lab.space().options.back(), "no-gzip/lzo/zpaq");
  for (const Configuration& one : lab.all())
    EXPECT_EQ(one.on(4), !one.on(1) && !one.on(2) && !one.on(3));
}

TEST(RecordedVariants, are_searched_without_measuring) {
  RecordedLab lab(table(80));
  Random random(1);
  const auto answer = learn(lab, lab, lab.commits(), {}, random);
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->changes.size(), 2U);
  EXPECT_EQ(answer->changes[0].commit, 20U);
  EXPECT_EQ(answer->changes[0].condition.on, (std::vector<std::size_t>{4}));
  EXPECT_EQ(answer->changes[1].commit, 40U);
  EXPECT_EQ(answer->changes[1].condition.on, (std::vector<std::size_t>{2}));
  EXPECT_LT(lab.cells(), 640U / 2);
}

TEST(RecordedVariants, may_lack_cells) {
  RecordedVariants holey = table(80);
  std::erase_if(holey.values, [](const RecordedValue& one) {
    return one.commit % 7 == 3 && one.configuration.on(0);
  });
  RecordedLab lab(holey);
  Random random(1);
  const auto answer = learn(lab, lab, lab.commits(), {}, random);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->broken.empty());
  ASSERT_EQ(answer->changes.size(), 2U);
  EXPECT_EQ(answer->changes[0].commit, 20U);
  EXPECT_EQ(answer->changes[1].commit, 40U);
}

// A bisection may meet a commit that is off by itself.
TEST(RecordedVariants, may_be_off_at_single_commits) {
  for (std::size_t off = 30; off < 50; ++off) {
    if (off + 1 >= 40 && off <= 41)
      continue; // beside the change itself nobody can tell
    RecordedVariants recorded = table(80);
    for (RecordedValue& one : recorded.values)
      if (one.commit == off && one.configuration.on(2))
        one.value *= off < 40 ? 1.5 : 1 / 1.5;
    RecordedLab lab(recorded);
    Random random(1);
    const auto answer = learn(lab, lab, lab.commits(), {}, random);
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->changes.size(), 2U) << off;
    EXPECT_EQ(answer->changes[1].commit, 40U) << off;
  }
}

// In the others the same change is a smaller part than the threshold.
TEST(RecordedVariants, name_the_options_under_which_a_change_matters) {
  RecordedVariants recorded = table(80);
  for (RecordedValue& one : recorded.values) {
    const double level = one.configuration.on(0) ? 5 : 10;
    const double part = one.configuration.on(2) ? 0.16 : 0.05;
    one.value = level * (one.commit >= 40 ? 1 + part : 1);
  }
  RecordedLab lab(recorded);
  Random random(1);
  const auto answer = learn(lab, lab, lab.commits(), {}, random);
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->changes.size(), 1U);
  EXPECT_EQ(answer->changes[0].commit, 40U);
  EXPECT_EQ(answer->changes[0].condition.on, (std::vector<std::size_t>{2}));
  EXPECT_TRUE(answer->changes[0].condition.off.empty());
}

TEST(RecordedVariants, average_repetitions) {
  RecordedVariants twice = table(1);
  RecordedValue more = twice.values.front();
  more.value += 4;
  twice.values.push_back(more);
  const RecordedLab lab(twice);
  Configuration first(5);
  first.set(4, true);
  EXPECT_EQ(lab.values(first).at(0), 12);
}

} // namespace
} // namespace dragnet::variants
