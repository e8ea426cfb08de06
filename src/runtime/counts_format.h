// What dragnet-counts.so leaves behind and what it is given, for C and C++. All numbers are in the
// byte order of the machine; writer and reader are on one machine.
//
// A counts file, one per process image, is sparse: room for `capacity` records of each kind, of
// which the first `count` are used. A record is whole before the count that covers it is raised, so
// that a file is sound at any moment, also when its process is killed. Behind the header of
// DRAGNET_HEADER_SIZE bytes follow, without gaps:
//   module_capacity  modules       files that code was executed from, 40 bytes each
//   path_capacity    bytes         the modules' paths, not ended by anything
//   block_capacity   blocks        runs of instructions that are entered at the first, 40 bytes
//   block_capacity   u64           how often each block was executed
//   edge_capacity    edges         transfers between two blocks, 8 bytes each
//   edge_capacity    u64           how often each edge was taken
//
// An entries file, which the plugin is given, names the addresses where functions begin:
//   8 bytes DRAGNET_ENTRIES_MAGIC, u64 number of binaries, then per binary: u64 length of its path,
//   the path, zero bytes up to a multiple of 8, u64 number of entries, and each entry as a u64 file
//   offset, rising.
#pragma once

#include <stdint.h>

// NOLINTBEGIN(modernize-macro-to-enum, readability-identifier-naming): this is a header of C

#define DRAGNET_COUNTS_MAGIC 0x3173746e756f6364u  // "dcounts1"
#define DRAGNET_ENTRIES_MAGIC 0x31737972746e6564u // "dentrys1"
#define DRAGNET_HEADER_SIZE 4096u
#define DRAGNET_PAGE_SIZE 4096u // of the guest
#define DRAGNET_NO_MODULE 0xffffffffu

struct dragnet_counts_header {
  uint64_t magic;
  uint32_t process;
  uint32_t parent;
  uint32_t module_capacity;
  uint32_t module_count;
  uint32_t path_capacity;
  uint32_t path_count;
  uint32_t block_capacity;
  uint32_t block_count;
  uint32_t edge_capacity;
  uint32_t edge_count;
  uint32_t lost;           // records that found no room: the counts are not whole
  uint32_t lost_processes; // children that could not keep counts of their own
};

// A stretch of a file in memory, by the guest's addresses.
struct dragnet_module {
  uint64_t start;
  uint64_t end;
  uint64_t file_offset; // of `start`
  uint64_t path_at;     // in the paths
  uint64_t path_size;
};

// How a block's last instruction goes on.
enum dragnet_ending {
  DRAGNET_ENDS_OTHERWISE = 0, // to the next instruction, or into the kernel
  DRAGNET_ENDS_IN_CALL = 1,
  DRAGNET_ENDS_IN_JUMP = 2,
  DRAGNET_ENDS_IN_BRANCH = 3, // to its target or to the next instruction
  DRAGNET_ENDS_IN_INDIRECT_CALL = 4,
  DRAGNET_ENDS_IN_INDIRECT_JUMP = 5,
  DRAGNET_ENDS_IN_RETURN = 6
};

// QEMU does not let an instruction reach into the next page unless it is the first of its block. It
// then ends the block in front of it, but has listed a part of it by then. Such a block is written
// with one instruction too many; the block that begins where that instruction stands shows that it
// reaches into the next page.
struct dragnet_block {
  uint64_t start;
  uint64_t target; // of a direct call, jump or branch; 0 otherwise
  uint32_t bytes;
  uint32_t module; // an index, or DRAGNET_NO_MODULE for code without a file
  uint32_t instructions;
  uint32_t ending;
  uint32_t last_size; // bytes of the last instruction
  uint32_t first_size;
};

// From the end of one block to the entry of a function, by indirect call, indirect jump or branch.
struct dragnet_edge {
  uint32_t from;
  uint32_t to;
};

// Where each part of a counts file begins, in bytes.
static inline uint64_t dragnet_paths_at(const struct dragnet_counts_header* header) {
  return DRAGNET_HEADER_SIZE + (header->module_capacity * sizeof(struct dragnet_module));
}
static inline uint64_t dragnet_blocks_at(const struct dragnet_counts_header* header) {
  return dragnet_paths_at(header) + header->path_capacity;
}
static inline uint64_t dragnet_block_counts_at(const struct dragnet_counts_header* header) {
  return dragnet_blocks_at(header) + (header->block_capacity * sizeof(struct dragnet_block));
}
static inline uint64_t dragnet_edges_at(const struct dragnet_counts_header* header) {
  return dragnet_block_counts_at(header) + (header->block_capacity * sizeof(uint64_t));
}
static inline uint64_t dragnet_edge_counts_at(const struct dragnet_counts_header* header) {
  return dragnet_edges_at(header) + (header->edge_capacity * sizeof(struct dragnet_edge));
}
static inline uint64_t dragnet_counts_size(const struct dragnet_counts_header* header) {
  return dragnet_edge_counts_at(header) + (header->edge_capacity * sizeof(uint64_t));
}
// NOLINTEND(modernize-macro-to-enum, readability-identifier-naming)
