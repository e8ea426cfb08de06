#include "runtime/loaded_code.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { line_size = 4352 };

static char buffer[4 * line_size];

// "START-END RIGHTS OFFSET DEVICE INODE PATH"
static bool parse(char* line, uint64_t address, struct loaded_code* found) {
  char* at;
  found->start = strtoull(line, &at, 16);
  if (*at != '-' || address < found->start)
    return false;
  found->end = strtoull(at + 1, &at, 16);
  if (address >= found->end || strlen(at) < 6)
    return false; // an emulator does not say that code may be executed
  found->file_offset = strtoull(at + 6, &at, 16);
  const char* path = strchr(at, '/');
  found->path = path == NULL ? "" : path;
  return true;
}

bool find_loaded_code(uint64_t address, struct loaded_code* found) {
  const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0)
    return false;
  size_t filled = 0;
  bool known = false;
  for (ssize_t got; !known && filled < sizeof buffer - 1 &&
                    (got = read(maps, buffer + filled, sizeof buffer - 1 - filled)) > 0;) {
    filled += (size_t)got;
    buffer[filled] = '\0';
    char* line = buffer;
    for (char* end; !known && (end = strchr(line, '\n')) != NULL; line = end + 1) {
      *end = '\0';
      known = parse(line, address, found);
    }
    if (!known) {
      filled -= (size_t)(line - buffer);
      memmove(buffer, line, filled);
    }
  }
  close(maps);
  return known;
}
