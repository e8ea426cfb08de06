// What dragnet-stacks.so and dragnet-trace leave behind and what they are told, for C and C++. All
// numbers are in the byte order of the machine; writer and reader are on one machine.
//
// A stacks file, one per process image, is sparse: room for `capacity` records of each kind, of
// which the first `count` are used. A record is whole before the count that covers it is raised, so
// that a file is sound at any moment, also when its process is killed. Behind the header of
// DRAGNET_STACKS_HEADER_SIZE bytes follow, without gaps:
//   module_capacity  modules    files that code was executed from, 48 bytes each
//   gap_capacity     gaps       calls in the C library that are not watched, 16 bytes each
//   file_capacity    files      what was read and written, 16 bytes each
//   text_capacity    bytes      the paths of modules and files, not ended by anything
//   stack_capacity   stacks     24 bytes each
//   word_capacity    u64        the return addresses of the stacks, innermost first
//   use_capacity     uses       what was done under a stack, 32 bytes each
// The same stack, file and kind may have several uses, one per thread: they are to be added.
#pragma once

#include <stdint.h>

// NOLINTBEGIN(modernize-macro-to-enum, readability-identifier-naming): this is a header of C

// The folder for stacks files; without it the library does nothing.
#define DRAGNET_STACKS_INTO "DRAGNET_STACKS_INTO"
// A folder for what is found in the C library once and holds for all processes; may be missing.
#define DRAGNET_STACKS_SITES "DRAGNET_STACKS_SITES"

#define DRAGNET_STACKS_MAGIC 0x31736b6361747364u // "dstacks1"
#define DRAGNET_STACKS_HEADER_SIZE 4096u
#define DRAGNET_NO_FILE 0xffffffffu

// What the kernel has accounted for a process (proc(5), /proc/PID/io).
struct dragnet_transfers {
  uint64_t read_bytes;
  uint64_t written_bytes;
  uint64_t reads;
  uint64_t writes;
};

struct dragnet_stacks_header {
  uint64_t magic;
  uint32_t process;
  uint32_t parent;
  uint32_t module_capacity;
  uint32_t module_count;
  uint32_t gap_capacity;
  uint32_t gap_count;
  uint32_t file_capacity;
  uint32_t file_count;
  uint32_t text_capacity;
  uint32_t text_count;
  uint32_t stack_capacity;
  uint32_t stack_count;
  uint32_t word_capacity;
  uint32_t word_count;
  uint32_t use_capacity;
  uint32_t use_count;
  uint64_t lost;                     // calls that found no room
  uint64_t cut;                      // stacks that could not be followed to their end
  uint32_t lost_processes;           // children that could not keep a file of their own
  uint32_t ended;                    // 1: `at_end` is known
  uint32_t sites;                    // system calls in the C library that are watched
  uint32_t forked;                   // 1: a child that goes on in its parent's image
  struct dragnet_transfers at_start; // when the library began to watch; all 0 in a forked child
  struct dragnet_transfers at_end;   // at the last exit or exec
  struct dragnet_transfers own;      // of these: by the library itself, since the start
  uint32_t started;                  // programs that were started from here
  uint32_t zero;
};

// A stretch of a file in memory. Of several that cover an address, the last counts that was there
// when the stack was kept.
struct dragnet_stacks_module {
  uint64_t start;
  uint64_t end;
  uint64_t file_offset; // of `start`
  uint64_t inode;
  uint32_t text_at; // its path
  uint32_t text_size;
  uint64_t zero;
};

// A system call in the C library that could not be hooked.
struct dragnet_gap {
  uint64_t address;
  uint32_t number; // of the system call
  uint32_t zero;
};

struct dragnet_stacks_file {
  uint32_t text_at;
  uint32_t text_size;
  uint64_t zero;
};

struct dragnet_stack {
  uint64_t hash;
  uint32_t word_at;
  uint32_t depth;
  uint32_t modules; // how many were known when it was kept
  uint32_t whole;   // 1: it leads to where the thread began
};

enum dragnet_use_kind {
  DRAGNET_WRITTEN = 0, // bytes
  DRAGNET_READ = 1,    // bytes
  DRAGNET_SENT = 2,    // bytes
  DRAGNET_RECEIVED = 3,
  DRAGNET_SPLICED = 4,   // bytes, into the file
  DRAGNET_SYNCED = 5,    // calls
  DRAGNET_OPENED = 6,    // calls
  DRAGNET_ALLOCATED = 7, // bytes
  DRAGNET_USE_KINDS = 8
};

struct dragnet_use {
  uint32_t stack;
  uint32_t file; // an index, or DRAGNET_NO_FILE
  uint32_t kind;
  uint32_t thread; // a number that no two threads have at one time
  uint64_t calls;
  uint64_t amount;
};

// Where each part of a stacks file begins, in bytes.
static inline uint64_t dragnet_gaps_at(const struct dragnet_stacks_header* header) {
  return DRAGNET_STACKS_HEADER_SIZE +
         (header->module_capacity * sizeof(struct dragnet_stacks_module));
}
static inline uint64_t dragnet_files_at(const struct dragnet_stacks_header* header) {
  return dragnet_gaps_at(header) + (header->gap_capacity * sizeof(struct dragnet_gap));
}
static inline uint64_t dragnet_texts_at(const struct dragnet_stacks_header* header) {
  return dragnet_files_at(header) + (header->file_capacity * sizeof(struct dragnet_stacks_file));
}
static inline uint64_t dragnet_stacks_at(const struct dragnet_stacks_header* header) {
  return dragnet_texts_at(header) + header->text_capacity;
}
static inline uint64_t dragnet_words_at(const struct dragnet_stacks_header* header) {
  return dragnet_stacks_at(header) + (header->stack_capacity * sizeof(struct dragnet_stack));
}
static inline uint64_t dragnet_uses_at(const struct dragnet_stacks_header* header) {
  return dragnet_words_at(header) + (header->word_capacity * sizeof(uint64_t));
}
static inline uint64_t dragnet_stacks_size(const struct dragnet_stacks_header* header) {
  return dragnet_uses_at(header) + (header->use_capacity * sizeof(struct dragnet_use));
}
// NOLINTEND(modernize-macro-to-enum, readability-identifier-naming)
