#include "history/repository.h"

#include "base/process.h"
#include "base/result.h"
#include "base/text.h"
#include "model/commit.h"

#include <cstdint>
#include <filesystem>
#include <fmt/core.h>

#include <charconv>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::history {
namespace {

// git tells its mistakes in the user's language and obeys many variables: fixed here so that
// answers can be read.
std::vector<std::string> git_environment() {
  return {"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0"};
}

// Inside a hook git points its children to one repository and index: ours must find the folder's
// own.
std::vector<std::string> hook_variables() {
  return {"GIT_DIR",        "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY",
          "GIT_COMMON_DIR", "GIT_PREFIX",     "GIT_NAMESPACE", "GIT_ALTERNATE_OBJECT_DIRECTORIES"};
}

std::string first_line(std::string_view text) {
  const auto all = lines(text);
  return all.empty() ? std::string{} : std::string(trim(all.front()));
}

std::string without_prefix(std::string text) {
  for (const std::string_view prefix : {"fatal: ", "error: "})
    if (text.starts_with(prefix))
      text.erase(0, prefix.size());
  return text;
}

Result<std::string> run_git(const std::filesystem::path& folder, std::vector<std::string> words) {
  words.insert(words.begin(), "git");
  const auto ended = TRY(run_command(words, {folder, git_environment(), hook_variables()}));
  if (ended.status != 0) {
    const std::string said = without_prefix(first_line(ended.errors));
    return Error{said.empty() ? fmt::format("git {} ended with {}", words[1], ended.status) : said,
                 {}};
  }
  return ended.output;
}

std::int64_t number(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

constexpr std::string_view commit_format = "%H%x00%T%x00%P%x00%ct%x00%an%x00%s";

Result<Commit> parse_commit(std::string_view text) {
  const auto fields = split(trim(text), '\0');
  if (fields.size() != 6)
    return Error{"git described a commit in an unexpected form", {}};
  Commit commit{CommitId{fields[0]}, fields[1], {}, number(fields[3]), fields[4], fields[5]};
  for (auto& parent : split(fields[2], ' '))
    if (!parent.empty())
      commit.parents.push_back(CommitId{std::move(parent)});
  return commit;
}

Result<std::vector<Commit>> parse_commits(std::string_view text) {
  std::vector<Commit> commits;
  for (const std::string& line : lines(text))
    commits.push_back(TRY(parse_commit(line)));
  return commits;
}

Error not_a_repository(const std::filesystem::path& folder, Error cause) {
  if (cause.what.contains("dubious ownership"))
    return Error{fmt::format("cannot use the git repository at {}: it belongs to another user",
                             folder.string()),
                 fmt::format("git config --global --add safe.directory {}", folder.string())};
  if (cause.what.contains("must be run in a work tree"))
    return Error{fmt::format("{} has no work tree", folder.string()),
                 "use a clone that is not bare"};
  if (cause.what.contains("not a git repository"))
    return Error{fmt::format("{} is not in a git repository", folder.string()),
                 "go to one, or name it with -C; make one of this folder with: git init && git add "
                 "-A && git commit"};
  return cause;
}

} // namespace

Result<Repository> Repository::open(const std::filesystem::path& folder) {
  const auto answer = run_git(folder, {"rev-parse", "--show-toplevel"});
  if (!answer)
    return not_a_repository(folder, answer.error());
  return Repository(trim(*answer));
}

Result<Repository> Repository::find(const std::filesystem::path& folder) {
  std::error_code problem;
  if (std::filesystem::exists(folder / ".git", problem))
    return assume(folder);
  return open(folder);
}

Result<std::filesystem::path> Repository::common_folder() const {
  const auto answer = TRY(git({"rev-parse", "--path-format=absolute", "--git-common-dir"}));
  return std::filesystem::path(trim(answer));
}

Result<std::string> Repository::git(std::vector<std::string> words) const {
  return run_git(root_, std::move(words));
}

Result<Commit> Repository::commit(const std::string& name) const {
  auto found = TRY(ancestors(name, 1, Line::First));
  return std::move(found.front());
}

Error Repository::unknown_commit(const std::string& name, const Error& cause) const {
  if (cause.what.contains("not a git repository") || cause.what.contains("dubious ownership"))
    return not_a_repository(root_, cause);
  Error error{fmt::format("there is no commit '{}'", name),
              "git log --oneline shows the commits that there are"};
  if (cause.what.contains("ambiguous"))
    error.what = fmt::format("'{}' means more than one commit", name);
  const auto shallow = is_shallow();
  if (shallow && *shallow) {
    error.what += ", and this clone is shallow: older commits are missing";
    error.hint = "git fetch --unshallow";
    return error;
  }
  const auto references = git({"for-each-ref", "--format=%(refname:short)"});
  const std::string meant = references ? nearest(name, lines(*references)) : std::string{};
  if (!meant.empty())
    error.hint = fmt::format("did you mean '{}'?", meant);
  return error;
}

Result<std::vector<Commit>> Repository::ancestors(const std::string& name, std::size_t most,
                                                  Line line) const {
  if (name.starts_with('^') || (name.contains("..") && !name.starts_with(":/")))
    return Error{fmt::format("'{}' is a range, but one commit is wanted", name), "name one commit"};
  // One line needs no sorting, which would read the whole history first.
  const auto text =
      git({"log", line == Line::First ? "--first-parent" : "--topo-order", "--no-show-signature",
           fmt::format("--format={}", commit_format), fmt::format("--max-count={}", most),
           "--end-of-options", name + "^{commit}", "--"});
  if (!text)
    return unknown_commit(name, text.error());
  auto commits = TRY(parse_commits(*text));
  if (commits.empty())
    return Error{fmt::format("git does not describe the commit '{}'", name), {}};
  return commits;
}

Result<std::vector<Commit>> Repository::range(const std::string& name, Line line) const {
  const auto text =
      git({"log", "--reverse", line == Line::First ? "--first-parent" : "--topo-order",
           "--no-show-signature", fmt::format("--format={}", commit_format), "--end-of-options",
           name, "--"});
  if (!text)
    return Error{fmt::format("there are no commits '{}': {}", name, text.error().what),
                 "write a range as OLD..NEW, as for git log"};
  return parse_commits(*text);
}

Result<std::optional<Commit>> Repository::merge_base(const Commit& a, const Commit& b) const {
  const auto ended = TRY(run_command({"git", "merge-base", a.id.text, b.id.text},
                                     {root_, git_environment(), hook_variables()}));
  const std::string id = first_line(ended.output);
  if (id.empty() && ended.status == 1)
    return std::optional<Commit>();
  if (ended.status != 0)
    return Error{fmt::format("git cannot tell where {} and {} part: {}", a.id.brief(), b.id.brief(),
                             without_prefix(first_line(ended.errors))),
                 {}};
  return std::optional(TRY(commit(id)));
}

Result<std::map<CommitId, std::size_t>> Repository::changed_lines(const std::string& range) const {
  // Commits begin with a slash, which no number of lines does.
  const auto text = TRY(git({"log", "--first-parent", "--diff-merges=first-parent", "--numstat",
                             "--no-show-signature", "--no-ext-diff", "--format=/%H",
                             "--end-of-options", range, "--"}));
  std::map<CommitId, std::size_t> changed;
  std::size_t* current = nullptr;
  for (const std::string& line : lines(text)) {
    const auto fields = split(line, '\t');
    if (line.starts_with('/'))
      current = &changed[CommitId{line.substr(1)}];
    else if (current != nullptr && fields.size() >= 3)
      *current +=
          fields[0] == "-" ? 1 : static_cast<std::size_t>(number(fields[0]) + number(fields[1]));
  }
  return changed;
}

Result<bool> Repository::is_shallow() const {
  const auto answer = TRY(git({"rev-parse", "--is-shallow-repository"}));
  return trim(answer) == "true";
}

Result<bool> Repository::has_changes() const {
  const auto answer = TRY(git({"status", "--porcelain", "--untracked-files=no"}));
  return !trim(answer).empty();
}

} // namespace dragnet::history
