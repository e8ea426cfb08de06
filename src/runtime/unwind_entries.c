#include "runtime/unwind_entries.h"

#include <dwarf.h>
#include <string.h>

enum { register_return = 16 };

uint64_t fixed(struct cursor* cursor, size_t size) {
  uint64_t value = 0;
  if ((size_t)(cursor->end - cursor->at) < size) {
    cursor->failed = true;
    cursor->at = cursor->end;
    return 0;
  }
  memcpy(&value, cursor->at, size);
  cursor->at += size;
  return value;
}

uint64_t unsigned_number(struct cursor* cursor) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint64_t byte = fixed(cursor, 1);
    if (shift < 64)
      value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) == 0)
      return value;
  }
}

int64_t signed_number(struct cursor* cursor) {
  uint64_t value = 0;
  for (unsigned shift = 0;;) {
    const uint64_t byte = fixed(cursor, 1);
    if (shift < 64)
      value |= (byte & 0x7f) << shift;
    shift += 7;
    if ((byte & 0x80) != 0)
      continue;
    if (shift < 64 && (byte & 0x40) != 0)
      value |= ~(uint64_t)0 << shift;
    return (int64_t)value;
  }
}

// A pointer in one of the encodings that compilers use for code.
static uint64_t pointer(struct cursor* cursor, uint8_t encoding) {
  const uint64_t place = (uint64_t)cursor->at;
  uint64_t value;
  switch (encoding & 0x0f) {
  case DW_EH_PE_absptr:
  case DW_EH_PE_udata8:
  case DW_EH_PE_sdata8:
    value = fixed(cursor, 8);
    break;
  case DW_EH_PE_udata4:
    value = fixed(cursor, 4);
    break;
  case DW_EH_PE_sdata4:
    value = (uint64_t)(int64_t)(int32_t)fixed(cursor, 4);
    break;
  default:
    cursor->failed = true;
    return 0;
  }
  switch (encoding & 0x70) {
  case 0:
    return value;
  case DW_EH_PE_pcrel:
    return value + place;
  default:
    cursor->failed = true;
    return 0;
  }
}

// An entry behind its length; empty where it is none.
static struct cursor entry_bytes(const struct code* code, uint64_t address) {
  struct cursor bytes = {(const uint8_t*)address, (const uint8_t*)code->image_end, false};
  if (address < code->image || address + 8 > code->image_end)
    return (struct cursor){NULL, NULL, true};
  const uint64_t size = fixed(&bytes, 4);
  if (size == 0 || size >= 0xfffffff0 || size > (uint64_t)(bytes.end - bytes.at))
    return (struct cursor){NULL, NULL, true};
  bytes.end = bytes.at + size;
  return bytes;
}

// What an entry says by the letters of its augmentation.
struct letters {
  bool sized;
  uint8_t pointers;
};

static bool read_letters(struct cursor* bytes, const char* letters, struct entry* entry,
                         struct letters* said) {
  if (*letters == '\0')
    return true;
  if (*letters != 'z')
    return false;
  said->sized = true;
  const uint64_t size = unsigned_number(bytes);
  const uint8_t* behind = bytes->at + size;
  if (size > (uint64_t)(bytes->end - bytes->at))
    return false;
  for (++letters; *letters != '\0'; ++letters) {
    if (*letters == 'R')
      said->pointers = (uint8_t)fixed(bytes, 1);
    else if (*letters == 'S')
      entry->of_signal = true;
    else if (*letters == 'L')
      fixed(bytes, 1);
    else if (*letters == 'P')
      pointer(bytes, (uint8_t)(fixed(bytes, 1) & 0x0f));
    else if (*letters != 'B')
      return false;
  }
  bytes->at = behind;
  return true;
}

static bool read_common(const struct code* code, uint64_t address, struct entry* entry,
                        struct letters* said) {
  struct cursor bytes = entry_bytes(code, address);
  if (fixed(&bytes, 4) != 0)
    return false;
  const uint64_t version = fixed(&bytes, 1);
  const char* letters = (const char*)bytes.at;
  while (fixed(&bytes, 1) != 0) {
  }
  entry->code_unit = unsigned_number(&bytes);
  entry->data_unit = signed_number(&bytes);
  const uint64_t return_register = version == 1 ? fixed(&bytes, 1) : unsigned_number(&bytes);
  if (bytes.failed || return_register != register_return ||
      !read_letters(&bytes, letters, entry, said))
    return false;
  entry->common_program = bytes;
  return !bytes.failed;
}

struct entry read_entry(const struct code* code, uint64_t address) {
  struct entry entry = {0};
  struct cursor bytes = entry_bytes(code, address);
  const uint64_t place = (uint64_t)bytes.at;
  const uint64_t back = fixed(&bytes, 4);
  struct letters said = {0};
  if (bytes.failed || back == 0 || !read_common(code, place - back, &entry, &said))
    return entry;
  entry.code.start = pointer(&bytes, said.pointers);
  entry.code.size = pointer(&bytes, said.pointers & 0x0f);
  if (said.sized) {
    const uint64_t size = unsigned_number(&bytes);
    if (size > (uint64_t)(bytes.end - bytes.at))
      return entry;
    bytes.at += size;
  }
  entry.program = bytes;
  entry.found = !bytes.failed;
  return entry;
}

uint64_t next_entry(const struct code* code, uint64_t address) {
  const struct cursor bytes = entry_bytes(code, address);
  return bytes.failed ? 0 : (uint64_t)bytes.end;
}

struct table_row {
  int32_t code;
  int32_t entry;
};

// The sorted table at the end of .eh_frame_hdr, in the only form that linkers write.
static const struct table_row* table_of(const struct code* code, uint64_t* count) {
  const uint8_t* header = (const uint8_t*)code->unwind;
  *count = 0;
  if (code->unwind == 0 || code->unwind_size < 12 || header[0] != 1 ||
      header[1] != (DW_EH_PE_pcrel | DW_EH_PE_sdata4) || header[2] != DW_EH_PE_udata4 ||
      header[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4))
    return NULL;
  uint32_t rows;
  memcpy(&rows, header + 8, sizeof rows);
  if (rows > (code->unwind_size - 12) / sizeof(struct table_row))
    return NULL;
  *count = rows;
  return (const struct table_row*)(header + 12);
}

// The number of rows that begin at or below an address.
static uint64_t rows_until(const struct code* code, const struct table_row* rows, uint64_t count,
                           uint64_t address) {
  uint64_t low = 0;
  while (low < count) {
    const uint64_t middle = (low + count) / 2;
    if (code->unwind + (uint64_t)(int64_t)rows[middle].code <= address)
      low = middle + 1;
    else
      count = middle;
  }
  return low;
}

struct entry entry_at(const struct code* code, uint64_t address) {
  uint64_t count;
  const struct table_row* rows = table_of(code, &count);
  const uint64_t row = rows == NULL ? 0 : rows_until(code, rows, count, address);
  if (row == 0)
    return (struct entry){0};
  struct entry entry = read_entry(code, code->unwind + (uint64_t)(int64_t)rows[row - 1].entry);
  entry.found =
      entry.found && address >= entry.code.start && address - entry.code.start < entry.code.size;
  return entry;
}

struct described described_at(const struct code* code, uint64_t address) {
  const struct entry entry = entry_at(code, address);
  return entry.found ? entry.code : (struct described){0, 0};
}
