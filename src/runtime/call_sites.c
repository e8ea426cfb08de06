#include "runtime/call_sites.h"

#include "runtime/code_map.h"
#include "runtime/frame_rules.h"
#include "runtime/instruction_length.h"
#include "runtime/ledger.h"
#include "runtime/raw_calls.h"
#include "runtime/site_list.h"

#include <stddef.h>
#include <string.h>

enum { look_back = 16 }; // instructions in which the number must be found

static struct sites sites;
static bool (*wanted)(uint32_t number);

// Instructions up to a site, newest last, as a ring.
struct recent {
  uint64_t at[look_back];
  uint32_t count;
};

static uint64_t nth_last(const struct recent* recent, uint32_t back) {
  return recent->at[(recent->count - back) % look_back];
}

// What instructions before a call have put into a register as a constant.
static uint32_t constant_in(const struct recent* recent, uint8_t which) {
  for (uint32_t back = 1; back <= look_back && back <= recent->count; ++back) {
    const uint8_t* code = (const uint8_t*)nth_last(recent, back);
    const uint8_t extension = (*code & 0xf0) == 0x40 ? *code++ : 0;
    const uint8_t source = (uint8_t)((code[1] >> 3 & 7) | (extension & 4) << 1);
    const uint8_t target = (uint8_t)((code[1] & 7) | (extension & 1) << 3);
    uint32_t number;
    if (*code == 0xb8 + (which & 7) && (extension & 1) == which >> 3) {
      memcpy(&number, code + 1, sizeof number);
      return number;
    }
    if (code[1] < 0xc0 || target != which)
      continue;
    if ((*code == 0x31 || *code == 0x33) && source == target)
      return 0;
    if (*code == 0x89) // a copy of another register
      return source == which ? no_number : constant_in(recent, source);
  }
  return no_number;
}

// The end of the instructions behind a call that make room for a jump; 0: they cannot be moved.
static uint64_t room_behind(uint64_t call, const uint8_t* end) {
  uint64_t at = call + 2;
  while (at - call < jump_size) {
    const struct instruction next = read_instruction((const uint8_t*)at, end);
    if (next.size == 0 || !next.movable)
      return 0;
    at += next.size;
  }
  return at;
}

// The instruction before a call, where it is the one that sets the number.
static uint64_t room_before(uint64_t call, const struct recent* recent) {
  const uint64_t before = recent->count == 0 ? 0 : nth_last(recent, 1);
  return before + 5 == call && *(const uint8_t*)before == 0xb8 ? before : 0;
}

// The C library calls a function that allows cancellation just before such a system call.
static bool follows_call(const struct recent* recent) {
  for (uint32_t back = 1; back <= look_back && back <= recent->count; ++back)
    if (*(const uint8_t*)nth_last(recent, back) == 0xe8)
      return true;
  return false;
}

static void add_site(uint64_t call, const struct recent* recent, const uint8_t* end) {
  const uint32_t number = constant_in(recent, 0);
  if (sites.count == site_capacity || (number != no_number && !wanted(number)))
    return;
  sites.list[sites.count++] = (struct site){.call = call,
                                            .before = room_before(call, recent),
                                            .behind = room_behind(call, end),
                                            .number = number,
                                            .cancellable = follows_call(recent)};
}

// The bytes of a word that are equal to a byte, as their highest bits; above the first one there
// may be others that are not.
static uint64_t equal_bytes(uint64_t word, uint8_t byte) {
  const uint64_t ones = 0x0101010101010101u;
  const uint64_t differs = word ^ ones * byte;
  return (differs - ones) & ~differs & ones << 7;
}

// The next byte that is one of two.
static const uint8_t* next_of(const uint8_t* at, const uint8_t* end, uint8_t a, uint8_t b) {
  for (; at + 8 <= end; at += 8) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    const uint64_t found = equal_bytes(word, a) | equal_bytes(word, b);
    if (found != 0)
      return at + __builtin_ctzll(found) / 8;
  }
  return end;
}

static const uint8_t* next_call(const uint8_t* at, const uint8_t* end) {
  for (end -= 8; (at = next_of(at, end, 0x0f, 0x0f)) < end; ++at)
    if (at[1] == 0x05)
      return at;
  return NULL;
}

// Takes away the room that a jump to an address leads into. The sites are in the order of their
// addresses within each library.
static void take_away(uint64_t address, uint32_t first) {
  uint32_t last = sites.count;
  while (first < last) {
    const uint32_t middle = (first + last) / 2;
    if (sites.list[middle].call + 16 + jump_size <= address)
      first = middle + 1;
    else
      last = middle;
  }
  for (; first < sites.count && sites.list[first].call <= address + jump_size; ++first) {
    struct site* site = &sites.list[first];
    if (address > site->call && address < site->behind)
      site->behind = 0;
    if (site->before != 0 && address > site->before && address < site->call + 2)
      site->before = 0;
  }
}

// Reads one function and notes its sites. False where it is not understood to its end.
static bool read_function(const struct code* code, struct described function) {
  const uint8_t* const end = (const uint8_t*)code->end;
  struct recent recent = {.count = 0};
  const uint32_t first = sites.count;
  for (uint64_t at = function.start; at < function.start + function.size;) {
    const struct instruction read = read_instruction((const uint8_t*)at, end);
    if (read.size == 0) {
      sites.count = first;
      return false;
    }
    if (!read.one_byte && read.prefixes == 1 && read.size == 2 && read.opcode == 0x05)
      add_site(at, &recent, end);
    recent.at[recent.count++ % look_back] = at;
    at += read.size;
  }
  return true;
}

// Takes out the sites of a function that it jumps into.
static void check_jumps(const struct code* code, struct described function, uint32_t first) {
  const uint8_t* const end = (const uint8_t*)code->end;
  for (uint64_t at = function.start; first < sites.count && at < function.start + function.size;) {
    const struct instruction read = read_instruction((const uint8_t*)at, end);
    if (read.branches)
      take_away(read.target, first);
    at += read.size;
  }
}

// A call in code that the unwind tables do not describe: a gap, unless its number is not wanted.
static void note_undescribed(const uint8_t* call) {
  uint32_t number = no_number;
  if (call[-5] == 0xb8 || (call[-7] == 0x48 && call[-6] == 0xc7 && call[-5] == 0xc0))
    memcpy(&number, call - 4, sizeof number);
  if (sites.count < site_capacity && (number == no_number || wanted(number)))
    sites.list[sites.count++] = (struct site){.call = (uint64_t)call, .number = number};
}

static void find_sites(const struct code* code) {
  const uint8_t* const end = (const uint8_t*)code->end;
  for (const uint8_t* at = next_call((const uint8_t*)code->start, end); at != NULL;) {
    const struct described function = described_at(code, (uint64_t)at);
    if (function.size == 0) {
      note_undescribed(at);
      at = next_call(at + 2, end);
      continue;
    }
    const uint32_t first = sites.count;
    if (read_function(code, function))
      check_jumps(code, function, first);
    else
      note_undescribed(at);
    at = next_call((const uint8_t*)(function.start + function.size), end);
  }
}

// Takes out the sites that code elsewhere jumps into: anything that could be a jump over a distance
// of 32 bits counts, also where it is the middle of another instruction. Shorter jumps stay within
// their function, and are seen when that is read.
static void check_far_jumps(const struct code* code, uint32_t first) {
  // Places with a site nearby, 16 bytes each; of two that are far apart one may stand for the
  // other.
  static uint8_t near[1 << 16];
  for (uint32_t index = first; index < sites.count; ++index)
    for (int part = -1; part <= 2; ++part)
      near[(sites.list[index].call / 16 + (uint64_t)part) % sizeof near] = 1;
  const uint8_t* const end = (const uint8_t*)code->end - 8;
  const uint8_t* at = (const uint8_t*)code->start;
  for (; (at = next_of(at, end, 0x0f, 0xe9)) < end; ++at) {
    const bool conditional = at[0] == 0x0f;
    if (conditional && (at[1] & 0xf0) != 0x80)
      continue;
    const uint8_t* distance_at = at + (conditional ? 2 : 1);
    int32_t distance;
    memcpy(&distance, distance_at, sizeof distance);
    const uint64_t target = (uint64_t)distance_at + 4 + (uint64_t)(int64_t)distance;
    if (near[target / 16 % sizeof near] != 0)
      take_away(target, first);
  }
}

static bool has_name(const char* path, const char* name) {
  const char* last = path;
  for (; *path != '\0'; ++path)
    if (*path == '/')
      last = path + 1;
  return memcmp(last, name, raw_size(name)) == 0;
}

static struct code libraries[4];
static uint32_t library_count;

static void keep_library(const struct code* code, const char* path) {
  if (library_count < 4 && (has_name(path, "libc.so") || has_name(path, "libc-2") ||
                            has_name(path, "libpthread") || has_name(path, "ld-linux")))
    libraries[library_count++] = *code;
}

void hook_call_sites(bool (*is_wanted)(uint32_t number), bool (*only_counts)(uint32_t number)) {
  wanted = is_wanted;
  each_code(keep_library);
  for (uint32_t index = 0; index < library_count; ++index) {
    const uint32_t first = sites.count;
    if (!load_sites(&libraries[index], &sites)) {
      find_sites(&libraries[index]);
      check_far_jumps(&libraries[index], first);
      keep_sites(&libraries[index], &sites, first);
    }
    redirect_sites(&libraries[index], &sites, first, only_counts);
  }
}
