#include "runtime/record.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  module_capacity = 8192,
  path_capacity = 1 << 20,
  block_capacity = 1 << 22,
  edge_capacity = 1 << 18,
  edge_slots = edge_capacity * 2
};

static struct {
  char folder[3072];
  struct dragnet_counts_header* header;
  struct dragnet_module* modules;
  char* paths;
  struct dragnet_block* blocks;
  uint64_t* block_counts;
  struct dragnet_edge* edges;
  _Atomic uint64_t* edge_counts;
} file;

// Finds a block's index by its content: open addressing, an index plus one in each used slot.
static struct {
  uint32_t* slots;
  uint32_t size; // a power of two
} block_index;

// Finds an edge's index: written under the lock, read without it. A key is stored last.
static struct {
  _Atomic uint64_t key; // from and to plus one; 0: free
  uint32_t edge;
} edge_index[edge_slots];
static pthread_mutex_t edge_lock = PTHREAD_MUTEX_INITIALIZER;

static int new_file(void) {
  char path[sizeof file.folder + 64];
  for (int number = 0; number < 1000000; ++number) {
    snprintf(path, sizeof path, "%s/%d-%d.counts", file.folder, (int)getpid(), number);
    const int made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made >= 0)
      return made;
    if (access(path, F_OK) != 0)
      return -1; // not because the name is taken
  }
  return -1;
}

static void* at(uint64_t offset) {
  return (char*)file.header + offset;
}

static void place_parts(void) {
  file.modules = at(DRAGNET_HEADER_SIZE);
  file.paths = at(dragnet_paths_at(file.header));
  file.blocks = at(dragnet_blocks_at(file.header));
  file.block_counts = at(dragnet_block_counts_at(file.header));
  file.edges = at(dragnet_edges_at(file.header));
  file.edge_counts = at(dragnet_edge_counts_at(file.header));
}

static struct dragnet_counts_header empty_header(void) {
  const struct dragnet_counts_header header = {.magic = DRAGNET_COUNTS_MAGIC,
                                               .process = (uint32_t)getpid(),
                                               .parent = (uint32_t)getppid(),
                                               .module_capacity = module_capacity,
                                               .path_capacity = path_capacity,
                                               .block_capacity = block_capacity,
                                               .edge_capacity = edge_capacity};
  return header;
}

static bool put(int made, uint64_t offset, uint64_t size) {
  const char* bytes = at(offset);
  while (size > 0) {
    const ssize_t done = pwrite(made, bytes, size, (off_t)offset);
    if (done <= 0)
      return false;
    bytes += done;
    offset += (uint64_t)done;
    size -= (uint64_t)done;
  }
  return true;
}

// The records of the parent, without its counts.
static bool copy_records(int made, struct dragnet_counts_header header) {
  header.module_count = file.header->module_count;
  header.path_count = file.header->path_count;
  header.block_count = file.header->block_count;
  header.edge_count = file.header->edge_count;
  return put(made, DRAGNET_HEADER_SIZE, header.module_count * sizeof(struct dragnet_module)) &&
         put(made, dragnet_paths_at(&header), header.path_count) &&
         put(made, dragnet_blocks_at(&header), header.block_count * sizeof(struct dragnet_block)) &&
         put(made, dragnet_edges_at(&header), header.edge_count * sizeof(struct dragnet_edge)) &&
         pwrite(made, &header, sizeof header, 0) == (ssize_t)sizeof header;
}

static void before_fork(void) {
  pthread_mutex_lock(&edge_lock);
}

static void after_fork_in_parent(void) {
  pthread_mutex_unlock(&edge_lock);
}

static void after_fork_in_child(void) {
  const struct dragnet_counts_header header = empty_header();
  const uint64_t size = dragnet_counts_size(&header);
  const int made = new_file();
  void* mapped = MAP_FAILED;
  if (made >= 0 && ftruncate(made, (off_t)size) == 0 && copy_records(made, header))
    mapped = mmap(file.header, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, made, 0);
  if (mapped == MAP_FAILED) {
    // Counts must not go to the parent: let them go to memory of our own, and say so in its file.
    atomic_fetch_add((_Atomic uint32_t*)&file.header->lost_processes, 1);
    struct dragnet_counts_header* copy = malloc(DRAGNET_HEADER_SIZE);
    if (copy == NULL)
      abort();
    memcpy(copy, file.header, sizeof *copy);
    mmap(file.header, size, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    memcpy(file.header, copy, sizeof *copy);
    free(copy);
  }
  if (made >= 0)
    close(made);
  pthread_mutex_unlock(&edge_lock);
}

bool record_open(const char* folder) {
  if (strlen(folder) >= sizeof file.folder)
    return false;
  strcpy(file.folder, folder);
  const struct dragnet_counts_header header = empty_header();
  const uint64_t size = dragnet_counts_size(&header);
  const int made = new_file();
  if (made < 0)
    return false;
  void* mapped = MAP_FAILED;
  if (ftruncate(made, (off_t)size) == 0)
    mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
  close(made);
  if (mapped == MAP_FAILED)
    return false;
  file.header = mapped;
  *file.header = header;
  place_parts();
  block_index.size = 1 << 16;
  block_index.slots = calloc(block_index.size, sizeof *block_index.slots);
  return block_index.slots != NULL &&
         pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
}

static uint64_t mixed(uint64_t value) {
  value ^= value >> 32;
  value *= 0x9e3779b97f4a7c15u;
  return value ^ value >> 29;
}

static uint32_t* slot_of(const struct dragnet_block* block) {
  const uint64_t hash = mixed(block->start + ((uint64_t)block->instructions << 48));
  uint32_t at_slot = (uint32_t)hash & (block_index.size - 1);
  while (block_index.slots[at_slot] != 0 &&
         memcmp(&file.blocks[block_index.slots[at_slot] - 1], block, sizeof *block) != 0)
    at_slot = (at_slot + 1) & (block_index.size - 1);
  return &block_index.slots[at_slot];
}

static bool grow_index(void) {
  uint32_t* larger = calloc((size_t)block_index.size * 2, sizeof *larger);
  if (larger == NULL)
    return false;
  free(block_index.slots);
  block_index.slots = larger;
  block_index.size *= 2;
  for (uint32_t block = 0; block < file.header->block_count; ++block)
    *slot_of(&file.blocks[block]) = block + 1;
  return true;
}

uint32_t record_block(const struct dragnet_block* block) {
  uint32_t* slot = slot_of(block);
  if (*slot != 0)
    return *slot - 1;
  const uint32_t count = file.header->block_count;
  if (count >= block_capacity || (count >= block_index.size / 2 && !grow_index())) {
    ++file.header->lost;
    return RECORD_NONE;
  }
  file.blocks[count] = *block;
  atomic_store((_Atomic uint32_t*)&file.header->block_count, count + 1);
  *slot_of(block) = count + 1;
  return count;
}

const struct dragnet_block* record_block_at(uint32_t index) {
  return &file.blocks[index];
}

uint64_t* record_count_of(uint32_t block) {
  return &file.block_counts[block];
}

bool record_module_has_path(uint32_t index, const char* path, uint64_t path_size) {
  const struct dragnet_module* module = &file.modules[index];
  return module->path_size == path_size &&
         memcmp(file.paths + module->path_at, path, path_size) == 0;
}

static bool is_module(uint32_t index, const struct dragnet_module* place, const char* path,
                      uint64_t path_size) {
  const struct dragnet_module* known = &file.modules[index];
  return known->start == place->start && known->end == place->end &&
         known->file_offset == place->file_offset && record_module_has_path(index, path, path_size);
}

uint32_t record_module(const struct dragnet_module* place, const char* path) {
  const uint64_t path_size = strlen(path);
  for (uint32_t index = 0; index < file.header->module_count; ++index)
    if (is_module(index, place, path, path_size))
      return index;
  const uint32_t count = file.header->module_count;
  if (count >= module_capacity || path_size > path_capacity - file.header->path_count) {
    ++file.header->lost;
    return DRAGNET_NO_MODULE;
  }
  struct dragnet_module* added = &file.modules[count];
  *added = *place;
  added->path_at = file.header->path_count;
  added->path_size = path_size;
  memcpy(file.paths + added->path_at, path, path_size);
  file.header->path_count += (uint32_t)path_size;
  atomic_store((_Atomic uint32_t*)&file.header->module_count, count + 1);
  return count;
}

const struct dragnet_module* record_module_at(uint32_t index) {
  return &file.modules[index];
}

// The slot of an edge, or the free one where it would go.
static uint32_t edge_slot(uint64_t key, uint64_t* found) {
  uint32_t slot = (uint32_t)mixed(key) & (edge_slots - 1);
  for (;;) {
    *found = atomic_load_explicit(&edge_index[slot].key, memory_order_acquire);
    if (*found == key || *found == 0)
      return slot;
    slot = (slot + 1) & (edge_slots - 1);
  }
}

static bool add_edge(uint64_t key, uint32_t from, uint32_t to) {
  pthread_mutex_lock(&edge_lock);
  uint64_t found;
  const uint32_t slot = edge_slot(key, &found);
  const uint32_t count = file.header->edge_count;
  const bool room = found == key || count < edge_capacity;
  if (found != key && room) {
    file.edges[count] = (struct dragnet_edge){from, to};
    atomic_store((_Atomic uint32_t*)&file.header->edge_count, count + 1);
    edge_index[slot].edge = count;
    atomic_store_explicit(&edge_index[slot].key, key, memory_order_release);
  }
  if (!room)
    ++file.header->lost;
  pthread_mutex_unlock(&edge_lock);
  return room;
}

void record_edge(uint32_t from, uint32_t to) {
  const uint64_t key = (uint64_t)from << 32 | ((uint64_t)to + 1);
  uint64_t found;
  uint32_t slot = edge_slot(key, &found);
  if (found != key) {
    if (!add_edge(key, from, to))
      return;
    slot = edge_slot(key, &found);
  }
  atomic_fetch_add_explicit(&file.edge_counts[edge_index[slot].edge], 1, memory_order_relaxed);
}
