#include "hunt/verification.h"

#include "analysis/blame/answer.h"
#include "hunt/change_parts.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::hunt {
namespace {

// Two functions that begin at lines 10 and 20 of file.c, with hunks that git shows together, a line
// before both, and a new file.
constexpr auto diff = "diff --git a/file.c b/file.c\n"
                      "index 1..2 100644\n"
                      "--- a/file.c\n"
                      "+++ b/file.c\n"
                      "@@ -2 +2 @@\n"
                      "-int before;\n"
                      "+int after;\n"
                      "@@ -12 +12,2 @@ int first(void)\n"
                      "-  return 1;\n"
                      "+  work();\n"
                      "+  return 2;\n"
                      "@@ -22 +23 @@ int second(void)\n"
                      "-  return 3;\n"
                      "+  return 4;\n"
                      "diff --git a/new.c b/new.c\n"
                      "new file mode 100644\n"
                      "index 0..3\n"
                      "--- /dev/null\n"
                      "+++ b/new.c\n"
                      "@@ -0,0 +1 @@\n"
                      "+int third(void) { return 5; }\n";

blame::Suspect suspect(const std::string& name, const std::string& file, std::size_t line,
                       const std::string& hunk) {
  blame::Suspect made;
  made.function = {"program", name};
  made.place = SourcePlace{file, line};
  made.hunk = hunk;
  return made;
}

TEST(Units, hold_what_belongs_to_a_function_and_what_does_not) {
  const auto parts = ChangeParts::parsed(diff);
  ASSERT_EQ(parts.parts().size(), 4U);
  const std::string both = "@@ -9,8 +9,9 @@\n@@ -19,7 +20,7 @@\n";
  std::vector<blame::Suspect> suspects{
      suspect("second", "file.c", 21, both), suspect("first", "file.c", 10, both),
      suspect("third", "new.c", 1, ""), suspect("far", "other.c", 12, both)};
  const auto units = divide(parts, suspects);
  ASSERT_EQ(units.size(), 4U);
  EXPECT_EQ(units[0].name, "elsewhere in file.c");
  EXPECT_EQ(units[0].parts, std::vector<std::size_t>{0});
  ASSERT_TRUE(suspects[0].unit && suspects[1].unit && suspects[2].unit);
  EXPECT_EQ(units[*suspects[0].unit].parts, std::vector<std::size_t>{2});
  EXPECT_EQ(units[*suspects[1].unit].parts, std::vector<std::size_t>{1});
  EXPECT_EQ(units[*suspects[2].unit].name, "new.c");
  EXPECT_FALSE(suspects[3].unit);
}

TEST(Units, of_functions_with_the_same_name_are_two) {
  const auto parts = ChangeParts::parsed(diff);
  std::vector<blame::Suspect> suspects{suspect("same", "file.c", 10, "@@ -9,8 +9,9 @@\n"),
                                       suspect("same", "file.c", 21, "@@ -19,7 +20,7 @@\n")};
  divide(parts, suspects);
  ASSERT_TRUE(suspects[0].unit && suspects[1].unit);
  EXPECT_NE(*suspects[0].unit, *suspects[1].unit);
}

} // namespace
} // namespace dragnet::hunt
