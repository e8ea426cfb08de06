// What the kernel has accounted for this process, noted in its file.
#include "runtime/ledger.h"
#include "runtime/raw_calls.h"

#include <string.h>

static uint64_t number_behind(const char* text, const char* name) {
  const size_t size = raw_size(name);
  for (; *text != '\0'; ++text)
    if (memcmp(text, name, size) == 0) {
      uint64_t value = 0;
      for (text += size; *text >= '0' && *text <= '9'; ++text)
        value = value * 10 + (uint64_t)(*text - '0');
      return value;
    }
  return 0;
}

static bool accounted(struct dragnet_transfers* transfers) {
  char text[512];
  memset(text, 0, sizeof text);
  const int source = raw_open("/proc/self/io");
  if (source < 0)
    return false;
  const long got = raw_call3(SYS_read, source, (long)text, sizeof text - 64);
  raw_call3(SYS_close, source, 0, 0);
  ledger_own_read(got);
  transfers->read_bytes = number_behind(text, "rchar: ");
  transfers->written_bytes = number_behind(text, "wchar: ");
  transfers->reads = number_behind(text, "syscr: ");
  transfers->writes = number_behind(text, "syscw: ");
  return got > 0;
}

void ledger_note_start(void) {
  accounted(&ledger_header()->at_start);
}

void ledger_note_end(void) {
  struct dragnet_transfers now;
  const struct dragnet_transfers own = ledger_header()->own;
  if (!accounted(&now))
    return;
  // What was read just now is not in what it said.
  now.reads += ledger_header()->own.reads - own.reads;
  now.read_bytes += ledger_header()->own.read_bytes - own.read_bytes;
  ledger_header()->at_end = now;
  ledger_header()->ended = 1;
}
