// Functions that ended with a call left no frame behind: they are put back where debug information
// leaves only one way.
#pragma once

#include "binary/code_places.h"

#include <cstdint>
#include <vector>

namespace dragnet::profile {

/// A byte of code in a program or library.
struct CodeByte {
  binary::CodePlaces& binary;
  std::uint64_t file_offset = 0;
};

/// The functions between a call and the function that stands next on the stack, outermost first;
/// none where the call leads there itself, or where that is not known for certain.
std::vector<binary::CodePlace> hidden_between(CodeByte call, CodeByte callee);

} // namespace dragnet::profile
