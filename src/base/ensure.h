// Broken invariants end the program, in releases too: going on would make results that nobody
// should believe.
#pragma once

#include <source_location>
#include <string_view>

namespace dragnet {

/// Ends the program with a message that names the place.
[[noreturn]] void broken_invariant(std::string_view what, std::source_location where);

/// Ends the program when a condition that must hold does not.
inline void ensure(bool condition, std::string_view what,
                   std::source_location where = std::source_location::current()) {
  if (!condition)
    broken_invariant(what, where);
}

} // namespace dragnet
