// The system calls that were found in the C library, and the three steps with them. Only while
// there is no other thread.
#pragma once

#include "runtime/code_map.h"

#include <stdbool.h>
#include <stdint.h>

enum { site_capacity = 1024, jump_size = 5, no_number = 0x7fffffff };

struct site {
  uint64_t call;    // the instruction `syscall`
  uint64_t before;  // where the room begins if it lies before the call; 0: it cannot
  uint64_t behind;  // where it ends if it lies behind the call; 0: it cannot
  uint32_t number;  // or no_number
  bool cancellable; // perhaps
};

struct sites {
  uint32_t count;
  struct site list[site_capacity]; // of each library, by address
};

/// Takes the sites of a library from what an earlier process found; false where there is nothing.
bool load_sites(const struct code* library, struct sites* sites);

/// Keeps the sites of a library, from the number `first` on, for the next process.
void keep_sites(const struct code* library, const struct sites* sites, uint32_t first);

/// Writes stubs for the sites of a library, from the number `first` on, and jumps to them. Those
/// that stay as they are become gaps. `only_counts`: as in call_sites.h.
void redirect_sites(const struct code* library, const struct sites* sites, uint32_t first,
                    bool (*only_counts)(uint32_t number));
