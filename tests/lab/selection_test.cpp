#include "lab/selection.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::lab {
namespace {

using Names = std::vector<std::string>;

std::vector<Benchmark> benchmarks(const Names& names) {
  std::vector<Benchmark> made;
  for (const auto& name : names) {
    made.emplace_back();
    made.back().name = name;
    made.back().suite = name.starts_with("suite") ? Suite::GoogleBenchmark : Suite::None;
  }
  return made;
}

Names names(const std::vector<Benchmark>& all) {
  Names found;
  for (const auto& benchmark : all)
    found.push_back(benchmark.name);
  return found;
}

Names kept(const Names& all, const Names& wanted) {
  auto left = benchmarks(all);
  const auto done = keep_wanted(left, wanted);
  return done ? names(left) : Names{"Error: " + done.error().what, done.error().hint};
}

TEST(Selection, keeps_all_when_nothing_is_wanted) {
  EXPECT_EQ(kept({"a", "b"}, {}), (Names{"a", "b"}));
}

TEST(Selection, keeps_what_is_wanted_in_the_projects_order) {
  EXPECT_EQ(kept({"a", "b", "c"}, {"c", "a"}), (Names{"a", "c"}));
  EXPECT_EQ(kept({"s/1", "s/2", "st/1"}, {"s"}), (Names{"s/1", "s/2"}));
  EXPECT_EQ(kept({"sort-10", "sort-20", "copy"}, {"sort-*"}), (Names{"sort-10", "sort-20"}));
  EXPECT_EQ(kept({"s/1", "s/2"}, {"s/?"}), (Names{"s/1", "s/2"}));
}

TEST(Selection, says_what_was_probably_meant) {
  EXPECT_EQ(kept({"sort", "copy"}, {"srot"}),
            (Names{"Error: there is no benchmark 'srot'", "did you mean 'sort'?"}));
  EXPECT_EQ(kept({"sort", "copy"}, {"x*"}),
            (Names{"Error: there is no benchmark 'x*'", "known are: sort, copy"}));
  EXPECT_EQ(kept({"sort", "copy"}, {"sort", "x*"})[0], "Error: there is no benchmark 'x*'");
}

TEST(Selection, lists_only_suites_that_can_have_a_wanted_case) {
  const auto all = benchmarks({"a", "suite1", "suite2"});
  EXPECT_EQ(names(entries_for(all, {})), (Names{"a", "suite1", "suite2"}));
  EXPECT_EQ(names(entries_for(all, {"suite1/BM_X"})), Names{"suite1"});
  EXPECT_EQ(names(entries_for(all, {"suite2"})), Names{"suite2"});
  EXPECT_EQ(names(entries_for(all, {"a"})), Names{"a"});
  EXPECT_EQ(names(entries_for(all, {"*BM*"})), (Names{"suite1", "suite2"}));
  EXPECT_EQ(names(entries_for(all, {"unknown"})), (Names{"a", "suite1", "suite2"}))
      << "to name all in the Error";
}

TEST(Selection, makes_one_benchmark_of_each_case) {
  const auto cases = cases_of(benchmarks({"suite"})[0], {"BM_A/1", "BM_B"});
  EXPECT_EQ(names(cases), (Names{"suite/BM_A/1", "suite/BM_B"}));
  EXPECT_EQ(cases[0].suite_case, "BM_A/1");
}

TEST(Selection, knows_what_a_program_does_without_its_cases) {
  auto suite = benchmarks({"suite"})[0];
  EXPECT_FALSE(start_of(suite));
  suite.suite = Suite::GoogleTest;
  suite.command = "./tests";
  const auto start = start_of(cases_of(suite, {"A.b"})[0]);
  ASSERT_TRUE(start);
  EXPECT_EQ(start->name, "suite without a case");
  EXPECT_EQ(start->suite, Suite::None);
  EXPECT_TRUE(start->command.starts_with("./tests --gtest_filter="));
}

TEST(Selection, starts_a_program_as_its_owner_says) {
  auto benchmark = benchmarks({"a"})[0];
  benchmark.command = "./tests --test a";
  benchmark.start = "./tests --help";
  const auto start = start_of(benchmark);
  ASSERT_TRUE(start);
  EXPECT_EQ(start->name, "start of ./tests --help");
  EXPECT_EQ(start->command, "./tests --help");
  EXPECT_FALSE(start_of(*start));
}

} // namespace
} // namespace dragnet::lab
