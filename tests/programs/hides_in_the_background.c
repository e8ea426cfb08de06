/* Becomes a daemon as the book says: two forks with setsid between them. The first process ends at
   once, the daemon sleeps for a long time. Its argument is there to be found in the list of
   processes. */
#include <unistd.h>

int main(void) {
  if (fork() != 0) {
    usleep(100000);
    return 0;
  }
  setsid();
  if (fork() != 0)
    _exit(0);
  sleep(1000);
  return 0;
}
