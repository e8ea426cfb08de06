#define _GNU_SOURCE
#include "runtime/call_sites.h"
#include "runtime/code_map.h"
#include "runtime/ledger.h"
#include "runtime/raw_calls.h"
#include "runtime/site_list.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

enum { stub_size = 96 };

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

static void write_stub(uint8_t* stub, const struct site* site,
                       bool (*only_counts)(uint32_t number)) {
  const struct room room = room_of(site);
  const uint64_t back = site->call + 2;
  uint8_t* at = put(stub, (const void*)room.start, site->call - room.start);
  const bool short_way =
      only_counts(site->number) && !site->cancellable && is_near(stub, (uint64_t)&counted_call);
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
static bool redirect_usable(const struct code* code, const struct sites* sites, uint32_t first,
                            bool (*only_counts)(uint32_t number)) {
  const size_t size = ((sites->count - first) * stub_size + 0xfff) & ~0xffful;
  const long place = (long)code->start;
  const long length = (long)(code->end - code->start);
  uint8_t* const stubs = map_near(sites->list[first].call, size);
  if (stubs == NULL ||
      raw_call3(SYS_mprotect, place, length, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return false;
  for (uint32_t index = first; index < sites->count; ++index)
    if (room_of(&sites->list[index]).end != 0) {
      write_stub(stub_of(stubs, first, index), &sites->list[index], only_counts);
      redirect(&sites->list[index], stub_of(stubs, first, index));
      ++ledger_header()->sites;
    }
  raw_call3(SYS_mprotect, (long)stubs, (long)size, PROT_READ | PROT_EXEC);
  raw_call3(SYS_mprotect, place, length, PROT_READ | PROT_EXEC);
  return true;
}

void redirect_sites(const struct code* library, const struct sites* sites, uint32_t first,
                    bool (*only_counts)(uint32_t number)) {
  const bool done = first < sites->count && redirect_usable(library, sites, first, only_counts);
  for (uint32_t index = first; index < sites->count; ++index)
    if (!done || room_of(&sites->list[index]).end == 0)
      ledger_add_gap(sites->list[index].call, sites->list[index].number);
}
