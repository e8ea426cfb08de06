// A small git repository in a folder of its own, made commit by commit, without the user's git
// configuration.
#pragma once

#include "base/files.h"
#include "base/process.h"
#include "base/text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace dragnet::fakes {

class GitHistory {
public:
  explicit GitHistory(std::filesystem::path root) : root_(std::move(root)) {
    std::filesystem::create_directories(root_);
    forget_surroundings();
    git({"init", "--quiet", "--initial-branch=main"});
  }

  const std::filesystem::path& root() const { return root_; }

  /// Runs git and returns what it printed, trimmed; a failure fails the test.
  std::string git(std::vector<std::string> words) const {
    words.insert(words.begin(), "git");
    const auto ended = run_command(words, {root_, environment()});
    if (!ended || ended->status != 0) {
      ADD_FAILURE() << join(words, " ") << ": " << (ended ? ended->errors : ended.error().what);
      return {};
    }
    return std::string(trim(ended->output));
  }

  void write(const std::string& file, std::string_view content) const {
    std::filesystem::create_directories((root_ / file).parent_path());
    EXPECT_TRUE(write_file(root_ / file, content).has_value());
  }

  /// Commits all files as they are now; returns the id.
  std::string commit(const std::string& subject) const {
    git({"add", "--all"});
    git({"commit", "--quiet", "--allow-empty", "--message", subject});
    return git({"rev-parse", "HEAD"});
  }

private:
  // Tests that are started by a hook of git must not write to the repository of that hook.
  static void forget_surroundings() {
    for (const auto* name :
         {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY",
          "GIT_COMMON_DIR", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"})
      ::unsetenv(name);
  }

  static std::vector<std::string> environment() {
    return {"GIT_CONFIG_GLOBAL=/dev/null",
            "GIT_CONFIG_NOSYSTEM=1",
            "GIT_AUTHOR_NAME=Ada",
            "GIT_AUTHOR_EMAIL=ada@example.org",
            "GIT_COMMITTER_NAME=Ada",
            "GIT_COMMITTER_EMAIL=ada@example.org",
            "GIT_COMMITTER_DATE=1700000000 +0000",
            "GIT_AUTHOR_DATE=1700000000 +0000"};
  }

  std::filesystem::path root_;
};

} // namespace dragnet::fakes
