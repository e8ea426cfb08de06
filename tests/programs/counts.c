/* Does as much work as its argument says, always in the same way. */
#include <stdlib.h>

int main(int count, char** words) {
  volatile unsigned value = 1;
  long left;
  for (left = count > 1 ? atol(words[1]) : 1000; left > 0; --left)
    value = value * 1664525u + 1013904223u;
  return value == 0;
}
