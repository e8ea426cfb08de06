#include "base/process.h"

#include "base/files.h"
#include "base/text.h"
#include "fakes/child_process.h"
#include "fakes/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace dragnet {
namespace {

Result<CommandOutput> shell(const std::string& script, const CommandSurroundings& in = {}) {
  return run_command({"sh", "-c", script}, in);
}

std::string printed(const std::string& script, const CommandSurroundings& in = {}) {
  const auto ended = shell(script, in);
  return ended ? ended->output : "Error: " + ended.error().what;
}

TEST(RunCommand, tells_the_exit_status) {
  EXPECT_EQ(shell("exit 0")->status, 0);
  EXPECT_EQ(shell("exit 77")->status, 77);
}

TEST(RunCommand, tells_a_signal_as_a_shell_does) {
  EXPECT_EQ(shell("kill -9 $$")->status, 137);
  EXPECT_EQ(shell("kill -SEGV $$")->status, 139);
}

TEST(RunCommand, keeps_the_two_streams_apart) {
  const auto ended = shell("echo out; echo err >&2");
  EXPECT_EQ(ended->output, "out\n");
  EXPECT_EQ(ended->errors, "err\n");
}

TEST(RunCommand, does_not_hang_on_much_output_on_both_streams) {
  const auto ended =
      shell("head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2; head -c 1000000 /dev/zero");
  EXPECT_EQ(ended->output.size(), 4'000'000U);
  EXPECT_EQ(ended->errors.size(), 2'000'000U);
}

TEST(RunCommand, goes_on_when_a_stream_is_closed_early) {
  EXPECT_EQ(shell("exec >&-; echo err >&2; exit 3")->status, 3);
}

TEST(RunCommand, gives_nothing_to_read) {
  EXPECT_EQ(printed("cat; echo end"), "end\n");
}

TEST(RunCommand, takes_words_as_they_are) {
  EXPECT_EQ(run_command({"printf", "%s|", "a b", "$HOME", "*", ""})->output, "a b|$HOME|*||");
}

TEST(RunCommand, runs_in_its_folder) {
  const fakes::TemporaryFolder folder;
  EXPECT_EQ(printed("pwd -P", {folder.path(), {}}), folder.path().string() + "\n");
}

TEST(RunCommand, adds_variables_to_ours) {
  const fakes::Variable ours("DRAGNET_TEST_OURS", "1");
  EXPECT_EQ(printed("echo $DRAGNET_TEST_OURS$DRAGNET_TEST_MORE", {{}, {"DRAGNET_TEST_MORE=2"}}),
            "12\n");
}

TEST(RunCommand, replaces_a_variable_of_ours) {
  const fakes::Variable ours("DRAGNET_TEST_OURS", "old");
  const CommandSurroundings in{{}, {"DRAGNET_TEST_OURS=new"}};
  EXPECT_EQ(printed("echo $DRAGNET_TEST_OURS", in), "new\n");
  EXPECT_EQ(printed("env | grep -c ^DRAGNET_TEST_OURS=", in), "1\n");
  EXPECT_EQ(run_command({"env"}, in)->output.find("DRAGNET_TEST_OURS=old"), std::string::npos);
}

TEST(RunCommand, of_a_missing_program_is_an_error_with_a_hint) {
  const auto ended = run_command({"no-such-program-of-ours"});
  ASSERT_FALSE(ended);
  EXPECT_TRUE(ended.error().what.contains("no-such-program-of-ours"));
  EXPECT_TRUE(ended.error().hint.contains("install"));
}

TEST(RunCommand, in_a_missing_folder_is_an_error) {
  EXPECT_FALSE(shell("true", {"/nowhere/at/all", {}})) << "it cannot be started there";
}

TEST(RunCommand, of_a_folder_is_an_error) {
  EXPECT_FALSE(run_command({"/usr"})) << "it cannot be started";
}

TEST(RunCommand, leaves_no_descriptor_open) {
  const auto before = fakes::entry_count("/proc/self/fd");
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(shell("true"));
  EXPECT_EQ(fakes::entry_count("/proc/self/fd"), before);
}

TEST(FindProgram, looks_through_the_path_in_order) {
  const fakes::TemporaryFolder folder;
  ASSERT_TRUE(make_folder(folder / "a"));
  ASSERT_TRUE(make_folder(folder / "b"));
  for (const auto* name : {"a/tool", "b/tool"}) {
    ASSERT_TRUE(write_file(folder / name, "#!/bin/sh\n"));
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  }
  const fakes::Variable path("PATH",
                             ((folder / "b").string() + ":" + (folder / "a").string()).c_str());
  EXPECT_EQ(find_program("tool"), folder / "b/tool");
  EXPECT_EQ(find_program("no-such-program-of-ours"), "");
}

TEST(FindProgram, takes_no_folder_for_a_program) {
  const fakes::TemporaryFolder folder;
  ASSERT_TRUE(make_folder(folder / "tool"));
  const fakes::Variable path("PATH", folder.path().c_str());
  EXPECT_EQ(find_program("tool"), "");
}

TEST(HelperProgram, lies_beside_ours) {
  const auto found = helper_program("dragnet-starter");
  ASSERT_TRUE(found) << found.error().what;
  EXPECT_TRUE(std::filesystem::exists(*found));
}

TEST(HelperProgram, that_is_missing_is_named_with_a_hint) {
  const auto found = helper_program("dragnet-nothing");
  ASSERT_FALSE(found);
  EXPECT_TRUE(found.error().what.contains("dragnet-nothing"));
  EXPECT_FALSE(found.error().hint.empty());
}

} // namespace
} // namespace dragnet
