// dragnet-allocations.so, loaded behind dragnet-stacks.so where allocations are asked for: counts
// what malloc and its like give out. Memory itself comes from where the program would have it from.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORTED __attribute__((visibility("default")))

__attribute__((weak)) void dragnet_allocated(uint64_t pc, uint64_t rsp, uint64_t rbp,
                                             uint64_t size);

// The frame of the function that this stands in: the caller's rbp, then the address of return.
#define COUNT(size)                                                                                \
  do {                                                                                             \
    const uint64_t* frame = __builtin_frame_address(0);                                            \
    if (dragnet_allocated != NULL)                                                                 \
      dragnet_allocated(frame[1], (uint64_t)(frame + 2), frame[0], (size));                        \
  } while (0)

static void* (*real_malloc)(size_t);
static void* (*real_calloc)(size_t, size_t);
static void* (*real_realloc)(void*, size_t);
static void* (*real_memalign)(size_t, size_t);
static void* (*real_aligned_alloc)(size_t, size_t);
static int (*real_posix_memalign)(void**, size_t, size_t);

static __attribute__((noinline)) void find_real(void) {
  *(void**)&real_calloc = dlsym(RTLD_NEXT, "calloc");
  *(void**)&real_realloc = dlsym(RTLD_NEXT, "realloc");
  *(void**)&real_memalign = dlsym(RTLD_NEXT, "memalign");
  *(void**)&real_aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
  *(void**)&real_posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
  *(void**)&real_malloc = dlsym(RTLD_NEXT, "malloc");
}

static inline void prepare(void) {
  if (__builtin_expect(real_malloc == NULL, 0))
    find_real();
}

EXPORTED void* malloc(size_t size) {
  prepare();
  void* given = real_malloc(size);
  COUNT(size);
  return given;
}

EXPORTED void* calloc(size_t count, size_t size) {
  prepare();
  void* given = real_calloc(count, size);
  COUNT(given == NULL ? 0 : count * size);
  return given;
}

EXPORTED void* realloc(void* old, size_t size) {
  prepare();
  void* given = real_realloc(old, size);
  COUNT(size);
  return given;
}

EXPORTED void* memalign(size_t alignment, size_t size) {
  prepare();
  void* given = real_memalign(alignment, size);
  COUNT(size);
  return given;
}

EXPORTED void* aligned_alloc(size_t alignment, size_t size) {
  prepare();
  void* given = real_aligned_alloc(alignment, size);
  COUNT(size);
  return given;
}

EXPORTED int posix_memalign(void** given, size_t alignment, size_t size) {
  prepare();
  const int problem = real_posix_memalign(given, alignment, size);
  COUNT(problem == 0 ? size : 0);
  return problem;
}
