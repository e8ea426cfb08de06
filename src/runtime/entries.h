// Where functions begin, as the entries file says.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Reads an entries file; false when there is no sound one.
bool entries_open(const char* path);

/// Whether a function begins at this guest's address, which lies in the segment of a module.
bool is_entry(uint32_t module, uint64_t address);
