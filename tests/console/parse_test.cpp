#include "console/parse.h"

#include "console/command.h"
#include "sample_commands.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::console {
namespace {

using Texts = std::vector<std::string>;

const std::vector<Command>& commands() {
  static const std::vector<Command> all = sample_commands();
  return all;
}

CommandLine parsed(const Texts& words) {
  auto line = parse(words, commands());
  if (line)
    return *line;
  ADD_FAILURE() << line.error().what;
  return {};
}

Error refused(const Texts& words) {
  auto line = parse(words, commands());
  if (!line)
    return line.error();
  ADD_FAILURE() << "was accepted";
  return {};
}

TEST(Parse, takes_a_value_in_each_of_its_forms) {
  for (const Texts& form :
       {Texts{"--runs", "5"}, Texts{"--runs=5"}, Texts{"-n5"}, Texts{"-n", "5"}}) {
    Texts words{"compare", "main"};
    words.insert(words.end(), form.begin(), form.end());
    EXPECT_EQ(parsed(words).words.value("runs"), "5") << form.front();
  }
}

TEST(Parse, tells_a_given_value_from_a_default) {
  const auto line = parsed({"compare", "main", "--budget", "5m"});
  EXPECT_TRUE(line.words.has("budget"));
  EXPECT_FALSE(line.words.has("runs"));
  EXPECT_EQ(line.words.value("runs"), "30");
  EXPECT_EQ(line.words.value("threshold"), "");
  EXPECT_EQ(line.words.value("colour"), "auto");
}

TEST(Parse, collects_repeated_options_and_keeps_their_commas) {
  const auto line = parsed({"compare", "-b", "a,b", "main", "--benchmark=c", "-bd"});
  EXPECT_EQ(line.words.values("benchmark"), (Texts{"a,b", "c", "d"}));
}

TEST(Parse, lets_the_last_of_two_values_count) {
  EXPECT_EQ(parsed({"compare", "main", "-n1", "-n2"}).words.value("runs"), "2");
}

TEST(Parse, accepts_an_empty_value_after_an_equals_sign) {
  EXPECT_EQ(parsed({"compare", "main", "--budget="}).words.value("budget"), "");
}

TEST(Parse, accepts_negative_numbers_and_dashes_as_values) {
  EXPECT_EQ(parsed({"compare", "main", "--threshold", "-0.5"}).words.value("threshold"), "-0.5");
  EXPECT_EQ(parsed({"compare", "main", "--threshold", "-.5"}).words.value("threshold"), "-.5");
  EXPECT_EQ(parsed({"compare", "-b", "-", "main"}).words.value("benchmark"), "-");
  EXPECT_EQ(parsed({"compare", "-b=--x", "main"}).words.value("benchmark"), "=--x");
  EXPECT_EQ(parsed({"compare", "--benchmark=--x", "main"}).words.value("benchmark"), "--x");
}

TEST(Parse, takes_flags_in_one_word) {
  const auto line = parsed({"compare", "-vdn5", "main"});
  EXPECT_TRUE(line.words.has("verbose"));
  EXPECT_TRUE(line.words.has("dry-run"));
  EXPECT_EQ(line.words.value("runs"), "5");
}

TEST(Parse, takes_common_options_on_both_sides_of_the_command) {
  EXPECT_TRUE(parsed({"-v", "compare", "main"}).words.has("verbose"));
  EXPECT_TRUE(parsed({"compare", "main", "--verbose"}).words.has("verbose"));
  const auto line = parsed({"-C", "a", "--color=never", "compare", "-C", "b", "main"});
  EXPECT_EQ(line.words.values("C"), (Texts{"a", "b"}));
  EXPECT_EQ(line.words.value("colour"), "never");
}

TEST(Parse, ends_options_at_two_dashes) {
  const auto line = parsed({"compare", "--", "--budget", "-v"});
  EXPECT_EQ(line.words.argument("BASE"), "--budget");
  EXPECT_EQ(line.words.argument("NEW"), "-v");
  EXPECT_FALSE(line.words.has("verbose"));
}

TEST(Parse, deals_words_to_arguments_by_what_each_needs) {
  const auto line = parsed({"run", "a", "b", "main"});
  EXPECT_EQ(line.words.arguments("FILE"), (Texts{"a", "b"}));
  EXPECT_EQ(line.words.argument("COMMIT"), "main");
  EXPECT_EQ(parsed({"compare", "main"}).words.argument("NEW", "HEAD"), "HEAD");
}

TEST(Parse, sees_requests_for_help_and_version) {
  EXPECT_EQ(parsed({"--help"}).request, Request::Help);
  EXPECT_EQ(parsed({"--help"}).command, nullptr);
  EXPECT_EQ(parsed({"compare", "-h"}).request, Request::Help);
  EXPECT_EQ(parsed({"-h", "compare"}).command, find_command(commands(), "compare"));
  EXPECT_EQ(parsed({"--version"}).request, Request::Version);
  EXPECT_EQ(parsed({"--version", "compare"}).request, Request::Version);
  EXPECT_EQ(parsed({}).command, nullptr);
}

TEST(Parse, suggests_the_command_that_was_probably_meant) {
  const auto error = refused({"comapre"});
  EXPECT_EQ(error.what, "unknown command 'comapre'");
  EXPECT_EQ(error.hint, "did you mean 'compare'? see: dragnet --help");
  EXPECT_EQ(refused({"xyzzy"}).hint, "see: dragnet --help");
}

TEST(Parse, suggests_no_hidden_command) {
  EXPECT_EQ(refused({"stpo"}).hint.find("'stop'"), std::string::npos);
}

TEST(Parse, suggests_the_option_that_was_probably_meant) {
  const auto error = refused({"compare", "main", "--budgte", "5m"});
  EXPECT_EQ(error.what, "compare: unknown option '--budgte'");
  EXPECT_EQ(error.hint, "did you mean '--budget'? see: dragnet compare --help");
  EXPECT_EQ(refused({"compare", "--budgte=5m"}).what, "compare: unknown option '--budgte'");
  EXPECT_EQ(refused({"--verbos", "compare"}).hint, "did you mean '--verbose'? see: dragnet --help");
  EXPECT_EQ(refused({"compare", "--=x"}).what, "compare: unknown option '--'");
}

TEST(Parse, refuses_unknown_letters) {
  EXPECT_EQ(refused({"compare", "-dq"}).what, "compare: unknown option '-q'");
  EXPECT_EQ(refused({"-q"}).what, "unknown option '-q'");
}

TEST(Parse, tells_that_options_of_a_command_stand_after_it) {
  EXPECT_EQ(refused({"--budget", "5m", "compare"}).hint,
            "options of a command stand after it; see: dragnet --help");
}

TEST(Parse, refuses_a_version_after_a_command) {
  EXPECT_EQ(refused({"compare", "--version"}).what, "compare: unknown option '--version'");
}

TEST(Parse, misses_a_value) {
  EXPECT_EQ(refused({"compare", "main", "--budget"}).what,
            "compare: option '--budget' needs a value: DURATION");
  EXPECT_EQ(refused({"compare", "main", "-n"}).what,
            "compare: option '--runs' needs a value: COUNT");
  EXPECT_EQ(refused({"compare", "--budget", "--dry-run"}).what,
            "compare: option '--budget' needs a value: DURATION");
  EXPECT_EQ(refused({"compare", "--budget", "--"}).what,
            "compare: option '--budget' needs a value: DURATION");
  EXPECT_EQ(refused({"-C"}).what, "option '-C' needs a value: FOLDER");
  EXPECT_EQ(
      refused({"compare", "-b", "-x"}).hint,
      "a value that begins with a dash is written --benchmark=-x; see: dragnet compare --help");
}

TEST(Parse, refuses_a_value_for_a_flag) {
  EXPECT_EQ(refused({"compare", "--dry-run=yes"}).what,
            "compare: option '--dry-run' takes no value");
}

TEST(Parse, refuses_what_is_not_among_the_choices) {
  const auto error = refused({"compare", "main", "--format", "xml"});
  EXPECT_EQ(error.what, "compare: option '--format' cannot be 'xml'");
  EXPECT_EQ(error.hint, "choose one of: text, json, csv; see: dragnet compare --help");
  EXPECT_EQ(refused({"--colour", "yes", "compare"}).what, "option '--colour' cannot be 'yes'");
  EXPECT_EQ(refused({"completion", "tcsh"}).what, "completion: SHELL cannot be 'tcsh'");
}

TEST(Parse, counts_arguments) {
  EXPECT_EQ(refused({"compare"}).what, "compare: argument BASE is missing");
  EXPECT_EQ(refused({"run", "a"}).what, "run: argument COMMIT is missing");
  EXPECT_EQ(refused({"compare", "a", "b", "c"}).what, "compare: one argument too many: 'c'");
  EXPECT_EQ(refused({"fail", "x"}).what, "fail: it takes no arguments, but got 'x'");
}

TEST(Words, reads_whole_numbers) {
  EXPECT_EQ(*parsed({"compare", "main", "-n5"}).words.number("runs"), 5);
  EXPECT_EQ(*parsed({"compare", "main"}).words.number("runs"), 30);
}

TEST(Words, refuses_what_is_no_whole_number_within_the_bounds) {
  for (const std::string wrong : {"ten", "5x", "", "-1", "1.5", "99999999999999999999"}) {
    const auto number = parsed({"compare", "main", "--runs=" + wrong}).words.number("runs", 1);
    EXPECT_EQ(number.error().what,
              "compare: option '--runs' needs a whole number, 1 or more, not '" + wrong + "'");
  }
  const auto bounded = parsed({"compare", "main", "--runs=11"}).words.number("runs", 1, 10);
  EXPECT_EQ(bounded.error().what,
            "compare: option '--runs' needs a whole number from 1 to 10, not '11'");
}

TEST(Words, reads_durations) {
  EXPECT_EQ(parsed({"compare", "main"}).words.duration("budget")->count(), 600);
  const auto wrong = parsed({"compare", "main", "--budget", "soon"}).words.duration("budget");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().what, "compare: option '--budget' needs a duration, not 'soon'");
  EXPECT_EQ(wrong.error().hint,
            "write it like 30s, 5m, 1h30m or 250ms; see: dragnet compare --help");
}

TEST(Words, reads_shares_with_and_without_a_percent_sign) {
  EXPECT_DOUBLE_EQ(*parsed({"compare", "main", "--threshold=5%"}).words.share("threshold"), 0.05);
  EXPECT_DOUBLE_EQ(*parsed({"compare", "main", "--threshold=0.05"}).words.share("threshold"), 0.05);
  for (const std::string wrong : {"", "%", "5", "-1%", "nan", "101%", "x"})
    EXPECT_FALSE(parsed({"compare", "main", "--threshold=" + wrong}).words.share("threshold"));
}

TEST(WordsDeathTest, breaks_on_a_name_that_the_command_lacks) {
  const auto line = parsed({"compare", "main"});
  EXPECT_DEATH((void)line.words.has("budgte"), "describes");
  EXPECT_DEATH((void)line.words.arguments("OLD"), "describes");
}

} // namespace
} // namespace dragnet::console
