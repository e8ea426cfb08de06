#include "project/space.h"

#include "fakes/temporary_folder.h"
#include "model/configuration.h"
#include "project/clauses.h"
#include "project/project.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

namespace dragnet::project {
namespace {

const std::string begin = "[build]\ncommand = \"make\"\n[[benchmark]]\nname = \"b\"\ncommand = "
                          "\"$DRAGNET_BUILD/program run\"\n";

Project project_of(const std::string& rest) {
  auto project = parse_project(begin + rest, "dragnet.toml", "/nowhere");
  EXPECT_TRUE(project) << (project ? "" : project.error().what);
  return project ? *project : Project{};
}

std::string boolean(const std::string& name) {
  return "[[option]]\nname = \"" + name + "\"\nflag = \"--" + name + "\"\n";
}

Vocabulary letters() {
  Vocabulary vocabulary;
  vocabulary.bits = {{"a", 0}, {"b", 1}, {"c", 2}, {"level=1", 3}, {"level=8", 4}};
  vocabulary.values["level"] = {{"1", 1.0, 3}, {"8", 8.0, 4}};
  return vocabulary;
}

// The assignments of a, b and c (one of both levels is on) that obey a clause, as digits.
std::string obeying(const std::string& text, bool high_level = false) {
  const auto clauses = parse_clause(text, letters());
  if (!clauses)
    return "error: " + clauses.error().what;
  std::string all;
  for (int number = 0; number < 8; ++number) {
    Configuration one(5);
    for (std::size_t bit = 0; bit < 3; ++bit)
      one.set(bit, (number >> bit & 1) != 0);
    one.set(high_level ? 4 : 3, true);
    bool obeys = true;
    for (const Clause& clause : *clauses)
      obeys = obeys && holds(clause, one);
    all += obeys ? std::to_string(number) : "";
  }
  return all;
}

TEST(Clauses, mean_what_people_read) {
  EXPECT_EQ(obeying("a"), "1357");
  EXPECT_EQ(obeying("not a"), "0246");
  EXPECT_EQ(obeying("a implies b"), "023467");
  EXPECT_EQ(obeying("a => b => c"), "0124567");
  EXPECT_EQ(obeying("a iff b"), "0347");
  EXPECT_EQ(obeying("a or b and c"), "13567");
  EXPECT_EQ(obeying("(a or b) and c"), "567");
  EXPECT_EQ(obeying("!(a && b) || c"), "0124567");
}

TEST(Clauses, count_options) {
  EXPECT_EQ(obeying("a + b + c == 1"), "124");
  EXPECT_EQ(obeying("a + b + c <= 1"), "0124");
  EXPECT_EQ(obeying("a + b + c >= 2"), "3567");
  EXPECT_EQ(obeying("a + b + c != 1"), "03567");
  EXPECT_EQ(obeying("a + b + c < 1"), "0");
  EXPECT_EQ(obeying("a + b + c > 2"), "7");
  EXPECT_EQ(obeying("a + b < 0"), "");
  EXPECT_EQ(obeying("a implies b + c == 0"), "01246");
}

TEST(Clauses, choose_one_of_many_at_once) {
  Vocabulary vocabulary;
  std::string sum;
  for (std::size_t option = 0; option < 60; ++option) {
    const std::string name = "o" + std::to_string(option);
    vocabulary.bits[name] = option;
    sum += (sum.empty() ? "" : " + ") + name;
  }
  const auto clauses = parse_clause(sum + " == 1", vocabulary);
  ASSERT_TRUE(clauses);
  EXPECT_EQ(clauses->size(), 1 + (60 * 59 / 2));
  EXPECT_FALSE(parse_clause(sum + " == 30", vocabulary));
}

TEST(Clauses, compare_levels) {
  EXPECT_EQ(obeying("level >= 4 implies a", false), "01234567");
  EXPECT_EQ(obeying("level >= 4 implies a", true), "1357");
  EXPECT_EQ(obeying("level=8 implies a", true), "1357");
  EXPECT_EQ(obeying("level == 8 implies a", true), "1357");
  EXPECT_EQ(obeying("level != 8 or a", true), "1357");
}

TEST(Clauses, say_what_is_wrong_with_them) {
  EXPECT_EQ(obeying("a implies d"), "error: there is no option 'd'");
  EXPECT_EQ(obeying("level"), "error: the option 'level' has several values");
  EXPECT_EQ(obeying("a implies"), "error: it ends where an option is expected");
  EXPECT_EQ(obeying("(a or b"), "error: a ')' is missing");
  EXPECT_EQ(obeying("a b"), "error: 'b' stands where the clause should end");
  EXPECT_EQ(obeying("a + b"), "error: a sum of options needs a number to compare it with");
  EXPECT_EQ(obeying("a + b == 3"), "error: '3' is not a number from 0 to 2");
  EXPECT_EQ(obeying("a; b"), "error: it has a letter that means nothing in a clause");
  EXPECT_EQ(obeying(""), "error: it ends where an option is expected");
  EXPECT_EQ(obeying(std::string(300, '(')), "error: it is nested too deeply");
  std::string doubling = "a";
  for (int times = 0; times < 100; ++times)
    doubling += " iff b";
  EXPECT_EQ(obeying(doubling), "error: it stands for too many simple clauses");
}

TEST(Dimacs, names_its_variables_in_comments) {
  const auto clauses = parse_dimacs("c 1 a\nc 2 b\np cnf 2 2\n-1 2 0\n1\n2 0\n", letters());
  ASSERT_TRUE(clauses) << clauses.error().what;
  ASSERT_EQ(clauses->size(), 2U);
  EXPECT_EQ(clauses->front().literals, (std::vector<Literal>{{0, false}, {1, true}}));
  EXPECT_EQ(clauses->front().text, "line 4 of the DIMACS file: not a or b");
  EXPECT_EQ(clauses->back().literals, (std::vector<Literal>{{0, true}, {1, true}}));
}

TEST(Dimacs, leaves_out_what_is_fixed_and_no_option) {
  const auto clauses = parse_dimacs(
      "c 1 root\nc 2 a\nc 3 core\np cnf 3 3\n1 0\n-1 3 0\n-1 2 0\n-3 -2 0\n", letters());
  ASSERT_TRUE(clauses) << clauses.error().what;
  ASSERT_EQ(clauses->size(), 2U);
  EXPECT_EQ(clauses->front().literals, (std::vector<Literal>{{0, true}}));
  EXPECT_EQ(clauses->back().literals, (std::vector<Literal>{{0, false}}));
}

TEST(Dimacs, says_what_is_wrong) {
  const auto unknown = parse_dimacs("c 1 a\nc 2 other\n1 2 0\n", letters());
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().what, "line 3: 'other' is not an option");
  EXPECT_EQ(parse_dimacs("1 x 0\n", letters()).error().what,
            "line 1: 'x' is not the number of a variable");
  EXPECT_EQ(parse_dimacs("c 1 a\n1\n", letters()).error().what,
            "line 2: the last clause does not end with 0");
}

TEST(OptionSpace, has_a_bit_for_each_option_and_each_value) {
  const Project project = project_of(
      boolean("compress") +
      "[[option]]\nname = \"index\"\nchoices = [\"--index=hash\", \"--index=sorted\"]\n" +
      "[[option]]\nname = \"cache\"\nvariable = \"CACHE\"\nlevels = [0, 64]\n" +
      "[constraints]\nclauses = [\"compress implies cache >= 64\"]\n");
  const auto options = option_space(project);
  ASSERT_TRUE(options) << options.error().what;
  EXPECT_EQ(
      options->space.options,
      (std::vector<std::string>{"compress", "index=hash", "index=sorted", "cache=0", "cache=64"}));
  ASSERT_EQ(options->space.groups.size(), 2U);
  EXPECT_EQ(options->space.groups[1].levels, (std::vector<double>{0, 64}));
  ASSERT_EQ(options->space.clauses.size(), 1U);
  EXPECT_EQ(options->space.clauses[0].literals, (std::vector<Literal>{{0, false}, {4, true}}));
}

TEST(OptionSpace, names_the_line_of_a_bad_clause) {
  const auto options = option_space(
      project_of(boolean("compress") + "[constraints]\nclauses = [\"compres implies a\"]\n"));
  ASSERT_FALSE(options);
  EXPECT_TRUE(options.error().what.contains("dragnet.toml:10: the clause 'compres implies a'"))
      << options.error().what;
  EXPECT_TRUE(options.error().hint.contains("compress")) << options.error().hint;
}

TEST(OptionSpace, needs_options) {
  const auto options = option_space(project_of(""));
  ASSERT_FALSE(options);
  EXPECT_TRUE(options.error().what.contains("has no options")) << options.error().what;
}

TEST(OptionSpace, reads_a_file_of_constraints) {
  const fakes::TemporaryFolder folder;
  Project project =
      project_of(boolean("x") + boolean("y") + "[constraints]\ndimacs = \"model.dimacs\"\n");
  project.root = folder.path();
  EXPECT_FALSE(option_space(project));
  std::ofstream(folder.path() / "model.dimacs") << "c 1 x\nc 2 y\np cnf 2 1\n-1 -2 0\n";
  const auto options = option_space(project);
  ASSERT_TRUE(options) << options.error().what;
  EXPECT_EQ(options->space.clauses.size(), 1U);
}

Variant variant(const Project& project, const std::vector<std::size_t>& on) {
  const auto options = option_space(project);
  EXPECT_TRUE(options);
  Configuration configuration(options->space.options.size());
  for (const std::size_t bit : on)
    configuration.set(bit, true);
  return variant_of(project, *options, project.benchmarks.front(), configuration);
}

TEST(Variant, puts_each_option_where_it_belongs) {
  const Project project =
      project_of(boolean("fast") + "[[option]]\nname = \"lto\"\nbuild = \"-DLTO=ON\"\n" +
                 "[[option]]\nname = \"threads\"\nvariable = \"THREADS\"\nlevels = [1, 8]\n" +
                 "[[option]]\nname = \"sync\"\nline = \"sync on\"\nfile = \"p.conf\"\n" +
                 "[[option]]\nname = \"size\"\nflag = \"--size {} bytes\"\nlevels = [16, 32]\n");
  const Variant made = variant(project, {0, 1, 3, 4, 6});
  EXPECT_EQ(made.build_command, "DRAGNET_OPTIONS='-DLTO=ON'\nmake");
  EXPECT_EQ(made.benchmark.command, "$DRAGNET_BUILD/program run --fast --size 32 bytes");
  EXPECT_EQ(made.benchmark.environment.at("THREADS"), "8");
  EXPECT_TRUE(
      made.benchmark.prepare.contains("printf '%s\\n' 'sync on' >\"$DRAGNET_TMP\"/'p.conf'"))
      << made.benchmark.prepare;
  EXPECT_EQ(made.benchmark.name, "b (fast, lto, threads=8, sync, size=32)");
}

TEST(Variant, without_additions_is_the_benchmark_itself) {
  const Project project = project_of(boolean("fast"));
  const Variant made = variant(project, {});
  EXPECT_EQ(made.build_command, "make");
  EXPECT_EQ(made.benchmark.name, "b");
  EXPECT_EQ(made.benchmark.command, project.benchmarks.front().command);
}

TEST(Variant, puts_flags_where_the_command_wants_them) {
  Project project = project_of(boolean("fast"));
  project.benchmarks.front().command = "$DRAGNET_BUILD/program $DRAGNET_OPTIONS | wc";
  EXPECT_EQ(variant(project, {0}).benchmark.command, "$DRAGNET_BUILD/program --fast | wc");
  EXPECT_EQ(variant(project, {}).benchmark.command, "$DRAGNET_BUILD/program  | wc");
}

TEST(Variant, leaves_alone_what_the_command_says_itself) {
  Project project = project_of(
      boolean("fast") +
      "[[option]]\nname = \"index\"\nchoices = [\"--index=hash\", \"--index=hashes\"]\n");
  project.benchmarks.front().command = "$DRAGNET_BUILD/program --fast --index=hash run";
  const auto options = option_space(project);
  ASSERT_TRUE(options);
  const auto clauses = written_in_command(project, *options, project.benchmarks.front());
  ASSERT_EQ(clauses.size(), 2U);
  EXPECT_EQ(clauses[0].literals, (std::vector<Literal>{{0, true}}));
  EXPECT_EQ(clauses[0].text, "--fast in the command of 'b'");
  EXPECT_EQ(clauses[1].literals, (std::vector<Literal>{{1, true}}));
  EXPECT_EQ(variant(project, {0, 1}).benchmark.command, project.benchmarks.front().command);
  EXPECT_EQ(variant(project, {0, 1}).benchmark.name, "b");
}

} // namespace
} // namespace dragnet::project
