// many_stacks [DEPTH]: writes a byte to /dev/null under 2^DEPTH different stacks, 2^20 if not said.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int file;

__attribute__((noinline)) int left(unsigned way, int depth);
__attribute__((noinline)) int right(unsigned way, int depth);

static int further(unsigned way, int depth) {
  if (depth == 0)
    return write(file, "x", 1) == 1 ? 0 : 1;
  return (way & 1) != 0 ? left(way >> 1, depth - 1) : right(way >> 1, depth - 1);
}

int left(unsigned way, int depth) {
  return further(way, depth) * 2;
}

int right(unsigned way, int depth) {
  return further(way, depth) * 3;
}

int main(int count, char** words) {
  const int depth = count > 1 ? atoi(words[1]) : 20;
  file = open("/dev/null", O_WRONLY);
  int sum = file < 0;
  for (unsigned way = 0; way < 1u << depth; ++way)
    sum += further(way, depth);
  return sum;
}
