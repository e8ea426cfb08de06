// What differs between the functions of two builds.
#pragma once

#include "model/function.h"

#include <cstdint>
#include <span>

namespace dragnet::binary {

/// The difference of one binary in two builds: functions are matched by name, then by content, then
/// by name without the number of a copy. In the order of the new binary, deleted functions last.
Difference difference(const FunctionTable& old_table, const FunctionTable& new_table);

/// How many instructions have to be taken away and put in to make one function of the other, at
/// least; for functions that differ much, a lower bound of that.
std::uint32_t edits(std::span<const std::uint16_t> old_tokens,
                    std::span<const std::uint16_t> new_tokens);

} // namespace dragnet::binary
