// Which file of code lies where in this process, from /proc/self/maps.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// A stretch of executable memory. The path holds until the next call.
struct loaded_code {
  uint64_t start;
  uint64_t end;
  uint64_t file_offset; // of `start`
  const char* path;
};

/// Finds the stretch that holds an address; false when there is none. One thread at a time.
bool find_loaded_code(uint64_t address, struct loaded_code* found);
