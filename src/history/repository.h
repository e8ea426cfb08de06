// A git repository, asked through the git program: it knows every extension, filter and layout that
// users have.
#pragma once

#include "base/result.h"
#include "model/commit.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::history {

class Repository {
public:
  /// The repository that a folder belongs to.
  static Result<Repository> open(const std::filesystem::path& folder);

  /// The same, without asking git where the folder looks like the top of a work tree: if it is
  /// none after all, the first question says so.
  static Result<Repository> find(const std::filesystem::path& folder);

  /// The repository whose work tree has this top folder, without asking git: where it is none, the
  /// first question says so.
  static Repository assume(std::filesystem::path root) { return Repository(std::move(root)); }

  /// The top folder of its work tree.
  const std::filesystem::path& root() const { return root_; }

  /// Where linked work trees share their administration.
  Result<std::filesystem::path> common_folder() const;

  /// The commit that a name means: a branch, a tag, HEAD~3, or the beginning of an id.
  Result<Commit> commit(const std::string& name) const;

  /// The commit that a name means and its ancestors, nearest first, as far as asked for: at least
  /// the commit itself. With Line::First, only along first parents.
  enum class Line { All, First };
  Result<std::vector<Commit>> ancestors(const std::string& name, std::size_t most, Line line) const;

  /// The commits of a range ("v1..v2"), or all up to one commit, oldest first: along first parents,
  /// or all of them with parents before children.
  Result<std::vector<Commit>> range(const std::string& name, Line line = Line::First) const;

  /// The newest commit that both come from; none where they share no history.
  Result<std::optional<Commit>> merge_base(const Commit& a, const Commit& b) const;

  /// How many lines each commit of a range adds and takes away, along first parents; a changed
  /// binary file counts as one.
  Result<std::map<CommitId, std::size_t>> changed_lines(const std::string& range) const;

  /// Whether the history is cut off at some depth.
  Result<bool> is_shallow() const;

  /// Whether files that git tracks differ from HEAD.
  Result<bool> has_changes() const;

  /// Runs git in the repository and returns what it printed; a status other than 0 is an Error with
  /// git's own words.
  Result<std::string> git(std::vector<std::string> words) const;

private:
  explicit Repository(std::filesystem::path root) : root_(std::move(root)) {}
  Error unknown_commit(const std::string& name, const Error& cause) const;

  std::filesystem::path root_;
};

} // namespace dragnet::history
