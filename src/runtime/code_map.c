#include "runtime/code_map.h"

#include "runtime/ledger.h"
#include "runtime/raw_calls.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

enum { code_capacity = 4096, line_size = 4352 };

static struct code codes[code_capacity];
static uint32_t code_count;

// The lines of /proc/self/maps, one after the other.
struct lines {
  int file;
  size_t at;
  size_t filled;
  char buffer[4 * line_size];
};
static struct lines lines;

struct mapping {
  uint64_t start;
  uint64_t end;
  uint64_t file_offset;
  uint64_t inode;
  bool readable;
  bool executable;
  const char* path;
};

static bool open_lines(void) {
  lines.at = lines.filled = 0;
  lines.file = raw_open("/proc/self/maps");
  return lines.file >= 0;
}

static void close_lines(void) {
  raw_call3(SYS_close, lines.file, 0, 0);
}

static bool fill(void) {
  for (size_t byte = 0; byte < lines.filled - lines.at; ++byte)
    lines.buffer[byte] = lines.buffer[lines.at + byte];
  lines.filled -= lines.at;
  lines.at = 0;
  const long got = raw_call3(SYS_read, lines.file, (long)(lines.buffer + lines.filled),
                             (long)(sizeof lines.buffer - lines.filled));
  ledger_own_read(got);
  if (got <= 0)
    return false;
  lines.filled += (size_t)got;
  return true;
}

static char* next_line(void) {
  for (;;) {
    for (size_t end = lines.at; end < lines.filled; ++end)
      if (lines.buffer[end] == '\n') {
        lines.buffer[end] = '\0';
        char* line = lines.buffer + lines.at;
        lines.at = end + 1;
        return line;
      }
    if (!fill())
      return NULL;
  }
}

static uint64_t number(const char** at, unsigned base) {
  uint64_t value = 0;
  for (;; ++*at) {
    const char digit = **at;
    unsigned worth;
    if (digit >= '0' && digit <= '9')
      worth = (unsigned)(digit - '0');
    else if (base == 16 && digit >= 'a' && digit <= 'f')
      worth = (unsigned)(digit - 'a') + 10;
    else
      return value;
    value = value * base + worth;
  }
}

static bool next_mapping(struct mapping* mapping) {
  const char* at = next_line();
  if (at == NULL)
    return false;
  mapping->start = number(&at, 16);
  ++at;
  mapping->end = number(&at, 16);
  ++at;
  mapping->readable = at[0] == 'r';
  mapping->executable = at[2] == 'x';
  at += 5;
  mapping->file_offset = number(&at, 16);
  while (*at == ' ')
    ++at;
  number(&at, 16); // the device
  ++at;
  number(&at, 16);
  ++at;
  mapping->inode = number(&at, 10);
  while (*at == ' ')
    ++at;
  mapping->path = at;
  return true;
}

static void find_unwind_table(struct code* code) {
  const Elf64_Ehdr* header = (const Elf64_Ehdr*)code->image;
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_phoff > 4096 - 64 ||
      header->e_phnum > 40 || header->e_phentsize != sizeof(Elf64_Phdr))
    return;
  const Elf64_Phdr* part = (const Elf64_Phdr*)(code->image + header->e_phoff);
  uint64_t first = UINT64_MAX;
  uint64_t last = 0;
  const Elf64_Phdr* table = NULL;
  for (unsigned index = 0; index < header->e_phnum; ++index, ++part) {
    if (part->p_type == PT_LOAD && part->p_vaddr - part->p_offset < first)
      first = part->p_vaddr - part->p_offset;
    if (part->p_type == PT_LOAD && part->p_vaddr + part->p_memsz > last)
      last = part->p_vaddr + part->p_memsz;
    if (part->p_type == PT_GNU_EH_FRAME)
      table = part;
  }
  if (table == NULL || first > table->p_vaddr || last < table->p_vaddr + table->p_memsz)
    return;
  code->image_end = code->image - first + last;
  code->unwind = code->image - first + table->p_vaddr;
  code->unwind_size = table->p_memsz;
}

void each_code(code_visitor visit) {
  if (!open_lines())
    return;
  uint64_t image = 0;
  uint64_t image_inode = 0;
  for (struct mapping mapping; next_mapping(&mapping);) {
    if (mapping.file_offset == 0 && mapping.readable) {
      image = mapping.start;
      image_inode = mapping.inode;
    }
    if (!mapping.executable)
      continue;
    struct code code = {.start = mapping.start,
                        .end = mapping.end,
                        .file_offset = mapping.file_offset,
                        .inode = mapping.inode};
    const bool virtual_library = memcmp(mapping.path, "[vdso]", 6) == 0;
    if ((mapping.inode != 0 && mapping.inode == image_inode) || virtual_library) {
      code.image = image;
      find_unwind_table(&code);
    }
    visit(&code, mapping.path);
  }
  close_lines();
}

static const struct code* known_code(uint64_t address) {
  for (uint32_t index = code_count; index-- > 0;)
    if (address >= codes[index].start && address < codes[index].end)
      return &codes[index];
  return NULL;
}

static void add_code(const struct code* found, const char* path) {
  const struct code* known = known_code(found->start);
  if ((known != NULL && known->inode == found->inode) || code_count == code_capacity)
    return;
  codes[code_count++] = *found;
  ledger_add_module(found, path);
}

const struct code* code_at(uint64_t address) {
  const struct code* known = known_code(address);
  if (known != NULL)
    return known;
  each_code(add_code);
  return known_code(address);
}

void forget_code(void) {
  code_count = 0;
}

uint64_t mapped_until(uint64_t address) {
  uint64_t until = 0;
  if (!open_lines())
    return 0;
  for (struct mapping mapping; next_mapping(&mapping);) {
    if (!mapping.readable)
      continue;
    if ((address >= mapping.start && address < mapping.end) ||
        (until != 0 && mapping.start == until))
      until = mapping.end;
  }
  close_lines();
  return until;
}
