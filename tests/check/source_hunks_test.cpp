#include "check/source_hunks.h"

#include "fakes/git_history.h"
#include "fakes/temporary_folder.h"
#include "history/repository.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::check {
namespace {

TEST(ParseHunks, reads_where_each_begins) {
  const auto hunks = parse_hunks("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3 +3,2 @@ int f()\n-a\n"
                                 "+b\n+c\n@@ -10,4 +11,0 @@\n-d\n");
  ASSERT_EQ(hunks.size(), 2U);
  EXPECT_EQ(hunks[0].old_first, 3U);
  EXPECT_EQ(hunks[0].old_count, 1U);
  EXPECT_EQ(hunks[0].new_count, 2U);
  EXPECT_EQ(hunks[0].text, "@@ -3 +3,2 @@ int f()\n-a\n+b\n+c\n");
  EXPECT_EQ(hunks[1].old_count, 4U);
  EXPECT_EQ(hunks[1].new_first, 11U);
  EXPECT_EQ(hunks[1].new_count, 0U);
  EXPECT_TRUE(parse_hunks("no diff at all\n").empty());
}

std::string function(const std::string& name, const std::string& line) {
  return "int " + name + "(int x)\n{\n\tx += 1;\n\tx += 2;\n\tx += 3;\n\tx += 4;\n\tx += 5;\n\t" +
         line + "\n\treturn x;\n}\n\n";
}

// Functions of eleven lines: the first from line 1, the second from 12, the third from 23 on.
TEST(SourceHunks, are_those_of_the_function_around_a_line) {
  const fakes::TemporaryFolder folder;
  fakes::GitHistory history(folder / "project");
  history.write("a.c", function("first", "x *= 2;") + function("second", "x *= 2;") +
                           function("third", "x *= 2;"));
  const std::string base = history.commit("One");
  history.write("a.c", function("first", "x *= 2;") + function("second", "x *= 7;") +
                           function("third", "x *= 9;"));
  const std::string commit = history.commit("Two");
  const auto repository = history::Repository::open(history.root());
  ASSERT_TRUE(repository);
  SourceHunks source(*repository, *repository->commit(base), *repository->commit(commit));
  EXPECT_EQ(source.at({"a.c", 3}, DiffSide::New), "");
  const std::string second = source.at({"a.c", 14}, DiffSide::New);
  EXPECT_NE(second.find("+\tx *= 7;"), std::string::npos) << second;
  const std::string third = source.at({"a.c", 31}, DiffSide::Old);
  EXPECT_NE(third.find("+\tx *= 9;"), std::string::npos) << third;
  EXPECT_EQ(source.at({"/usr/include/stdio.h", 14}, DiffSide::New), "");
  EXPECT_EQ(source.at({"gone.c", 14}, DiffSide::New), "");
}

} // namespace
} // namespace dragnet::check
