// What differs between the functions of two builds, for people and for programs.
#pragma once

#include "model/function.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace dragnet::report {

/// What a difference is between.
struct Sides {
  std::string old_name; ///< a commit in short, or a file
  std::string new_name;
};

/// One sentence, then a line per function, the most edited first; `most` lines at most, 0 for all.
std::string difference_text(const Difference& difference, const Sides& sides, std::size_t most,
                            bool colours);

/// The document "difference".
std::string difference_json(const Difference& difference, const Sides& sides,
                            const std::string& version);

/// "changed", "new", "deleted" or "renamed".
std::string_view name(ChangeKind kind);

} // namespace dragnet::report
