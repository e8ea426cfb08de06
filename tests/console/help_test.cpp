#include "console/help.h"

#include "base/text.h"
#include "console/describe.h"
#include "console/frame_commands.h"
#include "console/terminal.h"
#include "sample_commands.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace dragnet::console {
namespace {

void expect_contains(std::string_view text, std::string_view part) {
  EXPECT_NE(text.find(part), std::string_view::npos) << part << "\nis not in\n" << text;
}

TEST(Help, begins_with_the_usage_and_the_summary) {
  EXPECT_TRUE(
      help_text(sample_compare_command(), 80)
          .starts_with("Usage: dragnet compare [OPTIONS] BASE [NEW]\n"
                       "\n"
                       "Tell whether a commit got slower.\n"
                       "\n"
                       "Measures both commits in pairs, interleaved, and decides as soon as "
                       "the numbers\nallow it. Mühlbauer wrote C:\\temp, too.\n"));
}

TEST(Help, explains_arguments_and_options_in_one_column) {
  expect_contains(help_text(sample_compare_command(), 80),
                  "Arguments:\n"
                  "  BASE                   the commit to compare with\n"
                  "  NEW                    the commit in question\n"
                  "\n"
                  "Options:\n"
                  "  -b, --benchmark NAME   measure only this benchmark (may be repeated)\n"
                  "      --budget DURATION  how long it may take (default: 10m)\n");
}

TEST(Help, tells_choices_and_the_default) {
  expect_contains(help_text(sample_compare_command(), 80),
                  "  -f, --format FORMAT    how to answer: text, json, csv (default: text)\n");
}

TEST(Help, ends_with_examples_and_exit_statuses) {
  EXPECT_TRUE(help_text(sample_compare_command(), 80)
                  .ends_with("Examples:\n"
                             "  dragnet compare main\n"
                             "      is HEAD slower than main?\n"
                             "\n"
                             "Exit status:\n"
                             "  0  nothing regressed\n"
                             "  1  something regressed\n"));
}

TEST(Help, keeps_indented_lines_as_they_are) {
  expect_contains(help_text(sample_compare_command(), 80),
                  "\n\n    dragnet compare literal\n      --deeper\n\nThe end.\n");
}

TEST(Help, shows_the_usual_exit_statuses_of_a_command_without_its_own) {
  expect_contains(help_text(help_command(), 80), "Exit status:\n  0  it is done\n  2  trouble");
}

TEST(Help, shows_how_often_an_argument_may_stand) {
  EXPECT_EQ(usage_of(sample_commands().front()), "dragnet run FILE... COMMIT");
  EXPECT_EQ(usage_of(help_command()), "dragnet help [COMMAND]");
}

TEST(Help, fits_the_width) {
  for (const std::size_t width : {50U, 80U, 100U})
    for (const auto& command : sample_commands())
      for (const auto& line : lines(help_text(command, width)))
        EXPECT_TRUE(shown_width(line) <= width || line.starts_with("  dragnet ")) << line;
}

TEST(Overview, lists_commands_in_their_groups_in_order) {
  expect_contains(overview_text(sample_commands(), 80),
                  "Measure:\n"
                  "  run                measure benchmarks\n"
                  "  fail               fail\n"
                  "\n"
                  "Judge:\n"
                  "  compare            tell whether a commit got slower\n"
                  "\n"
                  "Other:\n"
                  "  help               explain a command\n");
}

TEST(Overview, hides_hidden_commands) {
  EXPECT_EQ(overview_text(sample_commands(), 80).find("interrupted"), std::string::npos);
}

TEST(Filled, counts_characters_and_not_bytes) {
  EXPECT_EQ(filled("ääää öööö", 9, 0), "ääää öööö\n");
  EXPECT_EQ(filled("ääää öööö", 8, 0), "ääää\nöööö\n");
  EXPECT_EQ(filled("a b\n\n\nc", 80, 2), "  a b\n\n  c\n");
  EXPECT_EQ(filled("", 80, 2), "");
}

} // namespace
} // namespace dragnet::console
