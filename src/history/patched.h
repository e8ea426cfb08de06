// Commits that nobody made: an old one with a patch on it, to try a part of a change alone.
#pragma once

#include "base/result.h"
#include "history/repository.h"
#include "model/commit.h"

#include <filesystem>
#include <string>

namespace dragnet::history {

/// The commit with a patch (of `git diff`, without context) on it. No branch leads to it and no
/// work tree changes. The same patch on the same commit gives the same commit. `scratch` is an
/// empty folder. Fails where the patch does not apply.
Result<Commit> patched(const Repository& repository, const Commit& base, const std::string& patch,
                       const std::filesystem::path& scratch);

} // namespace dragnet::history
