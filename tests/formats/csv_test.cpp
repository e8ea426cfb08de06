#include "formats/csv.h"

#include "formats/foreign_results.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::formats {
namespace {

using Runs = std::vector<ForeignRun>;

Runs runs_of(const std::string& text) {
  auto results = read_csv(text);
  EXPECT_TRUE(results) << (results ? "" : results.error().what);
  return results ? results->runs : Runs{};
}

TEST(Csv, reads_a_wide_table_with_units) {
  EXPECT_EQ(runs_of("benchmark,wall [ms],memory [KiB],score\na,2000,4,-1.5\nb,1e3,,2\n"),
            (Runs{{"a", {{"wall", 2}, {"memory", 4096}, {"score", -1.5}}},
                  {"b", {{"wall", 1}, {"score", 2}}}}));
}

TEST(Csv, reads_a_long_table_and_forms_runs_by_counting) {
  const auto results =
      read_csv("metric,value,benchmark\nwall,1,a\nwall,2,a\ncpu,3,a\nwall,4,b\ncpu,5,a\ncpu,6,a\n");
  ASSERT_TRUE(results);
  EXPECT_EQ(results->tool, "csv");
  EXPECT_EQ(results->runs, (Runs{{"a", {{"wall", 1}, {"cpu", 3}}},
                                 {"a", {{"wall", 2}, {"cpu", 5}}},
                                 {"b", {{"wall", 4}}},
                                 {"a", {{"cpu", 6}}}}));
}

TEST(Csv, takes_the_unit_of_a_long_table_from_metric_column_or_header) {
  EXPECT_EQ(
      runs_of(
          "benchmark,metric,value [us],unit\na,wall [s],1,ms\na,cpu,1000,ms\na,user,1000000,\n"),
      (Runs{{"a", {{"wall", 1}, {"cpu", 1}, {"user", 1}}}}));
}

TEST(Csv, reads_quotes_line_breaks_and_other_separators) {
  EXPECT_EQ(runs_of("\"benchmark\",\"wall\"\n\"say \"\"hi\"\",\nyou\",\"1\"\n"),
            (Runs{{"say \"hi\", you", {{"wall", 1}}}}));
  EXPECT_EQ(runs_of("benchmark;wall\na,b;1\n"), (Runs{{"a,b", {{"wall", 1}}}}));
  EXPECT_EQ(runs_of("benchmark\twall\na\t1\n"), (Runs{{"a", {{"wall", 1}}}}));
}

TEST(Csv, reads_a_byte_order_mark_windows_lines_blanks_and_empty_lines) {
  EXPECT_EQ(runs_of("\xEF\xBB\xBF\r\nbenchmark, wall [\xC2\xB5s] \r\n\r\n a , 1000000 \r\nb,0"),
            (Runs{{"a", {{"wall", 1}}}, {"b", {{"wall", 0}}}}));
}

TEST(Csv, warns_of_lines_without_a_value) {
  const auto results = read_csv("benchmark,wall,cpu\na,,\nb,1,\n");
  ASSERT_TRUE(results);
  EXPECT_EQ(results->runs.size(), 1U);
  EXPECT_EQ(results->warnings, std::vector<std::string>{"lines without a value, left out: 1"});
}

// A text, and the message and hint that it must give.
struct Case {
  std::string text;
  std::string what;
  std::string hint;
};

TEST(Csv, names_line_and_column_of_a_mistake) {
  const std::string example = "the first line names the columns, such as: benchmark,wall [ms]";
  const std::vector<Case> cases{
      {"", "line 1, column 1: the table is empty", example},
      {"\n\n", "line 1, column 1: the table is empty", example},
      {"\nbenchmark,wall\n", "line 2, column 1: the table has a header, but no values", ""},
      {"a,b\n1,2\n", "line 1, column 1: there is no column 'benchmark'", example},
      {"command,mean,stddev\nx,1,2\n", "line 1, column 1: there is no column 'benchmark'",
       "this is a summary by hyperfine: write the single runs with --export-json"},
      {"name,iterations,real_time\nx,1,2\n", "line 1, column 1: there is no column 'benchmark'",
       "this is a table by Google Benchmark: write it with --benchmark_format=json"},
      {"benchmark\na\n", "line 1, column 1: there is no column for a metric", example},
      {"benchmark,value\na,1\n",
       "line 1, column 1: a table of single values needs both columns 'metric' and 'value'", ""},
      {"benchmark,metric,value,x\na,wall,1,1\n",
       "line 1, column 1: a table with the columns 'metric' and 'value' has no others but 'unit'",
       ""},
      {"benchmark,wall,wall [ms]\na,1,2\n", "line 1, column 16: a second column 'wall'", ""},
      {"benchmark,\na,1\n", "line 1, column 11: a metric without a name", ""},
      {"benchmark,wall [mss]\na,1\n", "line 1, column 11: the unit 'mss' of 'wall' is not known",
       "did you mean 'ms'?"},
      {"benchmark,wall [MiB]\na,1\n", "line 1, column 11: 'wall' is a time, and cannot be in 'MiB'",
       ""},
      {"benchmark,instructions [s]\na,1\n",
       "line 1, column 11: 'instructions' is a count, and cannot be in 's'", ""},
      {"benchmark,wall\na,1\nb\n", "line 3, column 1: the line has 1 fields, but the header has 2",
       ""},
      {"benchmark,wall\na,1,2\n", "line 2, column 5: the line has 3 fields, but the header has 2",
       ""},
      {"benchmark,wall\n ,1\n", "line 2, column 1: the benchmark has no name", ""},
      {"benchmark,wall\n\"a\nb\",x\n", "line 3, column 4: the value 'x' of 'wall' is not a number",
       ""},
      {"benchmark;wall\na;1,5\n", "line 2, column 3: the value '1,5' of 'wall' is not a number",
       ""},
      {"benchmark,wall\na,nan\n", "line 2, column 3: the value 'nan' of 'wall' is not finite", ""},
      {"benchmark,wall\na,inf\n", "line 2, column 3: the value 'inf' of 'wall' is not finite", ""},
      {"benchmark,wall [h]\na,1e308\n",
       "line 2, column 3: the value '1e308' of 'wall' is not finite", ""},
      {"benchmark,wall\na,-1\n", "line 2, column 3: the value '-1' of 'wall' is negative", ""},
      {"benchmark,own [ms]\na,-1\n", "line 2, column 3: the value '-1' of 'own' is negative", ""},
      {"benchmark,wall\na,\"1\n", "line 2, column 3: the quote is never closed", ""},
      {"benchmark,wall\na,\"1\"2\n", "line 2, column 6: text after the closing quote", ""},
      {"benchmark,wall\na\"b,1\n",
       "line 2, column 2: a quote inside a field that does not begin with one",
       "put the whole field in quotes, and each quote in it twice"}};
  for (const auto& [text, what, hint] : cases) {
    const auto results = read_csv(text);
    ASSERT_FALSE(results) << text;
    EXPECT_EQ(results.error().what, what);
    EXPECT_EQ(results.error().hint, hint) << text;
  }
}

} // namespace
} // namespace dragnet::formats
