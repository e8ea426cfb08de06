#include "console/completion.h"

#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "base/text.h"
#include "sample_commands.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace dragnet::console {
namespace {

using Offers = std::set<std::string>;

/// A folder that holds a script, removed with the test.
class Completion : public testing::Test {
protected:
  void install(const std::string& script) { ASSERT_TRUE(write_file(path(), script)); }
  std::filesystem::path path() const { return folder_->path() / "script"; }
  std::filesystem::path folder() const { return folder_->path(); }

  Offers offers(const std::vector<std::string>& words) const {
    const auto result =
        run_command(words, {.folder = folder(), .environment = {"HOME=" + folder().string()}});
    if (!result || result->status != 0) {
      ADD_FAILURE() << (result ? result->errors : result.error().what);
      return {};
    }
    EXPECT_EQ(result->errors, "");
    const auto all = lines(trim(result->output));
    return {all.begin(), all.end()};
  }

private:
  Result<ScratchFolder> folder_ = ScratchFolder::make(std::filesystem::temp_directory_path());
};

class BashCompletion : public Completion {
protected:
  void SetUp() override {
    if (find_program("bash").empty())
      GTEST_SKIP() << "bash is not installed";
    install(bash_completion(sample_commands()));
  }

  /// What bash offers for the last word of a line, split into words as readline does.
  Offers after(std::vector<std::string> line) const {
    std::vector<std::string> words{"bash", "--norc", "-c", driver, "bash", path()};
    words.insert(words.end(), line.begin(), line.end());
    Offers found = offers(words);
    found.erase("");
    return found;
  }

private:
  static constexpr auto driver = R"(set -u
source "$1"; shift
dragnet() {
  [[ $* == *' __names benchmarks' ]] && printf '%s\n' insert 'sort all' suite::sum "in $2"
}
git() { [[ $3 == for-each-ref ]] && printf '%s\n' main topic/x; }
COMP_WORDS=(dragnet "$@"); COMP_CWORD=$#
compopt() { :; }
_dragnet
printf '%s\n' "${COMPREPLY[@]}")";
};

TEST_F(BashCompletion, offers_commands) {
  EXPECT_EQ(after({"com"}), (Offers{"compare", "completion"}));
  EXPECT_EQ(after({""}), (Offers{"run", "compare", "fail", "help", "completion"}));
  EXPECT_EQ(after({"-v", "-C", "x", "comp"}), (Offers{"compare", "completion"}));
  EXPECT_EQ(after({"help", "ru"}), (Offers{"run"}));
}

TEST_F(BashCompletion, offers_options_of_the_command_and_common_ones) {
  EXPECT_EQ(after({"compare", "--b"}), (Offers{"--benchmark", "--budget"}));
  EXPECT_EQ(after({"compare", "main", "--ve"}), (Offers{"--verbose"}));
  EXPECT_EQ(after({"--ver"}), (Offers{"--verbose", "--version"}));
  EXPECT_EQ(after({"help", "--b"}), Offers{});
}

TEST_F(BashCompletion, offers_choices_of_a_value) {
  EXPECT_EQ(after({"compare", "--format", ""}), (Offers{"text", "json", "csv"}));
  EXPECT_EQ(after({"compare", "-f", "j"}), (Offers{"json"}));
  EXPECT_EQ(after({"compare", "--format", "=", "j"}), (Offers{"json"}));
  EXPECT_EQ(after({"compare", "--format", "="}), (Offers{"text", "json", "csv"}));
  EXPECT_EQ(after({"--color", "a"}), (Offers{"auto", "always"}));
  EXPECT_EQ(after({"compare", "--metric", "wa"}), (Offers{"wall"}));
  EXPECT_EQ(after({"completion", "z"}), (Offers{"zsh"}));
}

TEST_F(BashCompletion, offers_commits_for_each_place_that_takes_one) {
  EXPECT_EQ(after({"compare", ""}), (Offers{"HEAD", "main", "topic/x"}));
  EXPECT_EQ(after({"compare", "--dry-run", "main", "t"}), (Offers{"topic/x"}));
  EXPECT_EQ(after({"compare", "main", "topic/x", ""}), Offers{});
  EXPECT_EQ(after({"compare", "--", "m"}), (Offers{"main"}));
}

TEST_F(BashCompletion, offers_benchmarks_quoted_and_after_colons) {
  EXPECT_EQ(after({"compare", "-b", "s"}), (Offers{"sort\\ all", "suite::sum"}));
  EXPECT_EQ(after({"compare", "-b", "suite", "::", "s"}), (Offers{"sum"}));
  EXPECT_EQ(after({"compare", "--benchmark", "=", "ins"}), (Offers{"insert"}));
  EXPECT_EQ(after({"-C", "there", "compare", "-b", "in\\ "}), Offers{});
  EXPECT_EQ(after({"-C", "there", "compare", "-b", "in"}), (Offers{"insert", "in\\ there"}));
}

TEST_F(BashCompletion, offers_files_and_folders) {
  EXPECT_EQ(after({"run", "scr"}), (Offers{"script"}));
  EXPECT_EQ(after({"-C", "scr"}), Offers{});
  std::filesystem::create_directory(folder() / "scripts");
  EXPECT_EQ(after({"-C", "scr"}), Offers{"scripts"});
  EXPECT_EQ(after({"run", "scr"}), (Offers{"script", "scripts"}));
}

TEST_F(BashCompletion, offers_nothing_for_a_free_value) {
  EXPECT_EQ(after({"compare", "--budget", ""}), Offers{});
  EXPECT_EQ(after({"nosuch", ""}), Offers{});
}

TEST_F(Completion, of_zsh_is_a_valid_script) {
  if (find_program("zsh").empty())
    GTEST_SKIP() << "zsh is not installed";
  install(zsh_completion(sample_commands()));
  EXPECT_EQ(offers({"zsh", "-n", path()}), Offers{});
}

TEST_F(Completion, of_zsh_escapes_what_has_a_meaning_there) {
  const std::string script = zsh_completion(sample_commands());
  EXPECT_NE(script.find("--metric=[what to compare \\[some\\]\\: it'\\''s one]:METRIC:(wall cpu"),
            std::string::npos);
}

class FishCompletion : public Completion {
protected:
  void SetUp() override {
    if (find_program("fish").empty())
      GTEST_SKIP() << "fish is not installed";
    install(fish_completion(sample_commands()));
  }

  /// What fish offers at the end of a line, without descriptions.
  Offers after(const std::string& line) const {
    Offers names;
    for (const auto& offer : offers({"fish", "--no-config", "-c", driver, path(), line}))
      names.insert(split(offer, '\t').front());
    names.erase("");
    return names;
  }

private:
  static constexpr auto driver = R"(source $argv[1]
function dragnet; printf '%s\n' insert 'sort all'; end
function git; printf '%s\n' main topic/x; end
complete -C $argv[2])";
};

TEST_F(FishCompletion, offers_commands_options_values_and_commits) {
  EXPECT_EQ(after("dragnet com"), (Offers{"compare", "completion"}));
  EXPECT_EQ(after("dragnet -C /tmp com"), (Offers{"compare", "completion"}));
  EXPECT_EQ(after("dragnet compare --b"), (Offers{"--benchmark", "--budget"}));
  EXPECT_EQ(after("dragnet compare --format "), (Offers{"text", "json", "csv"}));
  EXPECT_EQ(after("dragnet compare -b "), (Offers{"insert", "sort all"}));
  EXPECT_EQ(after("dragnet compare "), (Offers{"HEAD", "main", "topic/x"}));
}

} // namespace
} // namespace dragnet::console
