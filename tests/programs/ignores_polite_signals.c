/* Ignores every signal that can be ignored and works for ever, with a child that does the same. */
#include <signal.h>
#include <unistd.h>

int main(void) {
  int number;
  for (number = 1; number < 32; ++number)
    signal(number, SIG_IGN);
  fork();
  for (;;)
    pause();
}
