#define _GNU_SOURCE
#include "runtime/ledger.h"

#include "runtime/raw_calls.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

enum {
  module_capacity = 4096,
  gap_capacity = 256,
  file_capacity = ledger_file_capacity,
  text_capacity = 1 << 23,
  stack_capacity = 1 << 19,
  word_capacity = 1 << 24,
  use_capacity = 1 << 20,
  slot_count = 1 << 21,
  new_process = 0
};

static struct {
  char folder[ledger_folder_size];
  uint64_t size;
  struct dragnet_stacks_header* header;
  struct dragnet_stacks_module* modules;
  struct dragnet_gap* gaps;
  struct dragnet_stacks_file* files;
  char* texts;
  struct dragnet_stack* stacks;
  uint64_t* words;
  struct dragnet_use* uses;
} file;

// Finds records by their content: open addressing, a number plus one in each used slot. Read
// without the lock, written under it.
typedef _Atomic uint32_t slot;
static struct {
  slot* files;
  slot* stacks;
  slot* uses;
} slots;

static atomic_flag lock = ATOMIC_FLAG_INIT;
static uint32_t stack_salt; // under the lock; differs for stacks before and after unloading
_Atomic uint32_t* ledger_state;

static void* at(uint64_t offset) {
  return (char*)file.header + offset;
}

static int new_file(void) {
  static char path[sizeof file.folder + 64]; // there may be little room on the stack
  const size_t folder_size = raw_size(file.folder);
  memcpy(path, file.folder, folder_size);
  for (uint64_t number = 0; number < 1000000; ++number) {
    char* end = path + folder_size;
    *end++ = '/';
    end = raw_digits(end, (uint64_t)raw_call3(SYS_getpid, 0, 0, 0));
    *end++ = '-';
    end = raw_digits(end, number);
    memcpy(end, ".stacks", 8);
    const long made = raw_call6(SYS_openat, AT_FDCWD, (long)path,
                                O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600, 0, 0);
    if (made != -17) // EEXIST
      return (int)made;
  }
  return -1;
}

static struct dragnet_stacks_header empty_header(void) {
  const struct dragnet_stacks_header header = {.magic = DRAGNET_STACKS_MAGIC,
                                               .process = (uint32_t)raw_call3(SYS_getpid, 0, 0, 0),
                                               .parent = (uint32_t)raw_call3(SYS_getppid, 0, 0, 0),
                                               .module_capacity = module_capacity,
                                               .gap_capacity = gap_capacity,
                                               .file_capacity = file_capacity,
                                               .text_capacity = text_capacity,
                                               .stack_capacity = stack_capacity,
                                               .word_capacity = word_capacity,
                                               .use_capacity = use_capacity};
  return header;
}

// A new file in memory, at a place or anywhere.
static void* map_new_file(void* place) {
  const int made = new_file();
  if (made < 0)
    return NULL;
  void* mapped = NULL;
  if (raw_call3(SYS_ftruncate, made, (long)file.size, 0) == 0)
    mapped = raw_map(place, file.size, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_NORESERVE | (place == NULL ? 0 : MAP_FIXED), made);
  raw_call3(SYS_close, made, 0, 0);
  // Most of it is never touched: reading ahead would fill memory with zeros.
  if (mapped != NULL)
    raw_call3(SYS_madvise, (long)mapped, (long)file.size, MADV_RANDOM);
  return mapped;
}

static void* memory(size_t size) {
  return raw_map(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1);
}

static void place_parts(void) {
  file.modules = at(DRAGNET_STACKS_HEADER_SIZE);
  file.gaps = at(dragnet_gaps_at(file.header));
  file.files = at(dragnet_files_at(file.header));
  file.texts = at(dragnet_texts_at(file.header));
  file.stacks = at(dragnet_stacks_at(file.header));
  file.words = at(dragnet_words_at(file.header));
  file.uses = at(dragnet_uses_at(file.header));
}

static bool make_slots(void) {
  slots.files = memory(slot_count * sizeof(slot));
  slots.stacks = memory(slot_count * sizeof(slot));
  slots.uses = memory(slot_count * sizeof(slot));
  ledger_state = memory(4096);
  return slots.files != NULL && slots.stacks != NULL && slots.uses != NULL &&
         ledger_state != NULL &&
         raw_call3(SYS_madvise, (long)ledger_state, 4096, MADV_WIPEONFORK) == 0;
}

bool ledger_open(const char* folder) {
  const size_t size = raw_size(folder);
  if (size >= sizeof file.folder || !make_slots())
    return false;
  memcpy(file.folder, folder, size + 1);
  const struct dragnet_stacks_header header = empty_header();
  file.size = dragnet_stacks_size(&header);
  file.header = map_new_file(NULL);
  if (file.header == NULL)
    return false;
  *file.header = header;
  place_parts();
  atomic_store(ledger_state, ledger_begun);
  return true;
}

const char* ledger_folder(void) {
  return file.folder;
}

void ledger_begin_in_child(void) {
  uint32_t expected = new_process;
  if (!atomic_compare_exchange_strong(ledger_state, &expected, 1)) {
    while (!ledger_is_ours())
      raw_call3(SYS_sched_yield, 0, 0, 0);
    return;
  }
  atomic_flag_clear(&lock);
  struct dragnet_stacks_header header = empty_header();
  header.forked = 1;
  header.sites = file.header->sites;
  if (map_new_file(file.header) == NULL) {
    // Nothing may go to the parent's file but that this one is missing.
    atomic_fetch_add((_Atomic uint32_t*)&file.header->lost_processes, 1);
    raw_map(file.header, file.size, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  }
  *file.header = header;
  raw_call3(SYS_madvise, (long)slots.files, slot_count * sizeof(slot), MADV_DONTNEED);
  raw_call3(SYS_madvise, (long)slots.stacks, slot_count * sizeof(slot), MADV_DONTNEED);
  raw_call3(SYS_madvise, (long)slots.uses, slot_count * sizeof(slot), MADV_DONTNEED);
  forget_code();
  atomic_store(ledger_state, ledger_begun);
}

struct dragnet_stacks_header* ledger_header(void) {
  return file.header;
}

void ledger_own_read(long result) {
  ++file.header->own.reads;
  if (result > 0)
    file.header->own.read_bytes += (uint64_t)result;
}

void ledger_lock(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
    raw_call3(SYS_sched_yield, 0, 0, 0);
}

void ledger_unlock(void) {
  atomic_flag_clear_explicit(&lock, memory_order_release);
}

void ledger_lose(void) {
  atomic_fetch_add((_Atomic uint64_t*)&file.header->lost, 1);
}

// Raises a count of the header once the record that it covers is whole.
static void publish(uint32_t* count) {
  atomic_store_explicit((_Atomic uint32_t*)count, *count + 1, memory_order_release);
}

// Where a text lies among the texts; false when there is no room.
static bool add_text(const char* text, size_t size, uint32_t* where) {
  if (size > text_capacity - file.header->text_count)
    return false;
  *where = file.header->text_count;
  memcpy(file.texts + *where, text, size);
  file.header->text_count += (uint32_t)size;
  return true;
}

void ledger_add_module(const struct code* code, const char* path) {
  const uint32_t count = file.header->module_count;
  struct dragnet_stacks_module* added = &file.modules[count];
  const size_t size = raw_size(path);
  if (count == module_capacity)
    return;
  *added = (struct dragnet_stacks_module){.start = code->start,
                                          .end = code->end,
                                          .file_offset = code->file_offset,
                                          .inode = code->inode,
                                          .text_size = (uint32_t)size};
  if (add_text(path, size, &added->text_at))
    publish(&file.header->module_count);
}

void ledger_add_gap(uint64_t address, uint32_t number) {
  if (file.header->gap_count == gap_capacity)
    return;
  file.gaps[file.header->gap_count] = (struct dragnet_gap){.address = address, .number = number};
  publish(&file.header->gap_count);
}

static uint64_t mixed(uint64_t value) {
  value ^= value >> 32;
  value *= 0x9e3779b97f4a7c15u;
  return value ^ value >> 29;
}

static bool is_file(uint32_t number, const char* path, size_t size) {
  const struct dragnet_stacks_file* known = &file.files[number];
  return known->text_size == size && memcmp(file.texts + known->text_at, path, size) == 0;
}

static uint32_t find_file(const char* path, size_t size, slot** free_slot) {
  uint64_t hash = size;
  for (size_t byte = 0; byte < size; ++byte)
    hash = (hash ^ (uint8_t)path[byte]) * 0x100000001b3u;
  for (uint64_t place = mixed(hash);; ++place) {
    slot* here = &slots.files[place % slot_count];
    const uint32_t found = atomic_load_explicit(here, memory_order_acquire);
    *free_slot = here;
    if (found == 0)
      return LEDGER_NONE;
    if (is_file(found - 1, path, size))
      return found - 1;
  }
}

uint32_t ledger_file(const char* path, size_t size) {
  slot* free_slot;
  uint32_t found = find_file(path, size, &free_slot);
  if (found != LEDGER_NONE)
    return found;
  ledger_lock();
  found = find_file(path, size, &free_slot);
  const uint32_t count = file.header->file_count;
  if (found == LEDGER_NONE && count < file_capacity &&
      add_text(path, size, &file.files[count].text_at)) {
    file.files[count].text_size = (uint32_t)size;
    publish(&file.header->file_count);
    atomic_store_explicit(free_slot, count + 1, memory_order_release);
    found = count;
  }
  ledger_unlock();
  return found;
}

static bool is_stack(uint32_t number, uint64_t hash, const uint64_t* addresses, uint32_t depth) {
  const struct dragnet_stack* known = &file.stacks[number];
  if (known->hash != hash || known->depth != depth)
    return false;
  const uint64_t* words = file.words + known->word_at;
  uint64_t differs = 0;
  for (uint32_t index = 0; index < depth; ++index)
    differs |= words[index] ^ addresses[index];
  return differs == 0;
}

static uint32_t find_stack(uint64_t hash, const uint64_t* addresses, uint32_t depth,
                           slot** free_slot) {
  for (uint64_t place = mixed(hash);; ++place) {
    slot* here = &slots.stacks[place % slot_count];
    const uint32_t found = atomic_load_explicit(here, memory_order_acquire);
    *free_slot = here;
    if (found == 0)
      return LEDGER_NONE;
    if (is_stack(found - 1, hash, addresses, depth))
      return found - 1;
  }
}

static uint32_t add_stack(struct dragnet_stack stack, const uint64_t* addresses, slot* free_slot) {
  struct dragnet_stacks_header* header = file.header;
  const uint32_t count = header->stack_count;
  if (count == stack_capacity || stack.depth > word_capacity - header->word_count)
    return LEDGER_NONE;
  stack.word_at = header->word_count;
  stack.modules = header->module_count;
  memcpy(file.words + stack.word_at, addresses, stack.depth * sizeof *addresses);
  file.stacks[count] = stack;
  header->word_count += stack.depth;
  header->cut += stack.whole == 0;
  publish(&header->stack_count);
  atomic_store_explicit(free_slot, count + 1, memory_order_release);
  return count;
}

uint32_t ledger_stack(const uint64_t* addresses, uint32_t depth, bool whole) {
  uint64_t hash = stack_salt + depth;
  for (uint32_t index = 0; index < depth; ++index)
    hash = mixed(hash ^ addresses[index]);
  slot* free_slot;
  uint32_t found = find_stack(hash, addresses, depth, &free_slot);
  if (found != LEDGER_NONE)
    return found;
  ledger_lock();
  found = find_stack(hash, addresses, depth, &free_slot);
  if (found == LEDGER_NONE)
    found = add_stack((struct dragnet_stack){.hash = hash, .depth = depth, .whole = whole},
                      addresses, free_slot);
  ledger_unlock();
  return found;
}

static struct dragnet_use* find_use(const struct dragnet_use* wanted, slot** free_slot) {
  uint64_t hash = mixed(((uint64_t)wanted->stack << 32) | wanted->file);
  hash = mixed(hash ^ ((uint64_t)wanted->kind << 32) ^ wanted->thread);
  for (uint64_t place = hash;; ++place) {
    slot* here = &slots.uses[place % slot_count];
    const uint32_t found = atomic_load_explicit(here, memory_order_acquire);
    *free_slot = here;
    if (found == 0)
      return NULL;
    struct dragnet_use* known = &file.uses[found - 1];
    if (known->stack == wanted->stack && known->file == wanted->file &&
        known->kind == wanted->kind && known->thread == wanted->thread)
      return known;
  }
}

struct dragnet_use* ledger_use(uint32_t stack, uint32_t number, uint32_t kind, uint32_t thread) {
  const struct dragnet_use wanted = {
      .stack = stack, .file = number, .kind = kind, .thread = thread};
  slot* free_slot;
  struct dragnet_use* found = find_use(&wanted, &free_slot);
  if (found != NULL)
    return found;
  ledger_lock();
  found = find_use(&wanted, &free_slot);
  const uint32_t count = file.header->use_count;
  if (found == NULL && count < use_capacity) {
    found = &file.uses[count];
    *found = wanted;
    publish(&file.header->use_count);
    atomic_store_explicit(free_slot, count + 1, memory_order_release);
  }
  ledger_unlock();
  return found;
}

void ledger_forget_stacks(void) {
  stack_salt += 0x10001;
}
