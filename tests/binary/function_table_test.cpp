#include "binary/function_table.h"
#include "binary/workshop.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::binary {
namespace {

using Names = std::vector<std::string>;

const std::string program = R"(
#include <stdio.h>
#include <string.h>
static const int table[] = {3, 1, 4, 1, 5, 9, 2, 6};
static int counter;
__attribute__((noinline)) int helper(int x) { return x * 3 + 1; }
__attribute__((noinline)) int sum(int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += table[i & 7] ^ helper(i);
  return s;
}
__attribute__((noinline)) const char* word(int x) {
  switch (x) {
  case 0: return "none"; case 1: return "one"; case 2: return "two"; case 3: return "few";
  case 4: return "some"; case 5: return "many"; case 6: puts("odd"); return "odd"; default: return "all";
  }
}
__attribute__((noinline)) double scale(double x) { counter++; return x * 2.5 + 0.1; }
int main(int count, char** words) { printf("%d %s %g\n", sum(count), word(count), scale(count)); return counter; }
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

class FunctionTables : public Workshop {
protected:
  Names changes_of(const std::string& source, const Names& flags = {"-O2"}) {
    compiled("old", program, flags);
    compiled("new", source, flags);
    return changes("old", "new");
  }
};

TEST_F(FunctionTables, know_name_size_and_number_of_instructions) {
  compiled("old", program);
  const auto read = table("old");
  const Function& helper = function(read, "helper");
  EXPECT_GE(helper.instructions, 2U);
  EXPECT_LE(helper.instructions, 4U);
  EXPECT_LT(helper.size, 16U);
}

TEST_F(FunctionTables, are_equal_for_the_same_source) {
  EXPECT_EQ(changes_of(program), Names{});
}

TEST_F(FunctionTables, do_not_see_comments_line_numbers_and_debug_information) {
  compiled("old", program);
  compiled("new", "// a comment\n\n\n" + program, {"-O2", "-g"});
  EXPECT_EQ(changes("old", "new"), Names{});
}

TEST_F(FunctionTables, see_a_changed_constant_in_code) {
  EXPECT_EQ(changes_of(with(program, "x * 3 + 1", "x * 3 + 2")), Names{"changed helper"});
}

TEST_F(FunctionTables, see_a_changed_table_in_its_readers) {
  EXPECT_EQ(changes_of(with(program, "{3, 1, 4", "{3, 1, 7")), Names{"changed sum"});
}

TEST_F(FunctionTables, see_a_changed_floating_point_constant) {
  EXPECT_EQ(changes_of(with(program, "2.5", "2.75")), Names{"changed scale"});
}

TEST_F(FunctionTables, see_a_changed_text) {
  EXPECT_EQ(changes_of(with(program, "\"odd\"); return", "\"ood\"); return")),
            Names{"changed word"});
}

TEST_F(FunctionTables, see_exchanged_cases_of_a_jump_table) {
  const std::string source =
      with(with(program, "case 2: return", "case 9: return"), "case 3: return", "case 2: return");
  EXPECT_EQ(changes_of(with(source, "case 9: return", "case 3: return")), Names{"changed word"});
}

TEST_F(FunctionTables, see_another_callee) {
  const std::string more = "__attribute__((noinline)) int other(int x) { return x - 7; }\n";
  const std::string both = with(program, "__attribute__((noinline)) int sum",
                                more + "__attribute__((noinline)) int sum");
  compiled("old", both);
  compiled("new", with(both, "^ helper(i)", "^ other(i)"));
  EXPECT_EQ(changes("old", "new"), Names{"changed sum"});
}

TEST_F(FunctionTables, do_not_see_what_only_moved) {
  const std::string filler =
      "__attribute__((noinline)) int filler(int x) { char b[99]; "
      "return sprintf(b, \"%d of %d\", x, x * x); }\nstatic const char pad[77] = \"pad\";\n"
      "const char* padding(int i) { return pad + i; }\n";
  EXPECT_EQ(changes_of(with(program, "static int counter;",
                            "static int more[9]; int* a_more(void) { return more; }\n"
                            "static int counter;\n" +
                                filler)),
            (Names{"new a_more", "new filler", "new padding"}));
}

TEST_F(FunctionTables, hold_for_a_program_that_is_linked_for_one_place) {
  for (const Names& flags : {Names{"-O2", "-no-pie"}, Names{"-O2", "-static"}}) {
    EXPECT_EQ(changes_of(program, flags), Names{});
    EXPECT_EQ(changes_of(with(program, "{3, 1, 4", "{3, 1, 7"), flags), Names{"changed sum"});
    EXPECT_EQ(changes_of("const char first[999] = \"moved\";" + program, flags), Names{});
  }
}

TEST_F(FunctionTables, tell_local_functions_of_the_same_name_apart_by_their_source) {
  write("a.c", "static __attribute__((noinline)) int step(int x) { return x + 1; } int a(int x) { "
               "return step(x) * 2; }");
  write("b.c", "static __attribute__((noinline)) int step(int x) { return x ^ 5; } int b(int x) { "
               "return step(x) * 3; }");
  run({"gcc", "-O1", "-shared", "-fPIC", "a.c", "b.c", "-o", "both"});
  const auto read = table("both");
  EXPECT_NE(function(read, "step@a.c").code_hash, function(read, "step@b.c").code_hash);
}

TEST_F(FunctionTables, find_the_functions_of_a_stripped_program_by_its_unwind_tables) {
  compiled("old", program, {"-O2", "-s"});
  compiled("new", with(program, "x * 3 + 1", "x * 3 + 2"), {"-O2", "-s"});
  EXPECT_GE(table("old").functions.size(), 5U);
  EXPECT_EQ(changes("old", "old"), Names{});
  EXPECT_GE(changes("old", "new").size(), 1U);
}

TEST_F(FunctionTables, take_names_from_a_separate_debug_file) {
  compiled("old", program, {"-O2", "-g", "-Wl,--build-id"});
  run({"objcopy", "--only-keep-debug", "old", "old.debug"});
  run({"strip", "old"});
  run({"objcopy", "--add-gnu-debuglink=old.debug", "old"});
  EXPECT_GT(function(table("old"), "helper").instructions, 0U);
}

TEST_F(FunctionTables, do_not_believe_a_debug_file_of_another_build) {
  compiled("other", with(program, "x * 3 + 1", "x"), {"-O2", "-g", "-Wl,--build-id"});
  run({"objcopy", "--only-keep-debug", "other", "old.debug"});
  compiled("old", program, {"-O2", "-g", "-Wl,--build-id"});
  run({"objcopy", "--strip-all", "--add-gnu-debuglink=old.debug", "old"});
  for (const Function& function : table("old").functions)
    EXPECT_NE(function.name, "helper");
}

TEST_F(FunctionTables, read_packed_relocations) {
  const std::string source =
      program + "const char* const names[] = {\"a\", \"b\", \"c\"};\n"
                "__attribute__((noinline)) const char* name(int i) { return names[i]; }\n";
  const Names flags{"-O2", "-Wl,-z,pack-relative-relocs"};
  compiled("old", source, flags);
  compiled("new", with(source, "\"b\", \"c\"", "\"b\", \"d\""), flags);
  EXPECT_EQ(changes("old", "new"), Names{"changed name"});
}

TEST_F(FunctionTables, refuse_what_is_no_program) {
  write("text", "#!/bin/sh\n");
  write("empty", "");
  write("object.c", "int x;");
  run({"gcc", "-c", "object.c"});
  for (const char* name : {"text", "empty", "object.o", "missing", "."})
    EXPECT_FALSE(read_functions(path(name), name)) << name;
}

TEST_F(FunctionTables, survive_a_program_that_is_cut_off_anywhere) {
  compiled("old", program);
  const auto whole = read_file(path("old"));
  ASSERT_TRUE(whole);
  int refused = 0;
  for (std::size_t size = 0; size < whole->size(); size += 97) {
    write("cut", whole->substr(0, size));
    if (!read_functions(path("cut"), "cut"))
      ++refused;
  }
  EXPECT_GT(refused, 0);
}

} // namespace
} // namespace dragnet::binary
