#include "check/exoneration.h"

#include "analysis/explain/explain.h"
#include "model/benchmark.h"
#include "model/lab.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace dragnet::check {
namespace {

using Samples = std::map<std::string, double>;

// A benchmark of half a second that got 6 % slower, in the processor, and did nothing else
// otherwise: the placement of code.
class Exonerations : public testing::Test {
protected:
  Exonerations() {
    before = {{"wall", 0.5},        {"cpu", 0.48},        {"memory", 8e6}, {"page-faults", 900},
              {"bytes-read", 4096}, {"bytes-written", 0}, {"reads", 3},    {"writes", 0}};
    now = before;
    now["wall"] = 0.53;
    now["cpu"] = 0.51;
    work = {.total = 1e-6, .changed = 2e-7, .edited = 0, .unchanged = 0, .outside = 1e-6};
  }
  bool exonerated() const {
    Pair pair;
    pair.base.samples = before;
    pair.candidate.samples = now;
    return exoneration(work, benchmark, std::vector(5, pair)).has_value();
  }

  Samples before;
  Samples now;
  explain::WorkDifference work;
  Benchmark benchmark;
};

TEST_F(Exonerations, come_from_executing_nothing_that_changed) {
  work = {.total = 0.0002, .changed = 0, .edited = 0, .unchanged = 0.0002, .outside = 0};
  EXPECT_TRUE(exonerated());
  work.total = 0.01;
  EXPECT_FALSE(exonerated()) << "it does more than before: data may be behind it";
}

TEST_F(Exonerations, come_from_doing_exactly_the_same_beside_next_to_nothing) {
  EXPECT_TRUE(exonerated());
}

TEST(Counting, is_not_worth_it_where_changed_code_is_too_much_already) {
  Benchmark benchmark;
  benchmark.metrics = {"wall"}; // 2 % matter
  EXPECT_TRUE(changed_too_little(0, benchmark));
  EXPECT_TRUE(changed_too_little(0.002, benchmark));
  EXPECT_FALSE(changed_too_little(0.003, benchmark));
}

TEST(Counting, says_nothing_of_a_suite_that_measures_many_iterations) {
  Benchmark benchmark;
  benchmark.suite = Suite::GoogleBenchmark;
  EXPECT_FALSE(changed_too_little(0, benchmark));
}

TEST_F(Exonerations, do_not_cover_changed_code_that_may_be_behind_it) {
  work.changed = 0.02; // it would have to be four times as slow
  EXPECT_FALSE(exonerated());
  work.changed = 0.01; // seven times
  EXPECT_TRUE(exonerated());
  work.edited = 0.001; // and it does something else than before
  EXPECT_FALSE(exonerated());
}

TEST_F(Exonerations, do_not_cover_unchanged_code_that_does_something_else) {
  work.unchanged = 0.02;
  EXPECT_FALSE(exonerated());
}

TEST_F(Exonerations, do_not_cover_waiting) {
  now["cpu"] = before["cpu"];
  EXPECT_FALSE(exonerated());
}

TEST_F(Exonerations, do_not_cover_other_uses_of_memory_and_files) {
  const Samples same = now;
  for (const char* use : {"memory", "page-faults", "bytes-read", "reads"}) {
    now = same;
    now[use] *= 1.5;
    EXPECT_FALSE(exonerated()) << use;
  }
  for (const char* use : {"bytes-written", "writes"}) {
    now = same;
    now[use] = 1;
    EXPECT_FALSE(exonerated()) << use;
  }
  now = same;
  now.erase("reads");
  EXPECT_FALSE(exonerated()) << "what is not known exonerates nobody";
}

TEST_F(Exonerations, cover_what_is_far_too_little_for_the_change) {
  work.edited = 0.0005; // each instruction would have to take as long as 120 others
  EXPECT_TRUE(exonerated());
  work.edited = 0.0007;
  EXPECT_FALSE(exonerated());
  work.edited = 0;
  now["memory"] *= 1.011; // a sixth of the change of time
  now["page-faults"] *= 1.011;
  EXPECT_TRUE(exonerated());
  now["memory"] *= 1.01;
  EXPECT_FALSE(exonerated());
}

TEST_F(Exonerations, do_not_judge_a_suite_by_one_iteration) {
  benchmark.suite = Suite::GoogleBenchmark;
  EXPECT_FALSE(exonerated());
}

TEST_F(Exonerations, are_foreseen_where_all_does_the_same_work) {
  benchmark.metrics = {"wall"};
  benchmark.smallest_effect = {{"wall", 0.09}};
  EXPECT_TRUE(does_the_same_work(work, benchmark));
  work.changed = 0.01; // it would have to be ten times as slow
  EXPECT_TRUE(does_the_same_work(work, benchmark));
  work.changed = 0.011;
  EXPECT_FALSE(does_the_same_work(work, benchmark));
  work.changed = 0.001;
  benchmark.smallest_effect["wall"] = 0.001;
  EXPECT_FALSE(does_the_same_work(work, benchmark)) << "less of it matters to the user";
}

TEST_F(Exonerations, are_not_foreseen_where_anything_does_more_or_less) {
  benchmark.metrics = {"wall"};
  const auto same = work;
  work.edited = 0.001;
  EXPECT_FALSE(does_the_same_work(work, benchmark));
  work = same;
  work.unchanged = 0.001;
  EXPECT_FALSE(does_the_same_work(work, benchmark));
  work = same;
  work.outside = 0.01;
  EXPECT_FALSE(does_the_same_work(work, benchmark));
  work = same;
  work.total = -0.002;
  EXPECT_FALSE(does_the_same_work(work, benchmark));
  work = same;
  benchmark.suite = Suite::GoogleBenchmark;
  EXPECT_FALSE(does_the_same_work(work, benchmark));
}

TEST_F(Exonerations, need_pairs) {
  EXPECT_FALSE(exoneration(work, benchmark, {}));
}

} // namespace
} // namespace dragnet::check
