// Calls in all ways that a tracer has to follow; the first argument says which.
#include "runtime/dragnet_mark.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT extern "C" __attribute__((noinline))

volatile int sink;
static std::jmp_buf place;

KEPT void leaf() {
  sink = sink + 1;
}
KEPT void work(int times) {
  for (int i = 0; i < times; ++i)
    leaf();
  sink = sink + 1;
}
KEPT void descend(int depth) {
  if (depth > 0)
    descend(depth - 1);
  else
    leaf();
  sink = sink + 1;
}
KEPT void throws() {
  leaf();
  throw 1;
}
KEPT void passes_on() {
  throws();
  sink = sink + 1;
}
KEPT void catches() {
  try {
    passes_on();
  } catch (int) {
    sink = sink + 1;
  }
  work(2);
}
KEPT void jumps() {
  leaf();
  std::longjmp(place, 1);
}
KEPT void is_jumped_to() {
  if (setjmp(place) == 0)
    jumps();
  work(2);
}
KEPT void handler(int) {
  leaf();
}
KEPT void handle_request(int number) {
  work(number);
  sink = sink + 1;
}
KEPT void* in_thread(void*) {
  work(1000);
  return nullptr;
}
KEPT void dies() {
  work(3);
  std::raise(SIGKILL);
}
KEPT void in_child() {
  work(5);
}

int main(int count, char** words) {
  const char* way = count > 1 ? words[1] : "";
  const auto is = [&](const char* name) { return std::strcmp(way, name) == 0; };
  if (is("plain"))
    work(10);
  if (is("deep"))
    descend(1000);
  if (is("throw"))
    catches();
  if (is("jump"))
    is_jumped_to();
  if (is("signal")) {
    std::signal(SIGUSR1, handler);
    for (int i = 0; i < 10; ++i)
      std::raise(SIGUSR1);
  }
  if (is("requests"))
    for (int i = 1; i <= 3; ++i)
      handle_request(i);
  if (is("marks"))
    for (int i = 1; i <= 3; ++i) {
      work(i);
      dragnet_mark();
    }
  if (is("threads")) {
    pthread_t threads[4];
    for (auto& thread : threads)
      pthread_create(&thread, nullptr, in_thread, nullptr);
    for (auto& thread : threads)
      pthread_join(thread, nullptr);
  }
  if (is("fork")) {
    work(1);
    const pid_t child = fork();
    if (child == 0) {
      in_child();
      _exit(0);
    }
    waitpid(child, nullptr, 0);
    work(1);
  }
  if (is("die"))
    dies();
  return 0;
}
