/* Touches as many bytes as its argument says, in itself or, with a second argument, in a child. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int touch(size_t size) {
  char* memory = malloc(size);
  if (memory == NULL)
    return 1;
  memset(memory, 1, size);
  return memory[size - 1] == 1 ? 0 : 1;
}

int main(int count, char** words) {
  size_t size = (size_t)atol(words[1]);
  int status = 0;
  if (count < 3)
    return touch(size);
  if (fork() == 0)
    _exit(touch(size));
  wait(&status);
  return status;
}
