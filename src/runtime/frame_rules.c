// An entry (FDE) of .eh_frame holds a program that says, from one address to the next, where the
// frame of a function is and where registers were saved; what all functions share stands in another
// entry (CIE). Here the program is carried out up to the address, for rbp and the return address.
#include "runtime/frame_rules.h"

#include <dwarf.h>
#include <stddef.h>
#include <string.h>

enum { register_rbp = 6, register_rsp = 7, register_return = 16, deepest_state = 8 };

// Bytes that are read one after the other; reading beyond the end gives zeros and is noted.
struct cursor {
  const uint8_t* at;
  const uint8_t* end;
  bool failed;
};

struct entry {
  struct described code;
  struct cursor common_program;
  struct cursor program;
  uint64_t code_unit;
  int64_t data_unit;
  bool of_signal;
  bool found;
};

static uint64_t fixed(struct cursor* cursor, size_t size) {
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

static uint64_t unsigned_number(struct cursor* cursor) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint64_t byte = fixed(cursor, 1);
    if (shift < 64)
      value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) == 0)
      return value;
  }
}

static int64_t signed_number(struct cursor* cursor) {
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

static struct entry read_entry(const struct code* code, uint64_t address) {
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

static struct entry entry_at(const struct code* code, uint64_t address) {
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

// The state of a program that is carried out.
struct machine {
  struct frame_rule rule;
  struct frame_rule initial;
  struct frame_rule kept[deepest_state];
  unsigned kept_count;
  uint64_t place;
  bool unknown;
};

static void save_at(struct machine* machine, uint64_t number, int64_t offset) {
  if (number == register_rbp) {
    machine->rule.rbp = RBP_IN_FRAME;
    machine->rule.rbp_offset = (int32_t)offset;
  } else if (number == register_return) {
    machine->rule.return_offset = (int32_t)offset;
  }
}

static void restore(struct machine* machine, uint64_t number) {
  if (number == register_rbp) {
    machine->rule.rbp = machine->initial.rbp;
    machine->rule.rbp_offset = machine->initial.rbp_offset;
  } else if (number == register_return) {
    machine->rule.return_offset = machine->initial.return_offset;
  }
}

static void define_base(struct machine* machine, uint64_t number, int64_t offset) {
  machine->rule.base = number == register_rsp   ? FRAME_FROM_RSP
                       : number == register_rbp ? FRAME_FROM_RBP
                                                : FRAME_UNKNOWN;
  machine->rule.base_offset = (int32_t)offset;
}

// Of expressions, only those that gcc and clang write for realigned stacks are understood.
static void define_base_by_expression(struct machine* machine, struct cursor program) {
  machine->rule.base = FRAME_UNKNOWN;
  if (fixed(&program, 1) != DW_OP_breg6)
    return;
  machine->rule.base_offset = (int32_t)signed_number(&program);
  if (fixed(&program, 1) == DW_OP_deref && program.at == program.end && !program.failed)
    machine->rule.base = FRAME_BEHIND_RBP;
}

static void save_by_expression(struct machine* machine, uint64_t number, struct cursor program) {
  if (number == register_return)
    machine->unknown = true;
  if (number != register_rbp)
    return;
  machine->rule.rbp = RBP_UNKNOWN;
  if (fixed(&program, 1) != DW_OP_breg6)
    return;
  machine->rule.rbp_offset = (int32_t)signed_number(&program);
  if (program.at == program.end && !program.failed)
    machine->rule.rbp = RBP_AT_RBP;
}

static struct cursor block(struct cursor* program) {
  const uint64_t size = unsigned_number(program);
  struct cursor inner = {program->at, program->at, program->failed};
  if (size > (uint64_t)(program->end - program->at)) {
    program->failed = true;
    return inner;
  }
  inner.end = program->at += size;
  return inner;
}

static void keep_state(struct machine* machine) {
  if (machine->kept_count == deepest_state)
    machine->unknown = true;
  else
    machine->kept[machine->kept_count++] = machine->rule;
}

static void return_to_state(struct machine* machine) {
  if (machine->kept_count == 0)
    machine->unknown = true;
  else
    machine->rule = machine->kept[--machine->kept_count];
}

static void forget_register(struct machine* machine, uint64_t number) {
  if (number == register_return)
    machine->rule.base = FRAME_OF_FIRST_CODE;
  else if (number == register_rbp)
    machine->rule.rbp = RBP_UNKNOWN;
}

static void define(struct machine* machine, struct cursor* program, uint8_t operation,
                   int64_t unit) {
  uint64_t number;
  switch (operation) {
  case DW_CFA_def_cfa:
    number = unsigned_number(program);
    define_base(machine, number, (int64_t)unsigned_number(program));
    break;
  case DW_CFA_def_cfa_sf:
    number = unsigned_number(program);
    define_base(machine, number, signed_number(program) * unit);
    break;
  case DW_CFA_def_cfa_register:
    define_base(machine, unsigned_number(program), machine->rule.base_offset);
    break;
  case DW_CFA_def_cfa_offset:
    machine->rule.base_offset = (int32_t)unsigned_number(program);
    break;
  case DW_CFA_def_cfa_offset_sf:
    machine->rule.base_offset = (int32_t)(signed_number(program) * unit);
    break;
  case DW_CFA_def_cfa_expression:
    define_base_by_expression(machine, block(program));
    break;
  default:
    machine->unknown = true;
  }
}

static void carry_out_extended(struct machine* machine, struct cursor* program, uint8_t operation,
                               int64_t unit) {
  uint64_t number;
  switch (operation) {
  case DW_CFA_nop:
    break;
  case DW_CFA_offset_extended:
    number = unsigned_number(program);
    save_at(machine, number, (int64_t)unsigned_number(program) * unit);
    break;
  case DW_CFA_offset_extended_sf:
    number = unsigned_number(program);
    save_at(machine, number, signed_number(program) * unit);
    break;
  case DW_CFA_restore_extended:
    restore(machine, unsigned_number(program));
    break;
  case DW_CFA_undefined:
    forget_register(machine, unsigned_number(program));
    break;
  case DW_CFA_same_value:
    if (unsigned_number(program) == register_rbp)
      machine->rule.rbp = RBP_KEPT;
    break;
  case DW_CFA_remember_state:
    keep_state(machine);
    break;
  case DW_CFA_restore_state:
    return_to_state(machine);
    break;
  case DW_CFA_expression:
    number = unsigned_number(program);
    save_by_expression(machine, number, block(program));
    break;
  case DW_CFA_GNU_args_size:
    unsigned_number(program);
    break;
  case DW_CFA_register:
  case DW_CFA_val_offset:
  case DW_CFA_val_expression:
    // Not used for rbp and the return address by compilers; its operands cannot be skipped blindly.
    machine->unknown = true;
    break;
  default:
    define(machine, program, operation, unit);
  }
}

static uint64_t advance(struct cursor* program, uint8_t operation) {
  switch (operation) {
  case DW_CFA_advance_loc1:
    return fixed(program, 1);
  case DW_CFA_advance_loc2:
    return fixed(program, 2);
  case DW_CFA_advance_loc4:
    return fixed(program, 4);
  default:
    return 0;
  }
}

// Carries a program out up to an address.
static void carry_out(struct machine* machine, const struct entry* entry, struct cursor program,
                      uint64_t address) {
  while (program.at < program.end && !program.failed && !machine->unknown) {
    const uint8_t byte = (uint8_t)fixed(&program, 1);
    const uint8_t low = byte & 0x3f;
    if ((byte & 0xc0) == DW_CFA_advance_loc ||
        (byte >= DW_CFA_advance_loc1 && byte <= DW_CFA_advance_loc4)) {
      const uint64_t steps = (byte & 0xc0) == DW_CFA_advance_loc ? low : advance(&program, byte);
      machine->place += steps * entry->code_unit;
      if (machine->place > address)
        return;
    } else if ((byte & 0xc0) == DW_CFA_offset) {
      save_at(machine, low, (int64_t)unsigned_number(&program) * entry->data_unit);
    } else if ((byte & 0xc0) == DW_CFA_restore) {
      restore(machine, low);
    } else {
      carry_out_extended(machine, &program, byte, entry->data_unit);
    }
  }
  machine->unknown |= program.failed;
}

struct frame_rule read_rule(const struct code* code, uint64_t address) {
  const struct frame_rule unknown = {.base = FRAME_UNKNOWN};
  const struct entry entry = entry_at(code, address);
  if (!entry.found)
    return unknown;
  if (entry.of_signal)
    return (struct frame_rule){.base = FRAME_OF_SIGNAL};
  struct machine machine = {.place = entry.code.start};
  machine.rule.return_offset = -8;
  carry_out(&machine, &entry, entry.common_program, UINT64_MAX);
  machine.initial = machine.rule;
  machine.place = entry.code.start;
  carry_out(&machine, &entry, entry.program, address);
  return machine.unknown ? unknown : machine.rule;
}
