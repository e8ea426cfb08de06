// many_processes WAY: works 10 times, then goes on in another process or ends in an odd way. In all
// ways but "threads", each further process or thread works 5 times more.
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;
static volatile unsigned sink;

__attribute__((noinline, noipa)) static void work(void) {
  for (unsigned i = 0; i < 100; ++i)
    sink += i;
}

static void work_times(int times) {
  for (int i = 0; i < times; ++i)
    work();
}

static void* thread(void* unused) {
  work_times(5);
  return unused;
}

static void wait_for_all(void) {
  while (wait(NULL) > 0) {
  }
}

static void in_children(void) {
  for (int child = 0; child < 3; ++child)
    if (fork() == 0) {
      work_times(5);
      _exit(0);
    }
  wait_for_all();
}

static void spawned(char* self) {
  char* words[] = {self, "child", NULL};
  pid_t child;
  if (posix_spawn(&child, self, NULL, NULL, words, environ) != 0)
    exit(1);
  wait_for_all();
}

static void without_environment(char* self) {
  char* words[] = {self, "child", NULL};
  char* none[] = {NULL};
  if (vfork() == 0) {
    execve(self, words, none);
    _exit(127);
  }
  wait_for_all();
}

static void in_two_threads(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, thread, NULL);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
}

static void by_shell(const char* self) {
  char command[4096];
  snprintf(command, sizeof command, "'%s' child", self);
  if (system(command) != 0)
    exit(1);
}

int main(int count, char** words) {
  const char* way = count > 1 ? words[1] : "";
  if (strcmp(way, "child") == 0) {
    work_times(5);
    return 0;
  }
  work_times(10);
  if (strcmp(way, "fork") == 0)
    in_children();
  else if (strcmp(way, "spawn") == 0)
    spawned(words[0]);
  else if (strcmp(way, "bare") == 0)
    without_environment(words[0]);
  else if (strcmp(way, "exec") == 0)
    execlp(words[0], words[0], "child", (char*)NULL);
  else if (strcmp(way, "shell") == 0)
    by_shell(words[0]);
  else if (strcmp(way, "threads") == 0)
    in_two_threads();
  else if (strcmp(way, "_exit") == 0)
    _exit(0);
  else if (strcmp(way, "kill") == 0)
    kill(getpid(), SIGKILL);
  else if (strcmp(way, "crash") == 0)
    abort();
  return 0;
}
