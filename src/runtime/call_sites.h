// The system calls inside the C library and the dynamic linker, and jumps from there to us.
//
// A site is an instruction `syscall`. It and what follows it (or the `mov` of the call's number
// before it) make room for a jump to a stub nearby, which calls `hooked_call`, carries out the
// instructions that were displaced and jumps back. A site stays as it is, and is noted as a gap,
// where something else jumps into these bytes or where they cannot be moved.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Hooks the sites whose call numbers `is_wanted` or cannot be told from the code. Only while there
/// is no other thread. Under the ledger's lock. Those whose number `only_counts` go the short way
/// where the thread cannot be cancelled in them: the stub carries the call out by itself.
void hook_call_sites(bool (*is_wanted)(uint32_t number), bool (*only_counts)(uint32_t number));

/// Where stubs jump to, with r11 as the way back, the number in rax, and on the stack: the address
/// behind the site, then 128 bytes that belong to the site.
void hooked_call(void);

/// What stubs of the short way call behind the system call, with its number in rcx, its result in
/// rax, and on the stack as above.
void counted_call(void);
