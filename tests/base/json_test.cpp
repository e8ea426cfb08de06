#include "base/json.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet {
namespace {

std::string mistake(std::string_view text) {
  const auto parsed = parse_json(text);
  return parsed ? "no mistake" : parsed.error().what;
}

TEST(ParseJson, keeps_the_order_of_keys) {
  const auto document = parse_json(R"({"z": 1, "a": [true, null, "x"]})");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->dump(), R"({"z":1,"a":[true,null,"x"]})");
}

TEST(ParseJson, names_line_and_column_of_a_mistake) {
  EXPECT_TRUE(mistake("x").starts_with("line 1, column 1: ")) << mistake("x");
  EXPECT_TRUE(mistake("{\n  \"a\": ?\n}").starts_with("line 2, column 8: "))
      << mistake("{\n  \"a\": ?\n}");
  EXPECT_TRUE(mistake("[1,\n2,\n3 4]").starts_with("line 3, column 3: "))
      << mistake("[1,\n2,\n3 4]");
}

TEST(ParseJson, points_to_the_end_of_a_text_that_stops) {
  EXPECT_TRUE(mistake("[1, 2").starts_with("line 1, column 6: ")) << mistake("[1, 2");
  EXPECT_TRUE(mistake("").starts_with("line 1, column 1: ")) << mistake("");
}

TEST(ParseJson, does_not_repeat_the_librarys_own_position) {
  EXPECT_FALSE(mistake("[1,,2]").contains("parse_error")) << mistake("[1,,2]");
  EXPECT_FALSE(mistake("[1,,2]").contains("byte")) << mistake("[1,,2]");
}

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(ParseJson, accepts_nesting_of_200) {
  EXPECT_TRUE(parse_json(nested(200)));
}

TEST(ParseJson, refuses_nesting_beyond_200) {
  EXPECT_FALSE(parse_json(nested(201)));
  EXPECT_TRUE(mistake(nested(300)).contains("200")) << mistake(nested(300));
}

TEST(ParseJson, survives_nesting_without_end) {
  EXPECT_FALSE(parse_json(std::string(1'000'000, '[')));
  EXPECT_FALSE(parse_json(nested(1'000'000)));
}

TEST(ParseJson, refuses_bytes_that_are_not_utf8) {
  EXPECT_FALSE(parse_json("\"\xff\""));
}

TEST(ToText, ends_with_a_newline_and_replaces_bytes_that_are_not_utf8) {
  const std::string text = to_text(Json{{"log", "a\xff"}});
  EXPECT_EQ(text, "{\n  \"log\": \"a\xef\xbf\xbd\"\n}\n");
  EXPECT_TRUE(parse_json(text));
}

} // namespace
} // namespace dragnet
