// Decodes the usual x86-64 instructions, some nine of ten, without the detours that the others
// need.
#pragma once

#include "binary/instruction.h"

#include <cstdint>

namespace dragnet::binary {

/// Decodes a usual instruction; false for any other. `bytes` has at least look_ahead bytes.
bool decode_usual(const std::uint8_t* bytes, std::uint64_t address, const Place& place,
                  Instruction& into);

} // namespace dragnet::binary
