#include "formats/test_suites.h"

#include "model/benchmark.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::formats {
namespace {

using Texts = std::vector<std::string>;

TEST(TestSuites, lists_cases_of_googletest_with_their_suites) {
  EXPECT_EQ(parse_listing(Suite::GoogleTest, "Running main() from ./src/gtest_main.cc\n"
                                             "Stack.\n"
                                             "  pushes\n"
                                             "  DISABLED_pops\n"
                                             "Typed/0.  # TypeParam = int\n"
                                             "  works\n"
                                             "Sizes/Heap.\n"
                                             "  grows/0  # GetParam() = 4\n"
                                             "  grows/1  # GetParam() = 8\n"
                                             "DISABLED_Queue.\n"
                                             "  turns\n"),
            (Texts{"Stack.pushes", "Typed/0.works", "Sizes/Heap.grows/0", "Sizes/Heap.grows/1"}));
}

TEST(TestSuites, lists_cases_of_catch2_of_both_versions) {
  EXPECT_EQ(parse_listing(Suite::Catch2, "vectors can be sized\n  sorting, [fast]\n\n"),
            (Texts{"vectors can be sized", "sorting, [fast]"}));
}

TEST(TestSuites, lists_cases_of_doctest_without_what_it_says_itself) {
  EXPECT_EQ(parse_listing(Suite::Doctest, "[doctest] listing all test case names\n"
                                          "==========================================\n"
                                          "first\n"
                                          "a second, with more\n"
                                          "==========================================\n"
                                          "[doctest] unskipped test cases passing: 2\n"),
            (Texts{"first", "a second, with more"}));
}

TEST(TestSuites, lists_cases_of_ctest_that_are_run) {
  EXPECT_EQ(parse_listing(Suite::CTest, "Test project /x/build\n"
                                        "  Test  #1: plain\n"
                                        "  Test #10: with: colon\n"
                                        "  Test #11: off (Disabled)\n\n"
                                        "Total Tests: 3\n"),
            (Texts{"plain", "with: colon"}));
}

TEST(TestSuites, runs_exactly_one_case) {
  EXPECT_EQ(case_command(Suite::GoogleTest, "./t", "A.b/0"), "./t --gtest_filter='A.b/0'");
  EXPECT_EQ(case_command(Suite::Catch2, "./t", "a, [b]*"), "./t 'a\\, \\[b\\]\\*'");
  EXPECT_EQ(case_command(Suite::Doctest, "./t", "a, b's"), "./t --test-case='a\\, b'\\''s'");
  EXPECT_EQ(case_command(Suite::CTest, "ctest", "a.b"), "ctest --no-tests=error -R '^a\\.b$'");
}

TEST(TestSuites, starts_a_program_without_running_a_case) {
  EXPECT_EQ(start_command(Suite::GoogleTest, "./t"),
            "./t --gtest_filter='dragnet-runs-none' || true");
  EXPECT_EQ(start_command(Suite::CTest, "ctest"), "");
  EXPECT_EQ(start_command(Suite::GoogleBenchmark, "./t"), "");
  EXPECT_EQ(start_command(Suite::None, "./t"), "");
}

TEST(TestSuites, leaves_suites_that_measure_themselves_to_their_own_words) {
  EXPECT_EQ(case_command(Suite::GoogleBenchmark, "./t", "BM_x/8"), "");
  EXPECT_EQ(parse_listing(Suite::GoogleBenchmark, "BM_x/8\nBM_y\n"), (Texts{"BM_x/8", "BM_y"}));
}

} // namespace
} // namespace dragnet::formats
