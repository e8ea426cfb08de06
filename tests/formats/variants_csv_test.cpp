#include "formats/variants_csv.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::formats {
namespace {

RecordedVariants read(const std::string& text, const VariantsColumns& columns) {
  auto table = read_variants_csv(text, columns);
  EXPECT_TRUE(table) << (table ? "" : table.error().what);
  return table ? *table : RecordedVariants{};
}

std::string problem(const std::string& text, const VariantsColumns& columns) {
  const auto table = read_variants_csv(text, columns);
  EXPECT_FALSE(table);
  return table ? "" : table.error().what;
}

TEST(VariantsTable, takes_columns_of_0_and_1_for_options) {
  const auto table = read("id,a,root,b,commit,seconds,other\n"
                          "1,0,1,1,10,2.5,x\n2,1,1,0,9,3,y\n3,1,1,1,10,,z\n",
                          {.value = "seconds", .options = {}});
  EXPECT_EQ(table.options, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(table.commits, (std::vector<std::string>{"9", "10"}));
  ASSERT_EQ(table.values.size(), 2U);
  EXPECT_EQ(table.values[0].commit, 1U);
  EXPECT_EQ(table.values[0].value, 2.5);
  EXPECT_FALSE(table.values[0].configuration.on(0));
  EXPECT_TRUE(table.values[0].configuration.on(1));
  EXPECT_EQ(table.notes,
            (std::vector<std::string>{"1 of 3 rows have no value", "'root' is on in all rows"}));
}

TEST(VariantsTable, keeps_the_order_of_commits_that_are_no_numbers) {
  const auto table = read("commit,a,value\nv2,0,1\nv10,1,1\nv2,1,1\n", {"value", {}});
  EXPECT_EQ(table.commits, (std::vector<std::string>{"v2", "v10"}));
}

TEST(VariantsTable, leaves_out_an_option_that_is_another) {
  const auto table = read("commit,a,b,value\n1,0,0,1\n1,1,1,2\n", {"value", {}});
  EXPECT_EQ(table.options, (std::vector<std::string>{"a"}));
  EXPECT_EQ(table.notes, (std::vector<std::string>{"'b' is the same as 'a' in all rows"}));
}

TEST(VariantsTable, says_what_is_wrong) {
  EXPECT_EQ(problem("", {"value", {}}), "the table has no rows");
  EXPECT_EQ(problem("a,value\n1,2\n", {"value", {}}), "the table has no column 'commit'");
  EXPECT_EQ(problem("commit,a\n1,1\n", {"value", {}}), "the table has no column 'value'");
  EXPECT_EQ(problem("commit,a,value\n1,1,fast\n", {"value", {}}),
            "line 2, column 5: 'fast' is not a number");
  EXPECT_EQ(problem("commit,a,value\n1,1,nan\n", {"value", {}}),
            "line 2, column 5: 'nan' is not a number");
  EXPECT_EQ(problem("commit,a,value\n1,1,\n", {"value", {}}), "the column 'value' has no values");
  EXPECT_EQ(problem("commit,a,value\n1,1,3\n", {"value", {}}),
            "the table has no options that differ");
  EXPECT_EQ(problem("commit,a,value\n1,2,3\n", {"value", {"a"}}),
            "line 2, column 3: '2' is neither 0 nor 1, but 'a' is an option");
  EXPECT_EQ(problem("commit,a,value\n1,1\n", {"value", {}}),
            "line 2, column 3: the line has 2 fields, but the header has 3");
  EXPECT_EQ(problem("commit,a,value\n,1,3\n1,0,3\n", {"value", {}}),
            "line 2, column 1: the commit is missing");
}

} // namespace
} // namespace dragnet::formats
