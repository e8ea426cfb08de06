// The difference between two commits in parts that can be put in or left out one by one.
#pragma once

#include "base/result.h"
#include "history/repository.h"
#include "model/commit.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::hunt {

/// Lines that follow each other and differ; or all that happened to a file that appears, goes, or
/// is not text.
struct ChangePart {
  std::size_t file = 0; ///< its position among the files of the difference
  std::string name;     ///< of the file
  std::size_t old_first = 0;
  std::size_t old_count = 0;
  std::size_t new_first = 0; ///< 0: the whole file
  std::size_t new_count = 0;
  std::string text; ///< the lines with their signs; of a whole file, its patch
};

class ChangeParts {
public:
  static Result<ChangeParts> between(const history::Repository& repository,
                                     const Commit& old_commit, const Commit& new_commit);

  /// Of the output of `git diff --unified=0`.
  static ChangeParts parsed(std::string_view diff);

  const std::vector<ChangePart>& parts() const { return parts_; }

  /// A patch for the old commit with those parts alone, given by number and ascending.
  std::string patch(const std::vector<std::size_t>& numbers) const;

private:
  std::vector<std::string> headers_; // of each file
  std::vector<ChangePart> parts_;
};

} // namespace dragnet::hunt
