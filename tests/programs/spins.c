// Spends about three quarters of its time in one function and a quarter in another.
#include <stdio.h>

__attribute__((noinline, noipa)) static unsigned turn(unsigned value, unsigned rounds) {
  for (unsigned i = 0; i < rounds; ++i)
    value = value * 1664525u + 1013904223u;
  return value;
}

__attribute__((noinline, noipa)) static unsigned long_part(unsigned value) {
  for (unsigned i = 0; i < 3000; ++i)
    value = value * 1664525u + 1013904223u;
  return value;
}

int main(void) {
  unsigned value = 1;
  for (int i = 0; i < 100000; ++i)
    value = long_part(turn(value, 1000));
  printf("%u\n", value);
  return 0;
}
