// A library that writes.
#include <unistd.h>

int library_writer(int file) {
  return write(file, "0123456789", 10) == 10 ? 1 : 2;
}
