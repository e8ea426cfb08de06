#define _GNU_SOURCE
#include "runtime/raw_calls.h"

#include <fcntl.h>

void* raw_map(void* at, size_t size, int protection, int flags, int file) {
  const long mapped = raw_call6(SYS_mmap, (long)at, (long)size, protection, flags, file, 0);
  return mapped < 0 && mapped > -4096 ? NULL : (void*)mapped;
}

size_t raw_size(const char* text) {
  size_t size = 0;
  while (text[size] != '\0')
    ++size;
  return size;
}

bool starts_with(const char* text, const char* start) {
  for (; *start != '\0'; ++text, ++start)
    if (*text != *start)
      return false;
  return true;
}

char* raw_digits(char* at, uint64_t number) {
  char digits[20];
  size_t count = 0;
  do
    digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  while (count > 0)
    *at++ = digits[--count];
  return at;
}

int raw_open(const char* path) {
  return (int)raw_call6(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
}

// The compiler may call these; those of the C library use vector registers.
void* memcpy(void* restrict to, const void* restrict from, size_t size) {
  void* const result = to;
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
  return result;
}

void* memset(void* to, int value, size_t size) {
  void* const result = to;
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
  return result;
}

int memcmp(const void* a, const void* b, size_t size) {
  const unsigned char* left = a;
  const unsigned char* right = b;
  for (; size > 0; --size, ++left, ++right)
    if (*left != *right)
      return *left < *right ? -1 : 1;
  return 0;
}

int bcmp(const void* a, const void* b, size_t size) {
  return memcmp(a, b, size);
}
