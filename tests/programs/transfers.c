// transfers WHAT FILE: reads and writes in many ways, to be watched.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

static char block[512];
static const char* path;

static int opened(void) {
  const int file = open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
  if (file < 0)
    exit(9);
  return file;
}

APART int raw_writer(int file) {
  const int ok = write(file, block, sizeof block) == sizeof block;
  return ok + 1;
}

APART int middle(int file, int times) {
  int sum = 0;
  for (int i = 0; i < times; ++i)
    sum += raw_writer(file);
  return sum + 1;
}

APART int stdio_writer(FILE* file) {
  return fprintf(file, "%0100d\n", 7) + 1;
}

static inline __attribute__((always_inline)) int inlined_writer(int file) {
  return write(file, block, 64) == 64;
}

APART int outer_of_inlined(int file) {
  return inlined_writer(file) + 1;
}

static void by_stdio(void) {
  FILE* file = fopen(path, "w");
  for (int i = 0; i < 1000; ++i)
    stdio_writer(file);
  fclose(file);
}

static void in_pieces(void) {
  const int file = opened();
  const struct iovec pieces[] = {{block, 100}, {block, 200}};
  for (int i = 0; i < 10; ++i)
    if (writev(file, pieces, 2) != 300 || pwrite(file, block, 50, 0) != 50 ||
        pwritev(file, pieces, 2, 0) != 300 || pread(file, block, 20, 0) != 20)
      exit(9);
  fsync(file);
  fdatasync(file);
}

static void* in_thread(void* times) {
  middle(opened(), *(int*)times);
  return NULL;
}

// Under a large piece of its stack.
static void* in_large_thread(void* times) {
  volatile char large[200000];
  for (size_t at = 0; at < sizeof large; at += 512)
    large[at] = 1;
  middle(opened(), *(int*)times * large[0]);
  return NULL;
}

static void by_threads(void* (*thread)(void*)) {
  static int times = 20;
  pthread_t threads[200];
  for (int i = 0; i < 200; ++i)
    if (pthread_create(&threads[i], NULL, thread, &times) != 0)
      exit(9);
  for (int i = 0; i < 200; ++i)
    pthread_join(threads[i], NULL);
}

static void by_children(void) {
  middle(opened(), 3);
  for (int i = 0; i < 3; ++i)
    if (fork() == 0) {
      middle(opened(), 5);
      _exit(0);
    }
  while (wait(NULL) > 0) {
  }
}

static void by_grandchild(void) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      usleep(50000);
      middle(opened(), 7);
      _exit(0);
    }
    _exit(0);
  }
  wait(NULL);
  usleep(300000);
}

static volatile int handled;

static void on_signal(int number) {
  (void)number;
  handled = raw_writer(opened());
}

APART int interrupted(void) {
  return raise(SIGUSR1) + 1;
}

static void by_function_pointer(void) {
  int (*volatile writer)(int) = raw_writer;
  writer(opened());
}

static void by_call_number(void) {
  if (syscall(SYS_write, opened(), block, 33) != 33)
    exit(9);
}

static void by_instruction(void) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"(SYS_write), "D"(opened()), "S"(block), "d"(44)
                   : "rcx", "r11", "memory");
  if (result != 44)
    exit(9);
}

static void through_kernel(void) {
  const int from = opened();
  middle(from, 4);
  const int to = open("/dev/null", O_WRONLY);
  off_t at = 0;
  if (sendfile(to, from, &at, 1000) != 1000)
    exit(9);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || send(ends[0], block, 99, 0) != 99 ||
      recv(ends[1], block, 99, 0) != 99)
    exit(9);
}

static void through_library(const char* library) {
  void* opened_library = dlopen(library, RTLD_NOW);
  int (*writer)(int) =
      opened_library == NULL ? NULL : (int (*)(int))dlsym(opened_library, "library_writer");
  if (writer == NULL)
    exit(9);
  writer(opened());
  dlclose(opened_library);
}

static void* until_cancelled(void* unused) {
  (void)unused;
  int ends[2];
  char byte;
  if (pipe(ends) == 0)
    while (read(ends[0], &byte, 1) != 0) {
    }
  return NULL;
}

static void with_cancellation(void) {
  pthread_t thread;
  void* result;
  if (pthread_create(&thread, NULL, until_cancelled, NULL) != 0)
    exit(9);
  usleep(20000);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  if (result != PTHREAD_CANCELED)
    exit(9);
  middle(opened(), 2);
}

static APART void with_allocations(void) {
  for (int i = 0; i < 1000; ++i) {
    char* volatile memory = malloc(1000);
    free(memory);
  }
}

int main(int count, char** words) {
  if (count < 3)
    return 2;
  const char* what = words[1];
  path = words[2];
  memset(block, 'x', sizeof block);
  if (strcmp(what, "raw") == 0)
    middle(opened(), 10);
  else if (strcmp(what, "stdio") == 0)
    by_stdio();
  else if (strcmp(what, "pieces") == 0)
    in_pieces();
  else if (strcmp(what, "threads") == 0)
    by_threads(in_thread);
  else if (strcmp(what, "large") == 0)
    by_threads(in_large_thread);
  else if (strcmp(what, "children") == 0)
    by_children();
  else if (strcmp(what, "grandchild") == 0)
    by_grandchild();
  else if (strcmp(what, "inlined") == 0)
    outer_of_inlined(opened());
  else if (strcmp(what, "pointer") == 0)
    by_function_pointer();
  else if (strcmp(what, "number") == 0)
    by_call_number();
  else if (strcmp(what, "instruction") == 0)
    by_instruction();
  else if (strcmp(what, "kernel") == 0)
    through_kernel();
  else if (strcmp(what, "library") == 0)
    through_library(words[3]);
  else if (strcmp(what, "cancelled") == 0)
    with_cancellation();
  else if (strcmp(what, "allocations") == 0)
    with_allocations();
  else if (strcmp(what, "handler") == 0) {
    signal(SIGUSR1, on_signal);
    interrupted();
  } else if (strcmp(what, "killed") == 0) {
    middle(opened(), 6);
    raise(SIGKILL);
  } else if (strcmp(what, "exec") == 0) {
    middle(opened(), 2);
    char* const none[] = {NULL};
    execve(words[0], (char*[]){words[0], "raw", words[2], NULL}, none);
    return 9;
  } else if (strcmp(what, "range") == 0) {
    middle(opened(), 1);
    if (syscall(SYS_close_range, 0, ~0U, 0) != 0)
      return 9;
    path = "/dev/null";
    middle(opened(), 4);
  } else if (strcmp(what, "closed") == 0) {
    for (int file = 0; file < 256; ++file)
      close(file);
    middle(opened(), 3);
    close(0);
    path = "/dev/null";
    middle(opened(), 4);
  } else
    return 2;
  return 0;
}
