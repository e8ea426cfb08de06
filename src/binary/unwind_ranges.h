// The functions of a stripped program: what unwinds the stack has to know where each begins and
// ends.
#pragma once

#include "binary/elf_file.h"
#include "binary/ranges.h"

#include <vector>

namespace dragnet::binary {

/// The ranges that .eh_frame describes, without names and in no order; none if it is broken.
std::vector<Range> unwind_ranges(const ElfFile& file);

} // namespace dragnet::binary
