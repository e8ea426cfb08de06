#include "facts/library_file.h"

#include "model/source.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::facts {
namespace {

TEST(LibraryFile, reads_back_what_was_written) {
  const LibraryCosts costs{{"operator new", 40.5}, {"std::map::operator[]", 120}};
  const auto read = parse_library(to_text(costs));
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(*read, costs);
}

TEST(LibraryFile, names_the_line_that_is_wrong) {
  for (const char* text : {"a\t1\nb\n", "a\t1\nb\tmany\n", "a\t1\nb\t-1\n", "a\t1\nb\tnan\n"}) {
    const auto read = parse_library(text);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().what.find("line 2"), std::string::npos);
  }
}

} // namespace
} // namespace dragnet::facts
