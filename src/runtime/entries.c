#include "runtime/entries.h"

#include "runtime/counts_format.h"
#include "runtime/record.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { binary_limit = 1024, module_limit = 8192 };

struct binary {
  const char* path;
  uint64_t path_size;
  const uint64_t* offsets;
  uint64_t count;
};

static struct binary binaries[binary_limit];
static uint32_t binary_count;
// Of each module: 0 not looked up, 1 none, otherwise the number of its binary plus 2.
static uint16_t binary_of_module[module_limit];

// Takes `size` bytes of what is left, rounded up to whole words; NULL when there are fewer.
static const void* take(const char** from, const char* end, uint64_t size) {
  const uint64_t rounded = (size + 7) / 8 * 8;
  if (rounded < size || rounded > (uint64_t)(end - *from))
    return NULL;
  const void* taken = *from;
  *from += rounded;
  return taken;
}

static bool take_binary(const char** from, const char* end, struct binary* binary) {
  const uint64_t* size = take(from, end, sizeof *size);
  if (size == NULL || (binary->path = take(from, end, *size)) == NULL)
    return false;
  binary->path_size = *size;
  const uint64_t* count = take(from, end, sizeof *count);
  if (count == NULL || *count > (uint64_t)(end - *from) / sizeof *count)
    return false;
  binary->count = *count;
  binary->offsets = take(from, end, *count * sizeof *binary->offsets);
  return binary->offsets != NULL;
}

static bool parse(const char* from, const char* end) {
  const uint64_t* magic = take(&from, end, sizeof *magic);
  const uint64_t* count = take(&from, end, sizeof *count);
  if (magic == NULL || count == NULL || *magic != DRAGNET_ENTRIES_MAGIC || *count > binary_limit)
    return false;
  for (; binary_count < *count; ++binary_count)
    if (!take_binary(&from, end, &binaries[binary_count]))
      return false;
  return true;
}

bool entries_open(const char* path) {
  const int opened = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (opened < 0)
    return false;
  void* mapped = MAP_FAILED;
  if (fstat(opened, &status) == 0 && status.st_size > 0)
    mapped = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, opened, 0);
  close(opened);
  return mapped != MAP_FAILED && parse(mapped, (const char*)mapped + status.st_size);
}

static const struct binary* binary_of(uint32_t index) {
  if (index >= module_limit)
    return NULL;
  uint16_t* known = &binary_of_module[index];
  if (*known == 0) {
    *known = 1;
    for (uint32_t number = 0; number < binary_count; ++number)
      if (record_module_has_path(index, binaries[number].path, binaries[number].path_size))
        *known = (uint16_t)(number + 2);
  }
  return *known == 1 ? NULL : &binaries[*known - 2];
}

bool is_entry(uint32_t module, uint64_t address) {
  const struct binary* binary = binary_of(module);
  if (binary == NULL)
    return false;
  const struct dragnet_module* place = record_module_at(module);
  const uint64_t offset = address - place->start + place->file_offset;
  uint64_t low = 0;
  uint64_t high = binary->count;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (binary->offsets[middle] < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low < binary->count && binary->offsets[low] == offset;
}
