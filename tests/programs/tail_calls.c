// Functions that end with a call and leave no frame: by one way, straight into the C library, and by one of several ways.
#include <fcntl.h>
#include <unistd.h>

__attribute__((noinline)) long last(int file, const char* text) {
  const long written = write(file, text, 5);
  return written + 1;
}
__attribute__((noinline)) long middle(int file, const char* text) {
  return last(file, text + 1);
}
__attribute__((noinline)) long first(int file, const char* text) {
  return middle(file, text + 1);
}
__attribute__((noinline)) long direct(int file, const char* text) {
  return write(file, text, 7);
}
__attribute__((noinline)) long either(int file, const char* text) {
  return text[0] == 'x' ? middle(file, text) : last(file, text);
}

int main(int count, char** words) {
  const int file = open(words[count - 1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
  long sum = first(file, "one way, as far as it goes");
  sum += direct(file, "straight away");
  sum += either(file, "several ways");
  return sum == 77;
}
