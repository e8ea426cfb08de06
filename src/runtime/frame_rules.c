// An entry (FDE) of .eh_frame holds a program that says, from one address to the next, where the
// frame of a function is and where registers were saved; what all functions share stands in another
// entry (CIE). Here the program is carried out up to the address, for rbp and the return address.
#include "runtime/frame_rules.h"

#include "runtime/unwind_entries.h"

#include <dwarf.h>
#include <stddef.h>

enum { register_rbp = 6, register_rsp = 7, register_return = 16, deepest_state = 8 };

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
