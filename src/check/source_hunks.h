// How the source around a line changed between two commits, in git's words.
#pragma once

#include "history/repository.h"
#include "model/check.h"
#include "model/commit.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::check {

/// A hunk of a unified diff and the lines that it covers on both sides.
struct DiffHunk {
  std::size_t old_first = 0;
  std::size_t old_count = 0;
  std::size_t new_first = 0;
  std::size_t new_count = 0;
  std::string text; ///< its header included
};

/// The hunks of a unified diff of one file, in order.
std::vector<DiffHunk> parse_hunks(std::string_view diff);

/// Which side of a diff a line is counted on.
enum class DiffSide { Old, New };

class SourceHunks {
public:
  /// Borrows the repository.
  SourceHunks(const history::Repository& repository, const Commit& base, const Commit& commit)
      : repository_(repository), base_(base.id.text), commit_(commit.id.text) {}

  /// The changed lines of the function that a place is in, as git finds its bounds; empty where
  /// nothing changed there, or where the file is none of the repository.
  std::string at(const SourcePlace& place, DiffSide side);

private:
  struct FileHunks {
    std::vector<DiffHunk> functions; ///< with the whole function around each change
    std::vector<DiffHunk> narrow;    ///< with three lines around each change
  };
  const FileHunks& of_file(const std::string& file);
  std::vector<DiffHunk> diff(const std::string& context, const std::string& file) const;

  const history::Repository& repository_;
  std::string base_;
  std::string commit_;
  std::map<std::string, FileHunks> files_;
};

} // namespace dragnet::check
