#include "report/page.h"

#include "base/json.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace dragnet::report {
namespace {

std::size_t occurrences(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

// What a browser takes for the data: everything up to the next end of a script.
std::string data_in(const std::string& page) {
  constexpr std::string_view opening = R"(<script type="application/json" id="report">)";
  const std::size_t begin = page.find(opening) + opening.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

void check_data(const std::string& data, const Json& report) {
  const auto read = parse_json(data);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(*read, report);
  EXPECT_EQ(data.find('<'), std::string::npos);
}

// The invariant of every page: the data reads back as it was, and the markup around it is the same
// whatever the data is.
void check_page(const Json& report) {
  const std::string empty = html_page("null");
  const std::string page = html_page(report.dump());
  const std::string data = data_in(page);
  check_data(data, report);
  EXPECT_EQ(page.size() - data.size(), empty.size() - data_in(empty).size());
  for (const std::string_view word : {"<script", "</script", "<!--", "<img"})
    EXPECT_EQ(occurrences(page, word), occurrences(empty, word)) << word;
}

TEST(Page, contains_the_data) {
  check_page({{"document", "report"}, {"check", nullptr}, {"series", Json::array()}});
}

TEST(Page, keeps_hostile_data_inside) {
  for (const char* text :
       {"</script><script>alert(1)</script>", "<!-- <script>", "<img src=x onerror=alert(1)>",
        R"(\u003c/script> "quoted" \\ back)", "{{script}} $& $1", "</SCRIPT >"})
    check_page({{text, text}, {"list", {text, 1, nullptr}}});
}

TEST(Page, escapes_what_ends_a_line_of_a_script) {
  check_page({{"name", "a\u2028b\u2029c\u2027d"}});
  const std::string data = data_in(html_page("\"a\u2028b\u2029c\u2027d\""));
  EXPECT_EQ(data, "\"a\\u2028b\\u2029c\u2027d\"");
}

TEST(Page, takes_large_data) {
  check_page({{"log", std::string(5'000'000, '<')}});
}

TEST(Page, takes_bytes_that_end_in_the_middle_of_a_character) {
  EXPECT_EQ(data_in(html_page("\"\xe2\x80")), "\"\xe2\x80");
  EXPECT_EQ(data_in(html_page("")), "");
}

TEST(Page, is_small_and_whole) {
  const std::string page = html_page("null");
  EXPECT_LT(page.size(), 200'000U);
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_EQ(page.find("{{"), std::string::npos);
}

TEST(Page, may_load_nothing) {
  const std::string page = html_page("null");
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page.find("unsafe-"), std::string::npos);
  for (const std::string_view word : {" src=", "@import", "url(", "<iframe", "fetch("})
    EXPECT_EQ(page.find(word), std::string::npos) << word;
}

} // namespace
} // namespace dragnet::report
