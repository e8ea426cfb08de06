// What dragnet-trace-kernel and its program in the kernel (calls.bpf.c) tell each other, for C and
// C++.
//
// Two tables let the kernel recognise a stack that was seen before, without walking it. A shape
// says for a place (image, pc, rsp) where the words stand that decide the walk from there; the
// words hashed, the place, the file and the kind make the key of a use, whose calls are counted in
// the kernel. Whatever is not in the tables is sent as an event with a copy of the stack, walked
// outside by the unwind tables, counted there, and put into the tables for the next time.
#pragma once

// NOLINTBEGIN(readability-identifier-naming, modernize-use-using): this is a header of C

#ifdef __bpf__
typedef __u64 wire_u64;
typedef __u32 wire_u32;
typedef __u16 wire_u16;
#else
#include <stdint.h>
typedef uint64_t wire_u64;
typedef uint32_t wire_u32;
typedef uint16_t wire_u16;
#endif

enum {
  KERNEL_SHAPE_WORDS = 128, // the most that decide a walk
  KERNEL_SHAPE_STEP = 8,    // that are hashed at once
  KERNEL_QUICK_IMAGES = 4096,
  KERNEL_SHAPE_COUNT = 3, // of one place
  KERNEL_NAMES_SIZE = 4096,
  KERNEL_NAME_SIZE = 256,
  KERNEL_STACK_SIZE = 1 << 18,
  KERNEL_PAGE = 4096,
  KERNEL_BLOCK_WORDS = 2048, // of a stack that is read at once
  KERNEL_EVENTS_SIZE = 1 << 23,
};

struct kernel_place {
  wire_u64 pc;
  wire_u64 rsp;
  wire_u32 image;
  wire_u32 variant; // several shapes may start from a place
};

// The words are filled up to a whole number of steps with distance 0.
struct kernel_shape {
  wire_u16 count;
  wire_u16 needs_rbp;
  wire_u32 reach;                     // words from rsp up
  wire_u16 words[KERNEL_SHAPE_WORDS]; // distances from rsp, in words
};

struct kernel_use {
  wire_u64 pc;
  wire_u64 rsp;
  wire_u64 hash; // of the words of the shape
  wire_u64 file;
  wire_u32 image;
  wire_u32 kind;
};

struct kernel_count {
  wire_u64 calls;
  wire_u64 amount;
};

// A call that the tables did not know.
struct kernel_event {
  struct kernel_use use; // without the hash
  wire_u64 rbp;
  wire_u64 amount;
  wire_u64 inode;
  wire_u32 file_system; // its magic number
  wire_u32 is_named;    // 1: the names lead to the root of all files
  wire_u32 names_size;
  wire_u32 stack_size;
  char names[KERNEL_NAMES_SIZE]; // of the file and the folders above it, each ended by a zero byte
  // Behind it follows the stack, from rsp up.
};

// What both sides see while it runs.
struct kernel_shared {
  wire_u64 lost; // events that found no room
  // By the last bits of a process's number: the number and the image, where the table of images,
  // which takes longer to ask, need not be asked.
  wire_u64 quick_images[KERNEL_QUICK_IMAGES];
};

// What the program is told before it is loaded.
struct kernel_settings {
  unsigned char meanings[512]; // of calls by number (runtime/call_meanings.h)
  wire_u64 space_device;       // the process numbers that are meant; zeros: those of the kernel
  wire_u64 space_inode;
};

static inline wire_u64 kernel_quick_image(wire_u32 process, wire_u32 image) {
  const wire_u64 number = process;
  return number << 32 | image;
}

static inline wire_u64 kernel_mixed(wire_u64 hash, wire_u64 word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

// NOLINTEND(readability-identifier-naming, modernize-use-using)
