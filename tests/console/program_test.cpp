#include "console/program.h"

#include "base/ensure.h"
#include "base/files.h"
#include "sample_commands.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace dragnet::console {
namespace {

struct Ended {
  int status = 0;
  std::string output;
  std::string errors;
};

int status_of(std::vector<std::string> words) {
  const auto commands = sample_commands();
  words.insert(words.begin(), "dragnet");
  std::vector<char*> pointers;
  pointers.reserve(words.size());
  for (auto& word : words)
    pointers.push_back(word.data());
  return program(pointers, commands);
}

Ended run(const std::vector<std::string>& words) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = status_of(words);
  return {.status = status,
          .output = testing::internal::GetCapturedStdout(),
          .errors = testing::internal::GetCapturedStderr()};
}

/// Standard output led elsewhere until the end of the test.
class Redirected {
public:
  explicit Redirected(int target) : kept_(::dup(STDOUT_FILENO)) {
    ensure(kept_ >= 0 && target >= 0, "files can be opened");
    (void)std::fflush(stdout);
    ::dup2(target, STDOUT_FILENO);
    ::close(target);
  }
  ~Redirected() {
    std::clearerr(stdout);
    ensure(kept_ >= 0, "it was opened");
    ::dup2(kept_, STDOUT_FILENO);
    ::close(kept_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;
  Redirected(Redirected&&) = delete;
  Redirected& operator=(Redirected&&) = delete;

private:
  int kept_;
};

TEST(Program, gives_the_status_of_the_command) {
  const auto ended = run({"compare", "main"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(ended.output.starts_with("compared with main in ")) << ended.output;
  EXPECT_EQ(ended.errors, "");
  EXPECT_EQ(run({"compare", "main", "--dry-run"}).status, 0);
}

TEST(Program, prints_an_error_with_its_hint_and_ends_with_2) {
  const auto ended = run({"fail"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.output, "");
  EXPECT_EQ(ended.errors, "dragnet: warning: the machine is busy\n"
                          "dragnet: cannot build 3f2a1c: make exited with 1\n"
                          "hint: see: build.log\n");
}

TEST(Program, ends_with_2_on_wrong_usage) {
  const auto ended = run({"compare", "--budgte"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.output, "");
  EXPECT_EQ(ended.errors, "dragnet: compare: unknown option '--budgte'\n"
                          "hint: did you mean '--budget'? see: dragnet compare --help\n");
}

TEST(Program, shows_the_overview_and_calls_it_a_success_only_if_it_was_asked_for) {
  const auto asked = run({"--help"});
  const auto alone = run({});
  EXPECT_EQ(asked.status, 0);
  EXPECT_EQ(alone.status, 2);
  EXPECT_EQ(asked.output, alone.output);
  EXPECT_TRUE(asked.output.starts_with("Usage: dragnet "));
  EXPECT_EQ(run({"help"}).output, asked.output);
}

TEST(Program, shows_the_same_help_in_both_ways) {
  const auto ended = run({"help", "compare"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.output, run({"compare", "--help"}).output);
  EXPECT_EQ(run({"help", "comapre"}).errors,
            "dragnet: help: unknown command 'comapre'\n"
            "hint: did you mean 'compare'? see: dragnet help --help\n");
}

TEST(Program, tells_its_version) {
  EXPECT_TRUE(run({"--version"}).output.starts_with("dragnet "));
}

TEST(Program, works_in_the_folder_that_it_is_given) {
  const auto before = std::filesystem::current_path();
  const auto folder = ScratchFolder::make(std::filesystem::temp_directory_path());
  ASSERT_TRUE(folder);
  std::filesystem::create_directory(folder->path() / "inner");
  EXPECT_EQ(run({"-C", folder->path(), "-C", "inner", "compare", "x"}).output,
            "compared with x in inner\n");
  std::filesystem::current_path(before);
  const auto missing = run({"-C", "/no/such/folder", "compare", "x"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_EQ(missing.errors,
            "dragnet: cannot work in '/no/such/folder': No such file or directory\n");
}

TEST(Program, notices_that_its_answer_could_not_be_written) {
  testing::internal::CaptureStderr();
  int status = 0;
  {
    const Redirected full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
    status = status_of({"compare", "main"});
  }
  EXPECT_EQ(status, 2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "dragnet: cannot write to standard output: No space left on device\n");
}

TEST(Program, ends_silently_when_nobody_reads_its_answer) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  // NOLINTNEXTLINE(misc-include-cleaner): <csignal> is the public home of SIGPIPE
  auto* const before = std::signal(SIGPIPE, SIG_IGN);
  testing::internal::CaptureStderr();
  int status = 0;
  {
    const Redirected broken(ends[1]);
    status = status_of({"compare", "main"});
  }
  (void)std::signal(SIGPIPE, before);
  EXPECT_EQ(status, 141);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ProgramDeathTest, ends_with_130_after_an_interrupt) {
  EXPECT_EXIT(::_exit(status_of({"stop"})), testing::ExitedWithCode(130), "dragnet: interrupted");
}

TEST(Program, writes_all_manual_pages_into_a_folder) {
  const auto folder = ScratchFolder::make(std::filesystem::temp_directory_path());
  ASSERT_TRUE(folder);
  EXPECT_EQ(run({"manual", "--into", folder->path() / "man"}).status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder->path() / "man" / "dragnet.1"));
  EXPECT_TRUE(std::filesystem::exists(folder->path() / "man" / "dragnet-compare.1"));
  EXPECT_FALSE(std::filesystem::exists(folder->path() / "man" / "dragnet-stop.1"));
  EXPECT_EQ(run({"manual", "--into", folder->path() / "md", "--format", "markdown"}).status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder->path() / "md" / "compare.md"));
}

TEST(Program, prints_the_page_that_was_asked_for) {
  EXPECT_TRUE(run({"manual", "compare"}).output.starts_with(".TH \"DRAGNET\\-COMPARE\""));
  EXPECT_TRUE(run({"manual", "--format=markdown"}).output.starts_with("# dragnet: "));
  EXPECT_NE(run({"completion", "bash"}).output.find("complete -F _dragnet dragnet"),
            std::string::npos);
}

} // namespace
} // namespace dragnet::console
