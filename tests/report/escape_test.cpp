#include "report/escape.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::report {
namespace {

TEST(Escape, replaces_what_is_not_utf8) {
  EXPECT_EQ(valid_utf8("a\xff\x62"), "a\xef\xbf\xbd\x62");
  EXPECT_EQ(valid_utf8("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd") << "overlong";
  EXPECT_EQ(valid_utf8("\xed\xa0\x80").substr(0, 3), "\xef\xbf\xbd") << "a surrogate";
  EXPECT_EQ(valid_utf8("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd") << "cut short";
  EXPECT_EQ(valid_utf8("µ€𝄞"), "µ€𝄞");
}

TEST(Escape, keeps_the_blanks_in_front_of_source) {
  EXPECT_EQ(plain_source(" \tif (a)\x1b[0m "), "     if (a) [0m");
  EXPECT_EQ(plain_source("+\treturn;"), "+    return;");
  EXPECT_EQ(plain_source("  "), "");
  EXPECT_EQ(plain_source(std::string(300, 'a')).size(), 200U);
}

TEST(Escape, makes_text_plain) {
  EXPECT_EQ(plain("a\nb\x1b[0m\tc\x7f"), "a b [0m c");
  EXPECT_EQ(plain("a\xe2\x80\xae\x62"), "a b") << "no change of direction";
  EXPECT_EQ(plain("a\xc2\x9b\x62"), "a b") << "no control sequence of eight bits";
}

TEST(Escape, shortens_between_characters) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc...");
  EXPECT_EQ(shortened("aµµµµ", 6), "aµ...");
}

TEST(Escape, keeps_markdown_from_seeing_markup) {
  EXPECT_EQ(in_markdown("a|b *c* <d> [e](f)"), "a\\|b \\*c\\* &lt;d&gt; \\[e\\]\\(f\\)");
  EXPECT_EQ(in_markdown("@all see #12"), "@&#8203;all see \\#&#8203;12");
  EXPECT_EQ(in_markdown("http://x www.y"), "http&#58;//x www&#46;y");
  EXPECT_EQ(item_in_markdown("1. x"), "- &#8203;1. x\n");
  EXPECT_EQ(code_in_markdown("~A@b"), "<code>\\~A&#64;b</code>");
}

TEST(Escape, keeps_xml_valid) {
  EXPECT_EQ(in_xml("<a b=\"c\">&\x01\n\xff\xef\xbf\xbf"),
            "&lt;a b=&quot;c&quot;&gt;&amp;\n\xef\xbf\xbd");
}

TEST(Escape, writes_paths_as_uris) {
  EXPECT_EQ(path_in_uri("src/a b:c#d.cpp"), "src/a%20b%3Ac%23d.cpp");
}

} // namespace
} // namespace dragnet::report
