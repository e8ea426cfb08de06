// The debug information of one function.
#pragma once

#include <cstdint>
#include <elfutils/libdw.h>
#include <optional>

namespace dragnet::binary {

/// The entry of the function in a unit that begins at an address. The scopes around the address do
/// not tell it where the first instruction comes from an inlined callee.
std::optional<Dwarf_Die> function_at(Dwarf_Die unit, std::uint64_t address);

/// The unit itself where it is only the skeleton of one in another file.
Dwarf_Die whole_unit(Dwarf_Die unit);

} // namespace dragnet::binary
