#include "console/manual.h"

#include "base/files.h"
#include "base/process.h"
#include "console/describe.h"
#include "sample_commands.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::console {
namespace {

void expect_contains(std::string_view text, std::string_view part) {
  EXPECT_NE(text.find(part), std::string_view::npos) << part << "\nis not in\n" << text;
}

std::vector<Page> pages() {
  std::vector<Page> all{overview(sample_commands())};
  for (const auto& command : sample_commands())
    all.push_back(page_of(command));
  return all;
}

TEST(Manual, has_pages_that_mandoc_accepts) {
  if (find_program("mandoc").empty())
    GTEST_SKIP() << "mandoc is not installed";
  const auto folder = ScratchFolder::make(std::filesystem::temp_directory_path());
  ASSERT_TRUE(folder);
  std::vector<std::string> words{"mandoc", "-Tlint", "-Wwarning"};
  for (const auto& page : pages()) {
    words.push_back(folder->path() / roff_file(page.command));
    EXPECT_TRUE(write_file(words.back(), roff(page)));
  }
  const auto lint = run_command(words);
  EXPECT_EQ(lint ? lint->output + lint->errors : lint.error().what, "");
}

TEST(Manual, shows_special_characters_as_they_were_written) {
  if (find_program("mandoc").empty())
    GTEST_SKIP() << "mandoc is not installed";
  const auto folder = ScratchFolder::make(std::filesystem::temp_directory_path());
  ASSERT_TRUE(folder);
  const auto path = folder->path() / "page.1";
  ASSERT_TRUE(write_file(path, roff(page_of(sample_compare_command()))));
  const auto shown = run_command({"mandoc", "-Tutf8", path});
  ASSERT_TRUE(shown);
  expect_contains(shown->output, "Mühlbauer wrote C:\\temp, too.");
  expect_contains(shown->output, "\n       .dots may begin a line.\n");
  expect_contains(shown->output, "             --deeper\n");
}

TEST(Manual, tells_what_is_typed_from_what_stands_for_something) {
  const std::string page = roff(page_of(sample_compare_command()));
  expect_contains(page, R"(.TH "DRAGNET\-COMPARE" "1")");
  expect_contains(page,
                  "\\fBdragnet\\fR \\fBcompare\\fR [\\fIOPTIONS\\fR] \\fIBASE\\fR [\\fINEW\\fR]\n");
  expect_contains(page, "\\fB\\-b\\fR, \\fB\\-\\-benchmark\\fR \\fINAME\\fR\n");
  expect_contains(page, ".TP\n\\fB1\\fR\nsomething regressed\n");
}

TEST(Manual, names_all_commands_on_the_page_of_the_program) {
  const std::string page = roff(overview(sample_commands()));
  expect_contains(page, ".TP\n\\fBcompare\\fR\ntell whether a commit got slower\n");
  expect_contains(page, R"(\fBdragnet\-compare\fR(1))");
  EXPECT_EQ(page.find("stop"), std::string::npos);
}

TEST(Markdown, has_the_same_sections) {
  const std::string page = markdown(page_of(sample_compare_command()));
  EXPECT_TRUE(page.starts_with("# dragnet compare: tell whether a commit got slower\n\n"
                               "```\ndragnet compare [OPTIONS] BASE [NEW]\n```\n"));
  expect_contains(page, "- `--budget DURATION`: how long it may take (default: 10m)\n");
  expect_contains(page, "```\ndragnet compare literal\n  --deeper\n```\n");
  expect_contains(page, "wrote C:\\\\temp");
  expect_contains(page, "what to compare \\[some]: it's one");
  expect_contains(page, "```sh\ndragnet compare main\n```\n\nIs HEAD slower than main?\n");
  EXPECT_TRUE(page.ends_with("## See also\n\n[dragnet](dragnet.md)\n"));
}

} // namespace
} // namespace dragnet::console
