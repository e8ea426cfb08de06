#define _GNU_SOURCE
#include "runtime/ledger.h"
#include "runtime/program_start.h"
#include "runtime/raw_calls.h"
#include "runtime/site_list.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// What was found in a library is kept for the next process, in a file `INODE-OFFSET.sites` of the
// folder: a u64 number of sites, then each as below.
struct kept_site {
  uint64_t call; // from the start of the code
  uint32_t number;
  uint8_t before; // distances from the call; 0: no room
  uint8_t behind;
  uint16_t cancellable;
  uint64_t code; // a hash of the bytes that make room
};
enum { kept_path_size = 4096 + 96 };
enum { kept_file_size = 8 + site_capacity * sizeof(struct kept_site) };

// Tells one version of a library from another that took its place.
static uint64_t hash_of(uint64_t call, uint64_t before, uint64_t behind) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint64_t at = call - before; at < call + (behind < 2 ? 2 : behind); ++at)
    hash = (hash ^ *(const uint8_t*)at) * 0x100000001b3u;
  return hash;
}

static void name_kept_file(char* path, const struct code* code) {
  const char* folder = sites_folder() == NULL ? ledger_folder() : sites_folder();
  const size_t size = raw_size(folder);
  memcpy(path, folder, size);
  char* at = path + size;
  *at++ = '/';
  at = raw_digits(at, code->inode);
  *at++ = '-';
  at = raw_digits(at, code->file_offset);
  memcpy(at, ".sites", 7);
}

bool load_sites(const struct code* code, struct sites* sites) {
  char path[kept_path_size];
  name_kept_file(path, code);
  const int file = raw_open(path);
  if (file < 0)
    return false;
  const uint8_t* kept = NULL;
  if (raw_call3(SYS_lseek, file, 0, SEEK_END) == kept_file_size)
    kept = raw_map(NULL, kept_file_size, PROT_READ, MAP_PRIVATE, file);
  raw_call3(SYS_close, file, 0, 0);
  if (kept == NULL)
    return false;
  uint64_t count;
  memcpy(&count, kept, sizeof count);
  const struct kept_site* site = (const struct kept_site*)(kept + 8);
  const uint32_t first = sites->count;
  for (; count > 0 && sites->count < site_capacity; --count, ++site) {
    const uint64_t call = code->start + site->call;
    if (site->call >= code->end - code->start - 256 || site->call < 256 ||
        hash_of(call, site->before, site->behind) != site->code)
      break;
    sites->list[sites->count++] =
        (struct site){.call = call,
                      .before = site->before == 0 ? 0 : call - site->before,
                      .behind = site->behind == 0 ? 0 : call + site->behind,
                      .number = site->number,
                      .cancellable = site->cancellable != 0};
  }
  raw_call3(SYS_munmap, (long)kept, kept_file_size, 0);
  if (count > 0)
    sites->count = first; // of another library
  return count == 0;
}

static void fill_kept_file(uint8_t* kept, const struct code* code, const struct sites* sites,
                           uint32_t first) {
  const uint64_t count = sites->count - first;
  memcpy(kept, &count, sizeof count);
  struct kept_site* to = (struct kept_site*)(kept + 8);
  for (uint32_t index = first; index < sites->count; ++index) {
    const struct site* site = &sites->list[index];
    *to++ =
        (struct kept_site){.call = site->call - code->start,
                           .number = site->number,
                           .before = (uint8_t)(site->before == 0 ? 0 : site->call - site->before),
                           .behind = (uint8_t)(site->behind == 0 ? 0 : site->behind - site->call),
                           .cancellable = site->cancellable};
    to[-1].code = hash_of(site->call, to[-1].before, to[-1].behind);
  }
}

void keep_sites(const struct code* code, const struct sites* sites, uint32_t first) {
  char path[kept_path_size];
  char own[kept_path_size];
  name_kept_file(path, code);
  memcpy(own, path, raw_size(path));
  *raw_digits(own + raw_size(path), ledger_header()->process) = '\0';
  const int file = (int)raw_call6(SYS_openat, AT_FDCWD, (long)own,
                                  O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600, 0, 0);
  if (file < 0)
    return;
  uint8_t* kept = NULL;
  if (raw_call3(SYS_ftruncate, file, kept_file_size, 0) == 0)
    kept = raw_map(NULL, kept_file_size, PROT_READ | PROT_WRITE, MAP_SHARED, file);
  raw_call3(SYS_close, file, 0, 0);
  if (kept == NULL)
    return;
  fill_kept_file(kept, code, sites, first);
  raw_call3(SYS_munmap, (long)kept, kept_file_size, 0);
  raw_call3(SYS_rename, (long)own, (long)path, 0);
}
