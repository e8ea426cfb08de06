// A git commit, as far as Dragnet needs to know it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace dragnet {

/// The full hexadecimal id of a commit.
struct CommitId {
  std::string text;
  auto operator<=>(const CommitId&) const = default;

  /// The first ten digits, for people.
  std::string brief() const { return text.substr(0, 10); }
};

struct Commit {
  CommitId id;
  std::string tree; ///< the id of its content: two commits with the same tree build the same
  std::vector<CommitId> parents;
  std::int64_t time = 0; ///< of the commit, in seconds since 1970
  std::string author;
  std::string subject;
};

} // namespace dragnet
