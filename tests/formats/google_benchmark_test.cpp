#include "formats/google_benchmark.h"

#include "formats/foreign_results.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::formats {
namespace {

using Texts = std::vector<std::string>;

// The results of a text that must be right, every value of which must be finite.
ForeignResults read(const std::string& text) {
  auto results = read_google_benchmark(text);
  EXPECT_TRUE(results) << (results ? "" : results.error().what);
  if (!results)
    return {};
  for (const auto& run : results->runs)
    for (const auto& [metric, value] : run.samples)
      EXPECT_TRUE(std::isfinite(value)) << metric;
  return *results;
}

std::string with_entries(const std::string& entries) {
  return R"({"context": {"host_name": "lab7"}, "benchmarks": [)" + entries + "]}";
}

std::string entry(const std::string& name, const std::string& more) {
  return R"({"name": ")" + name + R"(", "run_name": ")" + name +
         R"(", "run_type": "iteration", "iterations": 7, )" +
         R"("real_time": 2, "cpu_time": 1, "time_unit": "ms")" + more + "}";
}

std::string error_of(const std::string& text) {
  const auto results = read_google_benchmark(text);
  return results ? "no error" : results.error().what;
}

TEST(GoogleBenchmark, gives_a_run_for_each_repetition_and_skips_aggregates) {
  const auto results = read(with_entries(
      entry("BM_a/8", R"(, "repetition_index": 0, "threads": 1)") + "," +
      entry("BM_a/8", R"(, "repetition_index": 1)") +
      R"(,{"name": "BM_a/8_mean", "run_name": "BM_a/8", "run_type": "aggregate", "aggregate_name": "mean",
          "real_time": 2, "cpu_time": 1, "time_unit": "ms"},
         {"name": "BM_a_BigO", "run_name": "BM_a", "run_type": "aggregate", "big_o": "N", "cpu_coefficient": 1}
      )"));
  EXPECT_EQ(results.tool, "google-benchmark");
  EXPECT_EQ(results.machine, "lab7");
  EXPECT_TRUE(results.warnings.empty());
  ASSERT_EQ(results.runs.size(), 2U);
  EXPECT_EQ(results.runs[0].benchmark, "BM_a/8");
  EXPECT_EQ(results.runs[0].samples.size(), 2U);
  EXPECT_DOUBLE_EQ(results.runs[0].samples.at("wall"), 0.002);
  EXPECT_DOUBLE_EQ(results.runs[0].samples.at("cpu"), 0.001);
}

TEST(GoogleBenchmark, knows_aggregates_of_old_versions_by_their_names) {
  const auto old = [](const std::string& name) {
    return R"({"name": ")" + name +
           R"(", "iterations": 1, "real_time": 3, "cpu_time": 3, "time_unit": "ns"})";
  };
  const auto results =
      read(with_entries(old("BM_b") + "," + old("BM_b_mean") + "," + old("BM_c_mean")));
  ASSERT_EQ(results.runs.size(), 2U);
  EXPECT_EQ(results.runs[1].benchmark, "BM_c_mean");
}

TEST(GoogleBenchmark, reads_all_units_of_time) {
  for (const auto& [unit, seconds] :
       {std::pair("ns", 2e-9), {"us", 2e-6}, {"ms", 2e-3}, {"s", 2.0}}) {
    const auto results =
        read(with_entries(R"({"name": "a", "real_time": 2, "cpu_time": 0, "time_unit": ")" +
                          std::string(unit) + R"("})"));
    EXPECT_DOUBLE_EQ(results.runs.at(0).samples.at("wall"), seconds) << unit;
  }
}

TEST(GoogleBenchmark, takes_counters_as_metrics) {
  const auto results = read(with_entries(entry(
      "a",
      R"(, "bytes_per_second": 1e9, "items_per_second": 5, "net_heap_growth": -3, "label": "x")")));
  const auto& samples = results.runs.at(0).samples;
  EXPECT_EQ(samples.size(), 5U);
  EXPECT_DOUBLE_EQ(samples.at("bytes_per_second"), 1e9);
  EXPECT_DOUBLE_EQ(samples.at("net_heap_growth"), -3);
}

TEST(GoogleBenchmark, warns_of_counters_that_it_leaves_out) {
  const auto results =
      read(with_entries(entry("a", R"(, "x": NaN, "y": -Infinity, "z": Infinity, "wall": 3)")));
  ASSERT_EQ(results.runs.size(), 1U);
  EXPECT_EQ(results.runs[0].samples.size(), 2U);
  EXPECT_EQ(results.warnings,
            (Texts{"the counter 'x' of 'a' is not a finite number: left out",
                   "the counter 'y' of 'a' is not a finite number: left out",
                   "the counter 'z' of 'a' is not a finite number: left out",
                   "the counter 'wall' of 'a' has the name of another metric: left out"}));
}

TEST(GoogleBenchmark, does_not_touch_special_words_in_names) {
  const auto results = read(with_entries(entry(R"(to \"NaN\" and Infinity)", R"(, "x": NaN)")));
  EXPECT_EQ(results.runs.at(0).benchmark, "to \"NaN\" and Infinity");
}

TEST(GoogleBenchmark, turns_reported_errors_into_warnings) {
  const auto results =
      read(with_entries(entry("a", R"(, "error_occurred": true, "error_message": "no\nfile")") +
                        "," + entry("b", R"(, "skipped": true, "skip_message": "slow")") + "," +
                        entry("c", R"(, "error_occurred": true)") + "," +
                        entry("d", R"(, "error_occurred": false)")));
  EXPECT_EQ(results.warnings,
            (Texts{"'a' reported an error: no file", "'b' reported an error: slow",
                   "'c' reported an error: no reason given"}));
  ASSERT_EQ(results.runs.size(), 1U);
  EXPECT_EQ(results.runs[0].benchmark, "d");
}

TEST(GoogleBenchmark, never_stores_a_time_that_cannot_be) {
  for (const auto* time : {"-1", "NaN", "null", "\"3\"", "Infinity"}) {
    const auto results = read(with_entries(R"({"name": "a", "real_time": )" + std::string(time) +
                                           R"(, "cpu_time": 1, "time_unit": "ns"})"));
    EXPECT_TRUE(results.runs.empty()) << time;
    EXPECT_EQ(results.warnings,
              Texts{"a time of 'a' is not a finite number of at least 0: left out"})
        << time;
  }
}

TEST(GoogleBenchmark, names_what_is_wrong_with_a_document) {
  EXPECT_EQ(error_of("{\n  \"benchmarks\": [x]}").substr(0, 18), "line 2, column 18:");
  EXPECT_EQ(error_of("[]"), "'benchmarks' must be a list, but is nothing");
  EXPECT_EQ(error_of(R"({"benchmarks": {}})"), "'benchmarks' must be a list, but is an object");
  EXPECT_EQ(error_of(R"({"benchmarks": [3]})"),
            "'name' of benchmarks[0] must be a text, but is nothing");
  EXPECT_EQ(error_of(with_entries(entry("a", "") + R"(,{"name": true})")),
            "'name' of benchmarks[1] must be a text, but is a truth value");
  EXPECT_EQ(error_of(with_entries(R"({"name": " \n"})")), "'name' of benchmarks[0] is empty");
  EXPECT_EQ(error_of(with_entries(R"({"name": "a", "real_time": 1, "cpu_time": 1})")),
            "'time_unit' of benchmarks[0] must be a text, but is nothing");
  const auto results = read_google_benchmark(with_entries(R"({"name": "a", "time_unit": "min"})"));
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().what, "'time_unit' of benchmarks[0] is 'min'");
  EXPECT_EQ(results.error().hint, "known are: ns, us, ms, s");
}

TEST(GoogleBenchmark, says_why_there_is_nothing) {
  const auto empty = read_google_benchmark(with_entries(""));
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().what, "it has no benchmarks");
  const auto aggregates =
      read_google_benchmark(with_entries(R"({"name": "a_mean", "run_type": "aggregate"})"));
  ASSERT_FALSE(aggregates);
  EXPECT_EQ(aggregates.error().what, "it has only aggregates, and no single runs");
  EXPECT_EQ(aggregates.error().hint, "write it again without --benchmark_report_aggregates_only");
}

TEST(GoogleBenchmark, lists_each_case_once) {
  EXPECT_EQ(parse_google_benchmark_list("BM_a/8\r\nBM b<int>\n\nBM_a/8\n"),
            (Texts{"BM_a/8", "BM b<int>"}));
  EXPECT_TRUE(parse_google_benchmark_list("").empty());
}

TEST(GoogleBenchmark, filters_exactly_one_case) {
  EXPECT_EQ(google_benchmark_filter("BM_a<int>/8"), "^BM_a<int>/8$");
  EXPECT_EQ(google_benchmark_filter("a.b[1](c|d)*+?{2}^$\\"),
            "^a\\.b\\[1]\\(c\\|d\\)\\*\\+\\?\\{2}\\^\\$\\\\$");
}

TEST(GoogleBenchmark, filters_in_both_flavours_of_expressions) {
  const std::string odd = "odd [x] {y,2} (a|b)* +?^$\\ .";
  const std::vector<std::string> others{odd + "x", "x" + odd, "odd xx] {y,2} (a|b)* +?^$\\ ."};
  for (const auto flavour : {std::regex::ECMAScript, std::regex::extended}) {
    const std::regex filter(google_benchmark_filter(odd), flavour);
    const auto matches = [&](const std::string& name) { return std::regex_search(name, filter); };
    EXPECT_TRUE(matches(odd));
    EXPECT_TRUE(std::ranges::none_of(others, matches));
  }
}

} // namespace
} // namespace dragnet::formats
