#include "history/patched.h"

#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "base/text.h"
#include "history/repository.h"
#include "model/commit.h"

#include <filesystem>
#include <fmt/core.h>
#include <string>
#include <vector>

namespace dragnet::history {
namespace {

// Our own index, author and time: the user's stay as they are, and the commit is always the same.
CommandSurroundings surroundings(const Repository& repository, const Commit& base,
                                 const std::filesystem::path& scratch) {
  const std::string date = fmt::format("{} +0000", base.time);
  return {repository.root(),
          {"LC_ALL=C", "GIT_TERMINAL_PROMPT=0",
           fmt::format("GIT_INDEX_FILE={}", (scratch / "index").string()),
           "GIT_AUTHOR_NAME=Dragnet", "GIT_AUTHOR_EMAIL=", "GIT_COMMITTER_NAME=Dragnet",
           "GIT_COMMITTER_EMAIL=", "GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date},
          {"GIT_DIR", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX",
           "GIT_NAMESPACE", "GIT_ALTERNATE_OBJECT_DIRECTORIES"}};
}

Result<std::string> git(std::vector<std::string> words, const CommandSurroundings& in) {
  words.insert(words.begin(), "git");
  const auto ended = TRY(run_command(words, in));
  if (ended.status != 0)
    return Error{fmt::format("git {} failed: {}", words[1], trim(ended.errors)), {}};
  return std::string(trim(ended.output));
}

} // namespace

Result<Commit> patched(const Repository& repository, const Commit& base, const std::string& patch,
                       const std::filesystem::path& scratch) {
  const auto in = surroundings(repository, base, scratch);
  const auto file = scratch / "patch";
  TRY(write_file(file, patch));
  TRY(git({"read-tree", base.id.text}, in));
  if (!patch.empty())
    TRY(git({"apply", "--cached", "--unidiff-zero", "--whitespace=nowarn", file.string()}, in));
  const auto tree = TRY(git({"write-tree"}, in));
  const auto id = TRY(git({"commit-tree", tree, "-p", base.id.text, "-m",
                           fmt::format("{}, with a part of a change", base.id.brief())},
                          in));
  return repository.commit(id);
}

} // namespace dragnet::history
