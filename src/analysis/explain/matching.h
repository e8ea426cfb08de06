// Which old trail is which new one? A refactoring renames functions, moves them, inlines them or
// puts a function in between; what remains the same work must not look like new work.
#pragma once

#include "analysis/explain/trails.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dragnet::explain {

/// How an old and a new trail were found to belong together.
enum class Likeness : std::uint8_t {
  Same,    ///< the same functions, renames included
  Wrapped, ///< the same functions but for some that only one side has
  Similar, ///< functions and amounts that are alike
  None     ///< only one side has it
};

/// Trails of both sides that are compared as one.
struct Pairing {
  std::vector<std::size_t> before; ///< numbers of old trails
  std::vector<std::size_t> now;    ///< numbers of new trails
  Likeness likeness = Likeness::Same;
};

/// Every trail is in exactly one pairing. Nothing but equal paths is paired where the numbers are
/// of complete detail.
std::vector<Pairing> paired(std::span<const Trail> before, std::span<const Trail> now,
                            const FunctionNumbers& numbers);

std::string_view name(Likeness likeness);

} // namespace dragnet::explain
