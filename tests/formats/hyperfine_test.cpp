#include "formats/hyperfine.h"

#include "formats/foreign_results.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::formats {
namespace {

using Texts = std::vector<std::string>;

ForeignResults read(const std::string& text) {
  auto results = read_hyperfine(text);
  EXPECT_TRUE(results) << (results ? "" : results.error().what);
  return results ? *results : ForeignResults{};
}

std::string error_of(const std::string& text) {
  const auto results = read_hyperfine(text);
  return results ? "no error" : results.error().what;
}

TEST(Hyperfine, gives_a_run_for_each_time) {
  const auto results = read(R"({"results": [
    {"command": "sleep 0.1", "mean": 0.102, "stddev": 0.001, "user": 0.0005, "system": 0.001, "min": 0.101,
     "times": [0.101, 0.103], "memory_usage_byte": [1048576, 2097152], "exit_codes": [0, 0]}]})");
  EXPECT_EQ(results.tool, "hyperfine");
  EXPECT_EQ(results.machine, "");
  EXPECT_TRUE(results.warnings.empty());
  EXPECT_EQ(results.runs,
            (std::vector<ForeignRun>{{"sleep 0.1", {{"wall", 0.101}, {"memory", 1048576}}},
                                     {"sleep 0.1", {{"wall", 0.103}, {"memory", 2097152}}}}));
}

TEST(Hyperfine, tells_results_of_one_name_apart_by_their_parameters) {
  const auto results = read(R"({"results": [
    {"command": "sort", "times": [1], "parameters": {"threads": "1", "size": "big"}},
    {"command": "sort", "times": [2], "parameters": {"threads": 2}},
    {"command": "other 3", "times": [3], "parameters": {"threads": "3"}}]})");
  ASSERT_EQ(results.runs.size(), 3U);
  EXPECT_EQ(results.runs[0].benchmark, "sort (threads = 1, size = big)");
  EXPECT_EQ(results.runs[1].benchmark, "sort (threads = 2)");
  EXPECT_EQ(results.runs[2].benchmark, "other 3");
}

TEST(Hyperfine, warns_of_what_looks_odd) {
  const auto results = read(R"({"results": [
    {"command": "a", "times": [1, 2, 3], "exit_codes": [0, 1, null]},
    {"command": "b", "times": [1, -2, null], "memory_usage_byte": [1]},
    {"command": "b", "times": [1], "memory_usage_byte": ["x"]}]})");
  EXPECT_EQ(results.runs.size(), 5U);
  EXPECT_EQ(results.warnings,
            (Texts{"2 of 3 runs of 'a' ended with a status other than 0",
                   "'memory_usage_byte' of 'b' has not one value for each run: left out",
                   "times[1] of 'b' is not a finite number of at least 0: left out",
                   "times[2] of 'b' is not a finite number of at least 0: left out",
                   "'b' occurs more than once: its runs are taken together",
                   "memory_usage_byte[0] of 'b' is not a number of bytes: left out"}));
}

TEST(Hyperfine, names_what_is_wrong_with_a_document) {
  EXPECT_EQ(error_of("{\"results\": [").substr(0, 8), "line 1, ");
  EXPECT_EQ(error_of("{}"), "'results' must be a list, but is nothing");
  EXPECT_EQ(error_of(R"({"results": []})"), "it has no runs");
  EXPECT_EQ(error_of(R"({"results": [{"times": [1]}]})"),
            "'command' of results[0] must be a text, but is nothing");
  EXPECT_EQ(error_of(R"({"results": [{"command": "", "times": [1]}]})"),
            "'command' of results[0] is empty");
  const auto summary = read_hyperfine(R"({"results": [{"command": "a", "mean": 1}]})");
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().what, "'times' of results[0] must be a list, but is nothing");
  EXPECT_TRUE(summary.error().hint.starts_with("only single runs can be compared"));
}

} // namespace
} // namespace dragnet::formats
