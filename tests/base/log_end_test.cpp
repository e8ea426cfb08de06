#include "base/log_end.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet {
namespace {

std::string numbered(int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i)
    text += "step " + std::to_string(i) + "\n";
  return text;
}

TEST(LogEnd, IsTheWholeOfAShortLog) {
  EXPECT_EQ(log_end("one\ntwo\n\n"), "\n  | one\n  | two");
  EXPECT_EQ(log_end(" \n"), "");
}

TEST(LogEnd, IsTheLastLines) {
  EXPECT_EQ(log_end(numbered(1, 30), 2), "\n  | step 29\n  | step 30");
}

TEST(LogEnd, BeginsWithTheFirstErrorFurtherAbove) {
  const std::string log = numbered(1, 9) +
                          "a.c:7:1: error: no type\n  int x\n  ^\na.c:9:1: error: none\n" +
                          numbered(10, 40);
  EXPECT_EQ(log_end(log, 5),
            "\n  | a.c:7:1: error: no type\n  |   int x\n  |   ^\n  | a.c:9:1: error: none\n  | ..."
            "\n  | step 40");
}

TEST(LogEnd, ShowsAnErrorNearTheEndWhereItStands) {
  EXPECT_EQ(log_end(numbered(1, 9) + "a.c:7:1: error: no type\nmake: failed\n", 3),
            "\n  | step 9\n  | a.c:7:1: error: no type\n  | make: failed");
}

} // namespace
} // namespace dragnet
