#define _GNU_SOURCE
#include "runtime/call_sites.h"

#include "runtime/code_map.h"
#include "runtime/frame_rules.h"
#include "runtime/instruction_length.h"
#include "runtime/ledger.h"
#include "runtime/raw_calls.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

enum {
  site_capacity = 1024,
  jump_size = 5,
  stub_size = 96,
  no_number = 0x7fffffff,
  look_back = 16 // instructions in which the number must be found
};

struct site {
  uint64_t call;   // the instruction `syscall`
  uint64_t before; // where the room begins if it lies before the call; 0: it cannot
  uint64_t behind; // where it ends if it lies behind the call; 0: it cannot
  uint32_t number;
  bool cancellable; // perhaps
};

static struct site sites[site_capacity];
static uint32_t site_count;
static bool (*wanted)(uint32_t number);
static bool (*counting)(uint32_t number);

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
  if (site_count == site_capacity || (number != no_number && !wanted(number)))
    return;
  sites[site_count++] = (struct site){.call = call,
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
  uint32_t last = site_count;
  while (first < last) {
    const uint32_t middle = (first + last) / 2;
    if (sites[middle].call + 16 + jump_size <= address)
      first = middle + 1;
    else
      last = middle;
  }
  for (; first < site_count && sites[first].call <= address + jump_size; ++first) {
    struct site* site = &sites[first];
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
  const uint32_t first = site_count;
  for (uint64_t at = function.start; at < function.start + function.size;) {
    const struct instruction read = read_instruction((const uint8_t*)at, end);
    if (read.size == 0) {
      site_count = first;
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
  for (uint64_t at = function.start; first < site_count && at < function.start + function.size;) {
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
  if (site_count < site_capacity && (number == no_number || wanted(number)))
    sites[site_count++] = (struct site){.call = (uint64_t)call, .number = number};
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
    const uint32_t first = site_count;
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
  for (uint32_t index = first; index < site_count; ++index)
    for (int part = -1; part <= 2; ++part)
      near[(sites[index].call / 16 + (uint64_t)part) % sizeof near] = 1;
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

// Room for stubs that a jump from an address can reach.
static uint8_t* map_near(uint64_t address, size_t size) {
  for (uint64_t distance = 0x10000; distance < 0x60000000; distance += distance / 8 & ~0xfffful) {
    uint8_t* room = raw_map((void*)((address - distance) & ~0xffful), size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1);
    if (room != NULL)
      return room;
    if (distance < 0x80000)
      distance += 0x10000;
  }
  return NULL;
}

static uint8_t* put(uint8_t* at, const void* bytes, size_t size) {
  memcpy(at, bytes, size);
  return at + size;
}

static uint8_t* put_jump(uint8_t* at, uint64_t target) {
  const int32_t distance = (int32_t)(int64_t)(target - (uint64_t)at - jump_size);
  *at++ = 0xe9;
  return put(at, &distance, sizeof distance);
}

// The bytes of a site that make room.
struct room {
  uint64_t start;
  uint64_t end; // 0: there are none
};

static struct room room_of(const struct site* site) {
  if (site->behind != 0)
    return (struct room){site->call, site->behind};
  return (struct room){site->before, site->before == 0 ? 0 : site->call + 2};
}

static uint8_t* put_address(uint8_t* at, uint64_t address) {
  const uint32_t low = (uint32_t)address;
  const uint32_t high = (uint32_t)(address >> 32);
  at = put(at, "\x48\x8d\x64\x24\x80\x68", 6); // lea -128(%rsp),%rsp; push $low
  at = put(at, &low, sizeof low);
  at = put(at, "\xc7\x44\x24\x04", 4); // movl $high,4(%rsp)
  return put(at, &high, sizeof high);
}

static bool is_near(const void* a, uint64_t b) {
  const int64_t distance = (int64_t)((uint64_t)a - b);
  return distance > -0x7fff0000 && distance < 0x7fff0000;
}

static uint8_t* put_short_way(uint8_t* at, const struct site* site) {
  at = put(at, "\x0f\x05", 2); // syscall
  at = put_address(at, site->call + 2);
  *at++ = 0xb9; // mov $number,%ecx
  at = put(at, &site->number, sizeof site->number);
  at = put_jump(at, (uint64_t)&counted_call);
  at[-jump_size] = 0xe8;                                 // a call instead of a jump
  return put(at, "\x48\x8d\xa4\x24\x88\x00\x00\x00", 8); // lea 136(%rsp),%rsp
}

static uint8_t* put_long_way(uint8_t* at, const struct site* site) {
  const uint64_t target = (uint64_t)&hooked_call;
  at = put_address(at, site->call + 2);
  at = put(at, "\x4c\x8d\x1d\x10\x00\x00\x00", 7); // lea 16(%rip),%r11: behind the syscall below
  at = put(at, "\xff\x25\x00\x00\x00\x00", 6);     // jmp *0(%rip)
  at = put(at, &target, sizeof target);
  return put(at, "\x0f\x05", 2); // syscall
}

static void write_stub(uint8_t* stub, const struct site* site) {
  const struct room room = room_of(site);
  const uint64_t back = site->call + 2;
  uint8_t* at = put(stub, (const void*)room.start, site->call - room.start);
  const bool short_way =
      counting(site->number) && !site->cancellable && is_near(stub, (uint64_t)&counted_call);
  at = short_way ? put_short_way(at, site) : put_long_way(at, site);
  at = put(at, (const void*)back, room.end - back);
  put_jump(at, room.end);
}

static void redirect(const struct site* site, const uint8_t* stub) {
  const struct room room = room_of(site);
  uint8_t* at = put_jump((uint8_t*)room.start, (uint64_t)stub);
  while (at < (uint8_t*)room.end)
    *at++ = 0x90;
}

static uint8_t* stub_of(uint8_t* stubs, uint32_t first, uint32_t index) {
  return stubs + (size_t)(index - first) * stub_size;
}

// Writes the stubs and the jumps to them. Nothing else runs meanwhile.
static bool redirect_usable(const struct code* code, uint32_t first) {
  const size_t size = ((site_count - first) * stub_size + 0xfff) & ~0xffful;
  const long place = (long)code->start;
  const long length = (long)(code->end - code->start);
  uint8_t* const stubs = map_near(sites[first].call, size);
  if (stubs == NULL ||
      raw_call3(SYS_mprotect, place, length, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return false;
  for (uint32_t index = first; index < site_count; ++index)
    if (room_of(&sites[index]).end != 0) {
      write_stub(stub_of(stubs, first, index), &sites[index]);
      redirect(&sites[index], stub_of(stubs, first, index));
      ++ledger_header()->sites;
    }
  raw_call3(SYS_mprotect, (long)stubs, (long)size, PROT_READ | PROT_EXEC);
  raw_call3(SYS_mprotect, place, length, PROT_READ | PROT_EXEC);
  return true;
}

static void redirect_sites(const struct code* code, uint32_t first) {
  const bool done = first < site_count && redirect_usable(code, first);
  for (uint32_t index = first; index < site_count; ++index)
    if (!done || room_of(&sites[index]).end == 0)
      ledger_add_gap(sites[index].call, sites[index].number);
}

// What was found in a library is kept for the next process, in a file `INODE-OFFSET.sites` of the
// folder: a u64 number of sites, then each as below.
struct kept_site {
  uint64_t call; // from the start of the code
  uint32_t number;
  uint8_t before; // distances from the call; 0: no room
  uint8_t behind;
  uint16_t cancellable;
};
enum { kept_file_size = 8 + site_capacity * sizeof(struct kept_site) };

static void name_kept_file(char* path, const struct code* code) {
  const size_t size = raw_size(ledger_folder());
  memcpy(path, ledger_folder(), size);
  char* at = path + size;
  *at++ = '/';
  at = raw_digits(at, code->inode);
  *at++ = '-';
  at = raw_digits(at, code->file_offset);
  memcpy(at, ".sites", 7);
}

static bool load_sites(const struct code* code) {
  char path[ledger_folder_size + 64];
  name_kept_file(path, code);
  const int file = raw_open(path);
  if (file < 0)
    return false;
  const uint8_t* kept = raw_map(NULL, kept_file_size, PROT_READ, MAP_PRIVATE, file);
  raw_call3(SYS_close, file, 0, 0);
  if (kept == NULL)
    return false;
  uint64_t count;
  memcpy(&count, kept, sizeof count);
  const struct kept_site* site = (const struct kept_site*)(kept + 8);
  const uint32_t first = site_count;
  for (; count > 0 && site_count < site_capacity; --count, ++site) {
    const uint64_t call = code->start + site->call;
    if (call + 2 > code->end || memcmp((const void*)call, "\x0f\x05", 2) != 0)
      break;
    sites[site_count++] = (struct site){.call = call,
                                        .before = site->before == 0 ? 0 : call - site->before,
                                        .behind = site->behind == 0 ? 0 : call + site->behind,
                                        .number = site->number,
                                        .cancellable = site->cancellable != 0};
  }
  raw_call3(SYS_munmap, (long)kept, kept_file_size, 0);
  if (count > 0)
    site_count = first; // of another library
  return count == 0;
}

static void fill_kept_file(uint8_t* kept, const struct code* code, uint32_t first) {
  const uint64_t count = site_count - first;
  memcpy(kept, &count, sizeof count);
  struct kept_site* to = (struct kept_site*)(kept + 8);
  for (uint32_t index = first; index < site_count; ++index) {
    const struct site* site = &sites[index];
    *to++ =
        (struct kept_site){.call = site->call - code->start,
                           .number = site->number,
                           .before = (uint8_t)(site->before == 0 ? 0 : site->call - site->before),
                           .behind = (uint8_t)(site->behind == 0 ? 0 : site->behind - site->call),
                           .cancellable = site->cancellable};
  }
}

static void keep_sites(const struct code* code, uint32_t first) {
  char path[ledger_folder_size + 64];
  char own[ledger_folder_size + 96];
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
  fill_kept_file(kept, code, first);
  raw_call3(SYS_munmap, (long)kept, kept_file_size, 0);
  raw_call3(SYS_rename, (long)own, (long)path, 0);
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
  counting = only_counts;
  each_code(keep_library);
  for (uint32_t index = 0; index < library_count; ++index) {
    const uint32_t first = site_count;
    if (!load_sites(&libraries[index])) {
      find_sites(&libraries[index]);
      check_far_jumps(&libraries[index], first);
      keep_sites(&libraries[index], first);
    }
    redirect_sites(&libraries[index], first);
  }
}
