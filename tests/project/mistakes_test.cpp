// Every mistake in a configuration is told with its line, its column and what to do.
#include "project/project.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace dragnet::project {
namespace {

const std::string build = "[build]\ncommand = 'make'\n";
const std::string benchmark = "[[benchmark]]\nname = 'a'\ncommand = 'b'\n";

// A text, the whole message that it must give (without the file's name), and its hint.
struct Case {
  std::string name;
  std::string text;
  std::string what;
  std::string hint;
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.name;
}

class Mistake : public testing::TestWithParam<Case> {};

TEST_P(Mistake, is_told_with_its_place_and_a_hint) {
  const auto project = parse_project(GetParam().text, "dragnet.toml", "/tmp/x");
  ASSERT_FALSE(project) << GetParam().text;
  EXPECT_EQ(project.error().what, "dragnet.toml:" + GetParam().what);
  EXPECT_EQ(project.error().hint, GetParam().hint);
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

// In a benchmark, its lines begin at line 6.
std::string in_benchmark(const std::string& lines) {
  return build + benchmark + lines;
}

// In [measure], its lines begin at line 2.
std::string in_measure(const std::string& lines) {
  return "[measure]\n" + lines + build + benchmark;
}

std::string in_option(const std::string& lines) {
  return build + benchmark + "[[option]]\n" + lines;
}

INSTANTIATE_TEST_SUITE_P(
    InKeys, Mistake,
    testing::Values(Case{"unknown_key", in_benchmark("  comand = 'x'\n"),
                         "6:3: unknown key 'comand' in [[benchmark]]", "did you mean 'command'?"},
                    Case{"unknown_key_far", in_benchmark("zzzzzzzzzzzzzz = 1\n"),
                         "6:1: unknown key 'zzzzzzzzzzzzzz' in [[benchmark]]",
                         "known are: name, command, suite, metrics, smallest-effect, timeout, "
                         "cores, environment, inputs, prepare, start"},
                    Case{"unknown_key_measure", in_measure("warmup = 3\n"),
                         "2:1: unknown key 'warmup' in [measure]", "did you mean 'warm-up'?"},
                    Case{"unknown_key_build", build + "binary = ['x']\n" + benchmark,
                         "3:1: unknown key 'binary' in [build]", "did you mean 'binaries'?"},
                    Case{"unknown_section", build + benchmark + "[mesure]\n",
                         "6:2: unknown section 'mesure'", "did you mean 'measure'?"},
                    Case{"key_outside", "name = 'x'\n" + build + benchmark,
                         "1:1: unknown key 'name'", "keys stand in a section such as [build]"},
                    Case{"same_key_twice", in_measure("warm-up = 1\nwarm_up = 2\n"),
                         "3:1: 'warm-up' in [measure] is given twice, first in line 2",
                         "'_' and '-' mean the same in a key: keep one of the two"},
                    Case{"one_bracket", build + "[benchmark]\nname = 'a'\n",
                         "3:1: 'benchmark' must be a list of tables, but is a table",
                         "write [[benchmark]] on a line of its own, and below it its keys"},
                    Case{"two_brackets", "[[build]]\ncommand = 'x'\n" + benchmark,
                         "1:1: 'build' must be a table, but is a list",
                         "write [build] on a line of its own, and below it its keys"},
                    Case{"list_of_texts", "benchmark = ['a']\n" + build,
                         "1:13: 'benchmark' must be a list of tables, but is a list",
                         "write [[benchmark]] on a line of its own, and below it its keys"},
                    Case{"no_build", benchmark, " there is no section [build]",
                         "write how it is built, such as:\n[build]\ncommand = \"make -j2 && cp -a "
                         ". $DRAGNET_BUILD/\""},
                    Case{"no_benchmark", build, " there is no [[benchmark]]",
                         "write at least one, such as:\n[[benchmark]]\nname = \"insert\"\n"
                         "command = \"$DRAGNET_BUILD/program input.txt\""},
                    Case{"empty_benchmarks", "benchmark = []\n" + build,
                         " there is no [[benchmark]]",
                         "write at least one, such as:\n[[benchmark]]\nname = \"insert\"\n"
                         "command = \"$DRAGNET_BUILD/program input.txt\""}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    InValues, Mistake,
    testing::Values(
        Case{"no_build_command", "[build]\n" + benchmark, "1:1: [build] needs 'command'",
             "add a line such as: command = \"make -j2 && cp -a . $DRAGNET_BUILD/\""},
        Case{"no_command", build + "[[benchmark]]\nname = 'a'\n",
             "3:1: [[benchmark]] needs 'command'",
             "add a line such as: command = \"$DRAGNET_BUILD/program input.txt\""},
        Case{"no_name", build + "[[benchmark]]\ncommand = 'a'\n", "3:1: [[benchmark]] needs 'name'",
             "add a line such as: name = \"insert\""},
        Case{"no_name_in_suite",
             build + "[[benchmark]]\nsuite = 'google-benchmark'\ncommand = '$BENCH'\n",
             "3:1: [[benchmark]] needs 'name': none can be taken from its command",
             "add a line such as: name = \"micro\""},
        Case{"text_expected", "[build]\ncommand = 3\n" + benchmark,
             "2:11: 'command' in [build] must be a text, but is a whole number", ""},
        Case{"empty_text", "[build]\ncommand = ' '\n" + benchmark,
             "2:11: 'command' in [build] is empty", "write a value, or remove the line"},
        Case{"nul_in_text", "[build]\ncommand = \"a\\u0000b\"\n" + benchmark,
             "2:11: 'command' in [build] contains the character U+0000, which no command or file "
             "name can contain",
             ""},
        Case{"list_expected", build + "binaries = 'x'\n" + benchmark,
             "3:12: 'binaries' in [build] must be a list of texts, but is a text",
             "put it in brackets: binaries = [\"x\"]"},
        Case{"text_in_list_expected", build + "binaries = ['x', true]\n" + benchmark,
             "3:18: 'binaries' in [build] must be a text, but is a truth value", ""},
        Case{"twice_in_list", build + "binaries = ['x', 'x']\n" + benchmark,
             "3:18: 'binaries' in [build] has 'x' twice", "remove one of the two"},
        Case{"path_above", build + "binaries = ['../x']\n" + benchmark,
             "3:13: 'binaries' in [build] has '../x', which is not a file below $DRAGNET_BUILD",
             "write the path from $DRAGNET_BUILD, without a '/' in front"},
        Case{
            "absolute_input", in_benchmark("inputs = ['/etc/passwd']\n"),
            "6:11: 'inputs' in [[benchmark]] has '/etc/passwd', which is not a file below the root",
            "write the path from the root, without a '/' in front"},
        Case{"bad_timeout", build + "timeout = '30x'\n" + benchmark,
             "3:11: 'timeout' in [build] must be a duration of more than 0, but is \"30x\"",
             "write it like \"30s\", \"5m\", \"1h30m\" or \"250ms\""},
        Case{"zero_timeout", build + "timeout = '0s'\n" + benchmark,
             "3:11: 'timeout' in [build] must be a duration of more than 0, but is \"0s\"",
             "write it like \"30s\", \"5m\", \"1h30m\" or \"250ms\""},
        Case{"negative_timeout", build + "timeout = -1\n" + benchmark,
             "3:11: 'timeout' in [build] must be more than 0 seconds, and finite", ""},
        Case{"infinite_timeout", build + "timeout = inf\n" + benchmark,
             "3:11: 'timeout' in [build] must be more than 0 seconds, and finite", ""},
        Case{"timeout_of_wrong_type", build + "timeout = 07:32:00\n" + benchmark,
             "3:11: 'timeout' in [build] must be a duration such as \"5m\", but is a date or time",
             ""},
        Case{"cores_too_small", in_benchmark("cores = -1\n"),
             "6:9: 'cores' in [[benchmark]] is -1, but must be from 0 to 4096", ""},
        Case{"cores_not_whole", in_benchmark("cores = 1.5\n"),
             "6:9: 'cores' in [[benchmark]] must be a whole number, but is a number", ""},
        Case{"warm_up_too_large", in_measure("warm-up = 9223372036854775807\n"),
             "2:11: 'warm-up' in [measure] is 9223372036854775807, but must be from 0 to 1000",
             ""}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    InNames, Mistake,
    testing::Values(
        Case{"duplicate", build + benchmark + benchmark,
             "7:8: the benchmark 'a' is defined twice, first in line 4",
             "give one of them another name"},
        Case{"duplicate_of_a_suite",
             build + benchmark + "[[benchmark]]\nsuite = 'google-benchmark'\ncommand = 'x/a'\n",
             "6:1: the benchmark 'a' is defined twice, first in line 4",
             "give one of them another name"},
        Case{"slash", build + "[[benchmark]]\nname = 'a/b'\ncommand = 'b'\n",
             "4:8: 'name' in [[benchmark]] contains '/', which separates a suite from its case",
             "use letters, digits, '-', '_' and '.'"},
        Case{"dash", build + "[[benchmark]]\nname = '-a'\ncommand = 'b'\n",
             "4:8: 'name' in [[benchmark]] begins with '-', as only options do",
             "use letters, digits, '-', '_' and '.'"},
        Case{"control", build + "[[benchmark]]\nname = \"a\\tb\"\ncommand = 'b'\n",
             "4:8: 'name' in [[benchmark]] contains a control character",
             "use letters, digits, '-', '_' and '.'"},
        Case{"space", build + "[[benchmark]]\nname = 'a '\ncommand = 'b'\n",
             "4:8: 'name' in [[benchmark]] begins or ends with white space",
             "use letters, digits, '-', '_' and '.'"},
        Case{"empty", build + "[[benchmark]]\nname = ''\ncommand = 'b'\n",
             "4:8: 'name' in [[benchmark]] is empty", "write a value, or remove the line"},
        Case{"long_one",
             build + "[[benchmark]]\nname = '" + std::string(201, 'a') + "'\ncommand = 'b'\n",
             "4:8: 'name' in [[benchmark]] has more than 200 bytes",
             "use letters, digits, '-', '_' and '.'"},
        Case{"of_project", "[project]\nname = 'a/b'\n" + build + benchmark,
             "2:8: 'name' in [project] contains '/', which separates a suite from its case",
             "use letters, digits, '-', '_' and '.'"},
        Case{"of_variable", build + "environment = ['CC=gcc']\n" + benchmark,
             "3:16: 'environment' in [build] has 'CC=gcc', which is not the name of a variable",
             "write the name alone, without '=' and the value"},
        Case{"of_our_variable", in_benchmark("environment = { DRAGNET_BUILD = 'x' }\n"),
             "6:17: 'environment' in [[benchmark]] has 'DRAGNET_BUILD', but names with DRAGNET_ "
             "are set by Dragnet itself",
             ""},
        Case{"of_variable_in_benchmark", in_benchmark("environment = { '1' = 'x' }\n"),
             "6:17: 'environment' in [[benchmark]] has '1', which is not the name of a variable",
             ""},
        Case{"of_empty_variable", in_benchmark("environment = { '' = 'x' }\n"),
             "6:17: 'environment' in [[benchmark]] has '', which is not the name of a variable",
             ""},
        Case{"environment_is_a_list", in_benchmark("environment = ['X']\n"),
             "6:15: 'environment' in [[benchmark]] must be a table of texts, but is a list",
             "write it like: environment = { THREADS = \"4\" }"},
        Case{"environment_is_a_number", in_benchmark("environment = { X = 4 }\n"),
             "6:21: 'environment' in [[benchmark]] must be a table of texts, but is a whole number",
             "put the value in double quotes"}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    InMetrics, Mistake,
    testing::Values(
        Case{"unknown", in_benchmark("metrics = ['wall', 'instrctions']\n"),
             "6:20: 'metrics' in [[benchmark]] has the unknown metric 'instrctions'",
             "did you mean 'instructions'?"},
        Case{"none", in_benchmark("metrics = []\n"), "6:11: 'metrics' in [[benchmark]] is empty",
             "name at least one, such as \"wall\""},
        Case{"of_a_suite", in_benchmark("suite = 'google-benchmark'\nmetrics = ['memory']\n"),
             "7:12: 'metrics' in [[benchmark]] has 'memory', which cannot be measured for the "
             "cases of a suite",
             "a suite measures its cases itself: wall and cpu"},
        Case{"none_for_a_suite",
             in_measure("metrics = ['memory']\n") + "suite = 'google-benchmark'\n",
             "5:1: none of the metrics in [measure] can be measured for the cases of a suite",
             "add to this entry: metrics = [\"wall\"]"},
        Case{"unsupported_suite", in_benchmark("suite = 'nanobench'\n"),
             "6:9: 'suite' in [[benchmark]] is 'nanobench', which is not supported yet",
             "give each case its own [[benchmark]] with a command that runs only it"},
        Case{"unknown_suite", in_benchmark("suite = 'google-bench'\n"),
             "6:9: 'suite' in [[benchmark]] is the unknown kind 'google-bench'",
             "did you mean 'google-benchmark'?"},
        Case{"effect_zero", in_benchmark("smallest-effect = 0\n"),
             "6:19: 'smallest-effect' in [[benchmark]] must be more than 0 and less than 1", ""},
        Case{"effect_negative", in_benchmark("smallest-effect = '-2%'\n"),
             "6:19: 'smallest-effect' in [[benchmark]] must be more than 0 and less than 1", ""},
        Case{"effect_as_percent", in_benchmark("smallest-effect = 2\n"),
             "6:19: 'smallest-effect' in [[benchmark]] must be more than 0 and less than 1",
             "for 2 percent write \"2%\""},
        Case{"effect_not_a_number", in_benchmark("smallest-effect = nan\n"),
             "6:19: 'smallest-effect' in [[benchmark]] must be more than 0 and less than 1", ""},
        Case{"effect_without_percent", in_benchmark("smallest-effect = '0.02'\n"),
             "6:19: 'smallest-effect' in [[benchmark]] must be a share such as 0.02 or \"2%\", but "
             "is another text",
             ""},
        Case{"effect_of_wrong_type", in_benchmark("smallest-effect = [0.1]\n"),
             "6:19: 'smallest-effect' in [[benchmark]] must be a share such as 0.02 or \"2%\", but "
             "is a list",
             ""},
        Case{"effect_of_unknown_metric", in_benchmark("smallest-effect = { wal = 0.1 }\n"),
             "6:21: 'smallest-effect' in [[benchmark]] has the unknown metric 'wal'",
             "did you mean 'wall'?"}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    InOptions, Mistake,
    testing::Values(
        Case{"no_way", in_option("name = 'a'\n"),
             "6:1: [[option]] needs exactly one of 'flag', 'build', 'variable', 'line' and "
             "'choices', but "
             "has 0",
             "add a line such as: flag = \"--compress\""},
        Case{"two_ways", in_option("name = 'a'\nflag = 'x'\nbuild = 'y'\n"),
             "6:1: [[option]] needs exactly one of 'flag', 'build', 'variable', 'line' and "
             "'choices', but "
             "has 2",
             "add a line such as: flag = \"--compress\""},
        Case{"no_name", in_option("flag = 'x'\n"), "6:1: [[option]] needs 'name'",
             "add a line such as: name = \"compress\""},
        Case{"odd_name", in_option("name = 'a b'\nflag = 'x'\n"),
             "7:8: 'name' in [[option]] must be a letter or '_', followed by letters, digits, '_', "
             "'-' and '.'",
             "clauses use the name, so that it must be one word"},
        Case{"twice", in_option("name = 'a'\nflag = 'x'\n[[option]]\nname = 'a'\nflag = 'y'\n"),
             "10:8: the option 'a' is defined twice, first in line 7",
             "give one of them another name"},
        Case{"odd_variable", in_option("name = 'a'\nvariable = 'x y'\n"),
             "8:12: 'variable' in [[option]] has 'x y', which is not the name of a variable", ""},
        Case{"one_choice", in_option("name = 'a'\nflag = 'x'\nchoices = ['y']\n"),
             "9:11: 'choices' in [[option]] must have at least two values", ""},
        Case{"levels_not_numbers", in_option("name = 'a'\nflag = 'x'\nlevels = [1, 2, 'y']\n"),
             "9:17: 'levels' in [[option]] must be a list of numbers, but is a text", ""},
        Case{"levels_not_finite", in_option("name = 'a'\nflag = 'x'\nlevels = [1, 2, inf]\n"),
             "9:17: 'levels' in [[option]] must be finite", ""},
        Case{"levels_twice", in_option("name = 'a'\nflag = 'x'\nlevels = [1, 2, 1.0]\n"),
             "9:17: 'levels' in [[option]] has 1 twice", "remove one of the two"},
        Case{"levels_and_choices",
             in_option("name = 'a'\nflag = 'x'\nchoices = ['y', 'z']\nlevels = [1, 2]\n"),
             "10:1: 'levels' in [[option]] cannot stand beside 'choices'",
             "keep 'levels' for numbers, 'choices' for all else"},
        Case{"clauses_not_texts", build + benchmark + "[constraints]\nclauses = 3\n",
             "7:11: 'clauses' in [constraints] must be a list of texts, but is a whole number", ""},
        Case{"no_genes", build + benchmark + "[provoke]\ncommand = 'x'\n",
             "6:1: [provoke] needs 'genes'",
             "add a line such as: genes = \"bench/statements.sql\""},
        Case{"genes_elsewhere", build + benchmark + "[provoke]\ncommand = 'x'\ngenes = '../g'\n",
             "8:9: 'genes' in [provoke] has '../g', which is not a file below the root",
             "write the path from the root, without a '/' in front"},
        Case{"feed_by_mail",
             build + benchmark + "[provoke]\ncommand = 'x'\ngenes = 'g'\nfeed = 'mail'\n",
             "9:8: 'feed' in [provoke] is not a way to give inputs",
             "write \"input\", \"file\", \"arguments\" or \"http\""},
        Case{"users_of_no_server",
             build + benchmark + "[provoke]\ncommand = 'x'\ngenes = 'g'\nusers = 3\n",
             "9:9: 'users' in [provoke] is for servers", "write feed = \"http\" too"},
        Case{"ready_without_slash",
             build + benchmark +
                 "[provoke]\ncommand = 'x'\ngenes = 'g'\nfeed = 'http'\nready = 'health'\n",
             "10:9: 'ready' in [provoke] is not a path of the server",
             "write ready = \"/health\""}),
    case_name);

std::string deep_key() {
  std::string key = "a";
  for (int i = 0; i < 200000; ++i)
    key += " .a";
  return key + " = 1\n";
}

INSTANTIATE_TEST_SUITE_P(
    InSyntax, Mistake,
    testing::Values(
        Case{"bare_word", "[build]\ncommand = make\n",
             "2:11: not TOML: value: could not determine value type",
             "text stands in double quotes"},
        Case{"open_text", "[build]\ncommand = \"make\n",
             "2:16: not TOML: string: unescaped control characters other than TAB (U+0009) are "
             "explicitly prohibited",
             "a text in quotes ends on its line; a longer one stands in three double quotes"},
        Case{"twice", "[build]\ncommand = 'a'\ncommand = 'b'\n",
             "3:11: not TOML: key-value pair: cannot redefine existing string 'command'",
             "each key and each section may occur once"},
        Case{"one_bracket_later", build + benchmark + "[benchmark]\nname = 'x'\n",
             "6:1: not TOML: table header: cannot redefine existing array 'benchmark' as table",
             "a section that may occur several times stands in two brackets each time: "
             "[[benchmark]]"},
        Case{"latin_1", "[build]\ncommand = 'm\xC3\xA4ke \xE9'\n",
             "2:17: the byte 0xE9 is not UTF-8", "save the file in the encoding UTF-8"},
        Case{"utf_16", std::string("\xFF\xFE[\0b\0", 6), "1:1: the byte 0xFF is not UTF-8",
             "save the file in the encoding UTF-8"},
        Case{"half_a_surrogate", "# \xED\xA0\x80\n", "1:3: the byte 0xED is not UTF-8",
             "save the file in the encoding UTF-8"},
        Case{
            "odd_section", "[[[benchmark]]\n",
            "1:3: not TOML: key: expected bare key starting character or string delimiter, saw '['",
            ""},
        Case{"odd_list", "a = [[ }\n", "1:8: not TOML: value: could not determine value type",
             "text stands in double quotes"},
        Case{"letter_outside_of_text", "# \xC3\xA4\n[build]\ncommand = '\xC3\xA4' \xC3\xA4\n",
             "3:15: not TOML: key-value pair: expected a comment or whitespace, saw '\xC3\xA4'",
             ""},
        Case{"letter_after_a_quote_in_a_word", "r=0'\xC3\xA4'\n",
             "1:4: not TOML: decimal integer: expected digit, saw '''", ""},
        Case{"letter_for_private_use", "r='\xF3\xB0\x83\xA4'\n",
             "1:4: a letter for private use, beyond U+F0000", ""},
        Case{"letters_in_a_key", in_benchmark("'\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80' = 1\n"),
             "6:1: unknown key '\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80' in [[benchmark]]",
             "known are: name, command, suite, metrics, smallest-effect, timeout, cores, "
             "environment, inputs, prepare, start"},
        Case{"deep_key", deep_key(), "1:27: a key of more than 9 parts", ""},
        Case{"too_large", std::string(1048577, ' '),
             " the file has 1048577 bytes; more than 1048576 are not read", ""}),
    case_name);

TEST(Mistakes, of_a_deep_list_are_refused) {
  const auto project = parse_project("a = " + std::string(100000, '['), "dragnet.toml", "/tmp/x");
  ASSERT_FALSE(project);
  EXPECT_TRUE(project.error().what.starts_with("dragnet.toml:1:")) << project.error().what;
}

TEST(Mistakes, are_told_together_in_the_order_of_the_file) {
  const auto project =
      parse_project("[project]\nnam = 'x'\n[[benchmark]]\nname = 'a'\ncommand = 3\n"
                    "[measure]\nwarm-up = 'x'\n",
                    "dragnet.toml", "/tmp/x");
  ASSERT_FALSE(project);
  EXPECT_EQ(project.error().what,
            "dragnet.toml:2:1: unknown key 'nam' in [project] (did you mean 'name'?)\n"
            "dragnet.toml:5:11: 'command' in [[benchmark]] must be a text, but is a whole number\n"
            "dragnet.toml:7:11: 'warm-up' in [measure] must be a whole number, but is a text\n"
            "dragnet.toml: there is no section [build]");
  EXPECT_EQ(project.error().hint, "");
}

TEST(Mistakes, beyond_twenty_are_only_counted) {
  std::string text = build + benchmark;
  for (int i = 0; i < 25; ++i)
    text += "key" + std::to_string(i) + " = 1\n";
  const auto project = parse_project(text, "dragnet.toml", "/tmp/x");
  ASSERT_FALSE(project);
  EXPECT_TRUE(project.error().what.ends_with("\nand 5 more")) << project.error().what;
}

} // namespace
} // namespace dragnet::project
