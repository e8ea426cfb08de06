// Calls functions in all ways that a compiler knows, a known number of times.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEVER_INLINED __attribute__((noinline, noipa))

static volatile unsigned sink;

NEVER_INLINED static unsigned loop(unsigned rounds) {
  unsigned sum = 0;
  for (unsigned i = 0; i < rounds; ++i)
    sum = sum * 31 + i;
  return sum;
}

NEVER_INLINED static unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

NEVER_INLINED static unsigned add_one(unsigned value) {
  return value + 1;
}

NEVER_INLINED static unsigned add_two(unsigned value) {
  return value + 2;
}

NEVER_INLINED static unsigned tail_target(unsigned value) {
  return value ^ sink;
}

NEVER_INLINED static unsigned tail_caller(unsigned value) {
  return tail_target(value + 1);
}

typedef unsigned (*step)(unsigned);

NEVER_INLINED static unsigned through_pointer(step next, unsigned value) {
  return next(value) + 1;
}

NEVER_INLINED static unsigned tail_through_pointer(step next, unsigned value) {
  return next(value);
}

NEVER_INLINED static unsigned choose(unsigned value) {
  switch (value % 8) {
  case 0:
    return add_one(value) * 3;
  case 1:
    return value * 5;
  case 2:
    return add_two(value) * 7;
  case 3:
    return value ^ 0x55;
  case 4:
    return value << 3;
  case 5:
    return value / 3;
  case 6:
    return add_one(value) - 9;
  default:
    return value + 100;
  }
}

NEVER_INLINED static void copy_bytes(char* to, const char* from, unsigned long size) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

NEVER_INLINED static int compare(const void* a, const void* b) {
  const unsigned x = *(const unsigned*)a;
  const unsigned y = *(const unsigned*)b;
  return x < y ? -1 : x > y;
}

static jmp_buf back;

NEVER_INLINED static void jump_out(unsigned depth) {
  if (depth == 0)
    longjmp(back, 1);
  jump_out(depth - 1);
  ++sink;
}

NEVER_INLINED static void try_to_return(void) {
  if (setjmp(back) == 0)
    jump_out(5);
}

int main(void) {
  static unsigned numbers[500];
  static char text[1000];
  sink = loop(10000) + fibonacci(15);
  for (unsigned i = 0; i < 1000; ++i) {
    sink += through_pointer(i % 3 == 0 ? add_one : add_two, i);
    sink += tail_through_pointer(i % 4 == 0 ? add_one : add_two, i);
    sink += tail_caller(i) + choose(i);
  }
  for (unsigned i = 0; i < 500; ++i)
    numbers[i] = i * 2654435761u;
  qsort(numbers, 500, sizeof numbers[0], compare);
  copy_bytes(text, (const char*)numbers, sizeof text);
  for (unsigned i = 0; i < 10; ++i)
    try_to_return();
  printf("%u %d\n", sink, text[7]);
  return 0;
}
