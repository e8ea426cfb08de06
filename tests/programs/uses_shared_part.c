#include <stdio.h>

unsigned shared_sum(unsigned (*each)(unsigned), unsigned count);
unsigned shared_step(unsigned value);

__attribute__((noinline, noipa)) static unsigned own_step(unsigned value) {
  return shared_step(value) + 1;
}

int main(void) {
  printf("%u\n", shared_sum(own_step, 20) + shared_sum(shared_step, 7));
  return 0;
}
