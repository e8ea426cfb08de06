#include "history/checkout.h"

#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "model/commit.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace dragnet::history {
namespace fs = std::filesystem;

Checkout::Checkout(Checkout&& other) noexcept
    : repository_(std::move(other.repository_)), path_(std::exchange(other.path_, {})) {}

Result<Checkout> Checkout::make(const Repository& repository, const CommitId& commit,
                                const fs::path& folder) {
  TRY(remove(repository, folder));
  TRY(make_folder(folder.parent_path()));
  Checkout checkout(repository, folder);
  TRY_WHILE("cannot check out " + commit.brief(),
            repository.git({"-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false",
                            "-c", "core.sparseCheckout=false", "worktree", "add", "--quiet",
                            "--force", "--detach", folder.string(), commit.text}));
  return checkout;
}

Checkout::~Checkout() {
  // A failure cannot be reported from here; the next use of the folder removes what stayed.
  if (!path_.empty())
    (void)remove(repository_, path_).has_value();
}

namespace {

bool records(const fs::path& record, const fs::path& folder) {
  const auto target = read_file(record / "gitdir");
  std::error_code problem;
  return target && fs::weakly_canonical(fs::path(trim(*target)), problem) == folder / ".git";
}

} // namespace

// Not by `git worktree remove`: that refuses what is half made, and `prune` would forget other
// people's work trees too. The folder goes last: while it is there, something is left to do.
Result<> Checkout::remove(const Repository& repository, const fs::path& folder) {
  std::error_code problem;
  // git records the real path, whatever links ours goes through.
  const fs::path real = fs::weakly_canonical(folder, problem);
  const fs::path all_records = TRY(repository.common_folder()) / "worktrees";
  for (const auto& entry : fs::directory_iterator(all_records, problem))
    if (records(entry.path(), real))
      TRY(remove_tree(entry.path()));
  // git itself keeps no empty folder of records.
  fs::remove(all_records, problem);
  return remove_tree(folder);
}

} // namespace dragnet::history
