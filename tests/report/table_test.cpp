#include "report/table.h"

#include "base/text.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::report {
namespace {

std::string without_colours(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b')
      i = text.find('m', i);
    else
      plain += text[i];
  }
  return plain;
}

// The invariant of every table: no line ends with a blank, with colours or without, and colours
// change nothing else.
std::string checked(const Table& table) {
  const std::string plain = table.text(false);
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  for (const auto& line : lines(plain))
    EXPECT_FALSE(line.ends_with(' ')) << "[" << line << "]";
  EXPECT_EQ(without_colours(table.text(true)), plain);
  return plain;
}

TEST(Table, aligns_its_columns) {
  Table table({{"name"}, {"value", Align::Right}, {"verdict"}});
  table.add({{"a"}, {"1.5"}, {"fine"}});
  table.add({{"longer name"}, {"1234.5 ms"}, {"not fine"}});
  EXPECT_EQ(checked(table), "name             value  verdict\n"
                            "a                  1.5  fine\n"
                            "longer name  1234.5 ms  not fine\n");
}

TEST(Table, aligns_letters_of_several_bytes) {
  Table table({{"größe"}, {"±", Align::Right}, {"end"}});
  table.add({{"naïve – ok"}, {"1 ± 2"}, {"x"}});
  table.add({{"plain"}, {"10"}, {"x"}});
  EXPECT_EQ(checked(table), "größe           ±  end\n"
                            "naïve – ok  1 ± 2  x\n"
                            "plain          10  x\n");
}

TEST(Table, has_no_blanks_at_the_ends_of_painted_lines) {
  Table table({{"name"}, {"verdict"}});
  table.add({{"a"}, {"not measured", Colour::Yellow}});
  table.add({{"b"}, {"bad", Colour::Red}});
  checked(table);
}

TEST(Table, may_have_empty_cells_at_the_end) {
  Table table({{"a"}, {"b"}, {""}});
  table.add({{"1"}, {""}, {""}});
  EXPECT_EQ(checked(table), "a  b\n1\n");
}

TEST(Table, without_rows_has_its_titles) {
  EXPECT_EQ(checked(Table({{"a"}, {"b"}})), "a  b\n");
}

TEST(Painted, leaves_the_text_alone_when_colours_are_off) {
  EXPECT_EQ(painted("x", Colour::Red, false), "x");
  EXPECT_EQ(painted("x", Colour::None, true), "x");
  EXPECT_EQ(painted("x", Colour::Red, true), "\x1b[31mx\x1b[0m");
}

TEST(Width, counts_letters_not_bytes) {
  EXPECT_EQ(width(""), 0U);
  EXPECT_EQ(width("abc"), 3U);
  EXPECT_EQ(width("± – é"), 5U);
}

} // namespace
} // namespace dragnet::report
