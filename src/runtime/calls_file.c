#define _GNU_SOURCE
#include "runtime/calls_file.h"

#include "runtime/loaded_code.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { module_capacity = 4096, text_capacity = 1 << 20, folder_size = 3072 };

static struct {
  char folder[folder_size];
  unsigned number; // tells images of one process apart
  uint64_t size;
  struct dragnet_calls_module* modules;
  char* texts;
  struct dragnet_calls_function* functions;
} file;

static struct {
  uint64_t offset;
  char path[folder_size];
} boundary;

struct dragnet_calls_header* calls_header;
uint32_t calls_cell[calls_cells];
static uint64_t addresses[calls_function_capacity]; // by number; of those unloaded 0
static atomic_flag lock = ATOMIC_FLAG_INIT;

void calls_lock(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
    sched_yield();
}

void calls_unlock(void) {
  atomic_flag_clear_explicit(&lock, memory_order_release);
}

void* calls_lane(uint32_t number) {
  return (char*)calls_header + dragnet_lanes_at(calls_header) +
         (number * dragnet_lane_size(calls_header));
}

void calls_path(char* path, size_t size, uint32_t lane, const char* kind) {
  snprintf(path, size, "%s/%ld-%u-%u.%s", file.folder, (long)getpid(), file.number, lane, kind);
}

static int new_file(void) {
  char path[folder_size + 64];
  for (unsigned number = 0; number < 1000000; ++number) {
    snprintf(path, sizeof path, "%s/%ld-%u.calls", file.folder, (long)getpid(), number);
    const int made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made >= 0) {
      file.number = number;
      return made;
    }
    if (errno != EEXIST)
      return -1;
  }
  return -1;
}

static void place_parts(void) {
  char* start = (char*)calls_header;
  file.modules = (struct dragnet_calls_module*)(start + DRAGNET_CALLS_PAGE);
  file.texts = start + dragnet_calls_texts_at(calls_header);
  file.functions =
      (struct dragnet_calls_function*)(start + dragnet_calls_functions_at(calls_header));
}

// Where memory is limited, fewer threads at a time have to do.
static bool map_file(int made, struct dragnet_calls_header* header) {
  for (; header->lane_capacity >= 4; header->lane_capacity /= 4) {
    file.size = dragnet_calls_size(header);
    if (ftruncate(made, (off_t)file.size) != 0)
      continue;
    void* mapped =
        mmap(NULL, file.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, made, 0);
    if (mapped == MAP_FAILED)
      continue;
    // Most of it is never touched: reading ahead would fill memory with zeros.
    madvise(mapped, file.size, MADV_RANDOM);
    calls_header = mapped;
    return true;
  }
  return false;
}

static void set_boundary(const char* text) {
  char* end;
  if (text == NULL)
    return;
  boundary.offset = strtoull(text, &end, 16);
  if (*end == ':' && strlen(end + 1) < sizeof boundary.path)
    strcpy(boundary.path, end + 1);
}

bool calls_open(const char* folder, uint32_t mode, uint32_t threads, const char* boundary_text) {
  if (strlen(folder) >= sizeof file.folder)
    return false;
  strcpy(file.folder, folder);
  const int made = new_file();
  if (made < 0)
    return false;
  struct dragnet_calls_header header = {.magic = DRAGNET_CALLS_MAGIC,
                                        .process = (uint32_t)getpid(),
                                        .parent = (uint32_t)getppid(),
                                        .mode = mode,
                                        .module_capacity = module_capacity,
                                        .text_capacity = text_capacity,
                                        .function_capacity = calls_function_capacity,
                                        .function_count = 1,
                                        .lane_capacity = threads,
                                        .frame_capacity = calls_frame_capacity};
  const bool mapped = map_file(made, &header);
  close(made);
  if (!mapped)
    return false;
  set_boundary(boundary_text);
  *calls_header = header;
  place_parts();
  return true;
}

static bool write_part(int into, uint64_t at, uint64_t size) {
  return pwrite(into, (char*)calls_header + at, size, (off_t)at) == (ssize_t)size;
}

bool calls_open_in_child(void) {
  atomic_flag_clear(&lock);
  struct dragnet_calls_header header = *calls_header;
  header.parent = header.process;
  header.process = (uint32_t)getpid();
  header.forked = 1;
  header.lane_count = 0;
  header.cuts = 0;
  header.lost = 0;
  const int made = new_file();
  const bool copied =
      made >= 0 && ftruncate(made, (off_t)file.size) == 0 &&
      write_part(made, DRAGNET_CALLS_PAGE, header.module_count * sizeof *file.modules) &&
      write_part(made, dragnet_calls_texts_at(&header), header.text_count) &&
      write_part(made, dragnet_calls_functions_at(&header),
                 header.function_count * sizeof *file.functions) &&
      mmap(calls_header, file.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
           made, 0) != MAP_FAILED;
  if (made >= 0)
    close(made);
  // Nothing may go to the parent's file.
  if (!copied)
    mmap(calls_header, file.size, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  *calls_header = header;
  return copied;
}

// Under the lock: notes a module that is not known yet.
static void add_module(const struct loaded_code* code) {
  struct dragnet_calls_header* header = calls_header;
  const size_t size = strlen(code->path);
  if (header->module_count == module_capacity || size > text_capacity - header->text_count)
    return;
  memcpy(file.texts + header->text_count, code->path, size);
  file.modules[header->module_count] =
      (struct dragnet_calls_module){.start = code->start,
                                    .end = code->end,
                                    .file_offset = code->file_offset,
                                    .text_at = header->text_count,
                                    .text_size = (uint32_t)size};
  header->text_count += (uint32_t)size;
  atomic_store_explicit((_Atomic uint32_t*)&header->module_count, header->module_count + 1,
                        memory_order_release);
}

static uint32_t known_module(uint64_t address) {
  for (uint32_t module = calls_header->module_count; module-- > 0;)
    if (file.modules[module].unloaded == 0 && address >= file.modules[module].start &&
        address < file.modules[module].end)
      return module;
  return module_capacity;
}

static uint32_t module_of(uint64_t address) {
  struct loaded_code code;
  const uint32_t known = known_module(address);
  if (known != module_capacity || !find_loaded_code(address, &code))
    return known;
  add_module(&code);
  return known_module(address);
}

static bool is_boundary(uint64_t address, uint32_t number) {
  if (boundary.path[0] == '\0' || number == module_capacity)
    return false;
  const struct dragnet_calls_module* module = &file.modules[number];
  return address - module->start + module->file_offset == boundary.offset &&
         strlen(boundary.path) == module->text_size &&
         memcmp(boundary.path, file.texts + module->text_at, module->text_size) == 0;
}

// Under the lock.
static uint32_t add_function(uint64_t address, uint32_t* cell) {
  const uint32_t number = calls_header->function_count;
  if (number == calls_function_capacity)
    return 0;
  const uint32_t module = module_of(address);
  file.functions[number] = (struct dragnet_calls_function){.address = address, .module = module};
  addresses[number] = address;
  if (is_boundary(address, module))
    calls_header->boundary = number;
  atomic_store_explicit((_Atomic uint32_t*)&calls_header->function_count, number + 1,
                        memory_order_release);
  atomic_store_explicit((_Atomic uint32_t*)cell, number * sizeof(struct dragnet_calls_record),
                        memory_order_release);
  return number;
}

static uint32_t find_function(uint64_t address, uint32_t** free_cell) {
  for (uint64_t place = address >> 4;; ++place) {
    uint32_t* cell = &calls_cell[place % calls_cells];
    const uint32_t number = atomic_load_explicit((_Atomic uint32_t*)cell, memory_order_acquire) /
                            sizeof(struct dragnet_calls_record);
    *free_cell = cell;
    if (number == 0 || addresses[number] == address)
      return number;
  }
}

uint32_t calls_number(uint64_t address) {
  uint32_t* cell;
  uint32_t number = find_function(address, &cell);
  if (number != 0)
    return number;
  calls_lock();
  number = find_function(address, &cell);
  if (number == 0)
    number = add_function(address, cell);
  calls_unlock();
  return number;
}

uint64_t calls_address(uint32_t function) {
  return addresses[function];
}

static bool is_loaded(const struct dragnet_calls_module* module) {
  struct loaded_code code;
  return find_loaded_code(module->start, &code) && code.start == module->start &&
         code.file_offset == module->file_offset && strlen(code.path) == module->text_size &&
         memcmp(code.path, file.texts + module->text_at, module->text_size) == 0;
}

void calls_forget_unloaded(void (*forget)(uint32_t function)) {
  calls_lock();
  for (uint32_t number = 0; number < calls_header->module_count; ++number) {
    struct dragnet_calls_module* module = &file.modules[number];
    if (module->unloaded != 0 || is_loaded(module))
      continue;
    module->unloaded = 1;
    for (uint32_t function = 1; function < calls_header->function_count; ++function)
      if (file.functions[function].module == number) {
        addresses[function] = 0;
        forget(function);
      }
  }
  calls_unlock();
}
