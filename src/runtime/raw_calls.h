// System calls without the C library, for code that runs inside its functions: nothing here touches
// errno, a lock or a vector register.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

static inline long raw_call6(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static inline long raw_call3(long number, long a, long b, long c) {
  return raw_call6(number, a, b, c, 0, 0, 0);
}

/// A mapping, or NULL.
void* raw_map(void* at, size_t size, int protection, int flags, int file);

/// The size of a text.
size_t raw_size(const char* text);

/// Whether a text begins with another.
bool starts_with(const char* text, const char* start);

/// Writes a number in decimal digits without an end; returns the position behind it.
char* raw_digits(char* at, uint64_t number);

/// Opens a file to read, or a negative error number.
int raw_open(const char* path);
