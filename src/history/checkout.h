// A clean checkout of a commit: a linked work tree of git, so that `git describe` works in it,
// removed with its owner.
#pragma once

#include "base/result.h"
#include "history/repository.h"
#include "model/commit.h"

#include <filesystem>

namespace dragnet::history {

class Checkout {
public:
  /// Checks a commit out into a folder, after removing what a killed process may have left there.
  /// Only one owner of a folder may do this at a time: the caller holds a lock.
  static Result<Checkout> make(const Repository& repository, const CommitId& commit,
                               const std::filesystem::path& folder);
  ~Checkout();
  Checkout(Checkout&& other) noexcept;
  Checkout& operator=(Checkout&&) = delete;
  Checkout(const Checkout&) = delete;
  Checkout& operator=(const Checkout&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Removes a checkout from the disk and from git's records; absent is fine. The caller holds the
  /// lock.
  static Result<> remove(const Repository& repository, const std::filesystem::path& folder);

private:
  Checkout(Repository repository, std::filesystem::path path)
      : repository_(std::move(repository)), path_(std::move(path)) {}
  Repository repository_;
  std::filesystem::path path_;
};

} // namespace dragnet::history
