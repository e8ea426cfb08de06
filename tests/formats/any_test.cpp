#include "formats/foreign_results.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::formats {
namespace {

std::string tool_of(const std::string& text) {
  const auto results = read_any(text, "results.txt");
  return results ? results->tool : results.error().what;
}

TEST(AnyFormat, is_recognised_by_its_content) {
  EXPECT_EQ(
      tool_of(
          R"( {"benchmarks": [{"name": "a", "real_time": 1, "cpu_time": 1, "time_unit": "s"}]})"),
      "google-benchmark");
  EXPECT_EQ(tool_of("\xEF\xBB\xBF{\"results\": [{\"command\": \"a\", \"times\": [1]}]}"),
            "hyperfine");
  EXPECT_EQ(tool_of("benchmark,wall\na,1\n"), "csv");
}

TEST(AnyFormat, names_the_file_in_errors) {
  EXPECT_EQ(tool_of(" \n"), "results.txt: it is empty");
  EXPECT_EQ(
      tool_of("{"),
      "results.txt: line 1, column 2: syntax error while parsing object key - unexpected end of "
      "input; expected string literal");
  EXPECT_EQ(tool_of("a,b\n1,2\n"), "results.txt: line 1, column 1: there is no column 'benchmark'");
  EXPECT_EQ(tool_of("[1]"),
            "results.txt: it is JSON, but has neither a list 'benchmarks' nor a list 'results'");
}

TEST(AnyFormat, that_is_unknown_brings_a_hint) {
  const auto results = read_any("{}", "x.json");
  ASSERT_FALSE(results);
  EXPECT_EQ(
      results.error().hint,
      "known are: Google Benchmark's --benchmark_format=json, hyperfine's --export-json, and CSV");
}

} // namespace
} // namespace dragnet::formats
