// For programs that tell Dragnet where one input ends and the next begins: include this and call
// dragnet_mark() between two inputs, in the thread that handles them. It does nothing unless the
// program is being traced, and needs nothing to be linked.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((weak)) void dragnet_execution_ends(void);

static inline void dragnet_mark(void) {
  if (dragnet_execution_ends)
    dragnet_execution_ends();
}

#ifdef __cplusplus
}
#endif
