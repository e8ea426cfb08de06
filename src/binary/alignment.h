// How one function becomes the other: where instructions are taken away and put in.
#pragma once

#include "model/function.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dragnet::binary {

/// Where instructions have to be taken away and put in to make one function of the other: as few as
/// possible in short functions, few in long ones. What differs very much is one hunk.
std::vector<Hunk> hunks(std::span<const std::uint16_t> old_tokens,
                        std::span<const std::uint16_t> new_tokens);

/// How many instructions hunks take away and put in.
std::uint32_t edits(std::span<const Hunk> hunks);

} // namespace dragnet::binary
