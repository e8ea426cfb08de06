#include "runtime/modules.h"

#include "runtime/counts_format.h"
#include "runtime/record.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { known_limit = 256 };

// The modules that were found since the last change, the latest first to be asked.
static struct {
  uint32_t modules[known_limit];
  uint32_t count;
  uint32_t latest;
  uint64_t nameless_start; // a stretch without a file, as made by compilers at run time
  uint64_t nameless_end;
} known;
static atomic_bool moved;

void modules_moved(void) {
  atomic_store(&moved, true);
}

static bool covers(uint32_t index, uint64_t address) {
  const struct dragnet_module* module = record_module_at(index);
  return address >= module->start && address < module->end;
}

// A line of maps: "start-end rights offset device inode   path".
static bool parse_line(const char* line, uint64_t base, struct dragnet_module* place,
                       const char** path) {
  uint64_t start;
  uint64_t end;
  int path_at = 0;
  if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &start, &end,
             &place->file_offset, &path_at) != 3 ||
      path_at == 0)
    return false;
  place->start = start - base;
  place->end = end - base;
  *path = line + path_at;
  return true;
}

static uint32_t look_up(uint64_t address, uint64_t base) {
  uint32_t found = DRAGNET_NO_MODULE;
  FILE* maps = fopen("/proc/self/maps", "re");
  if (maps == NULL)
    return found;
  char line[PATH_MAX + 128];
  while (fgets(line, sizeof line, maps) != NULL) {
    struct dragnet_module place = {0};
    const char* path = NULL;
    line[strcspn(line, "\n")] = '\0';
    if (!parse_line(line, base, &place, &path) || address < place.start || address >= place.end)
      continue;
    if (path[0] == '/') {
      found = record_module(&place, path);
    } else {
      known.nameless_start = place.start;
      known.nameless_end = place.end;
    }
    break;
  }
  fclose(maps);
  return found;
}

uint32_t module_of(uint64_t address, uint64_t base) {
  if (atomic_exchange(&moved, false)) {
    known.count = 0;
    known.nameless_start = known.nameless_end = 0;
  }
  if (address >= known.nameless_start && address < known.nameless_end)
    return DRAGNET_NO_MODULE;
  if (known.count > 0 && covers(known.latest, address))
    return known.latest;
  for (uint32_t index = 0; index < known.count; ++index)
    if (covers(known.modules[index], address))
      return known.latest = known.modules[index];
  const uint32_t found = look_up(address, base);
  if (found != DRAGNET_NO_MODULE && known.count < known_limit) {
    known.modules[known.count++] = found;
    known.latest = found;
  }
  return found;
}
