// Which file lies where in the guest's memory, from /proc/self/maps.
#pragma once

#include <stdint.h>

/// The module that covers a guest's address, or DRAGNET_NO_MODULE. `base` is what must be added to
/// a guest's address to find it in this process. One at a time.
uint32_t module_of(uint64_t address, uint64_t base);

/// Says that files were mapped since, so that what was known of places must be looked up again.
/// From any thread.
void modules_moved(void);
