// Decodes the usual x86-64 instructions, some nine of ten, without the detours that the others
// need.
#pragma once

#include "binary/instruction.h"
#include "binary/steps.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace dragnet::binary {

/// Decodes a usual instruction; false for any other. `bytes` has at least look_ahead bytes.
bool decode_usual(const std::uint8_t* bytes, std::uint64_t address, const Place& place,
                  Instruction& into);

/// Decodes on in a function's code, as long as usual instructions come and its end is far enough.
void decode_usual_ones(std::span<const std::byte> code, std::uint64_t address, const Place& place,
                       Steps& steps);

} // namespace dragnet::binary
