/* A small HTTP server on the port of its first argument. What it does is in the paths that are
 * asked for: /work/N     works for N rounds, times ROUNDS; /size/N answers with N bytes; /chunks/N
 * with N chunks /login      sets a cookie; /private is 403 without it /close      answers and
 * closes; /none closes without an answer; /late answers after a minute /fail       is 500; /crash
 * ends the server; anything else is 404 Further arguments: deaf (never listens), stubborn (ignores
 * SIGTERM), heir (leaves a process that holds the port). */
#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef ROUNDS
#define ROUNDS 100
#endif

static _Thread_local int is_head; /* then answers have no body */

static void say(int guest, const char* text) {
  if (write(guest, text, strlen(text)) < 0)
    pthread_exit(NULL);
}

static void answer(int guest, int status, const char* more, const char* body) {
  char head[512];
  snprintf(head, sizeof head, "HTTP/1.1 %d Said\r\nContent-Length: %zu\r\n%s\r\n", status,
           strlen(body), more);
  say(guest, head);
  if (!is_head)
    say(guest, body);
}

static void work(int rounds) {
  for (volatile long i = 0; i < (long)rounds * ROUNDS; ++i) {
  }
}

static void give_chunks(int guest, int count) {
  say(guest, "HTTP/1.1 200 Said\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < count; ++i)
    say(guest, "5\r\nhello\r\n");
  say(guest, "0\r\n\r\n");
}

static void give_bytes(int guest, int size) {
  char* body = calloc((size_t)size + 1, 1);
  memset(body, 'x', (size_t)size);
  answer(guest, 200, "", body);
  free(body);
}

/* False where the connection is to be closed. */
static int serve_request(int guest, const char* request) {
  is_head = strncmp(request, "HEAD", 4) == 0;
  const char* const path = strchr(request, ' ');
  if (path == NULL)
    return 0;
  int number = 0;
  if (sscanf(path, " /work/%d", &number) == 1)
    return work(number), answer(guest, 200, "", "done"), 1;
  if (sscanf(path, " /size/%d", &number) == 1)
    return give_bytes(guest, number), 1;
  if (sscanf(path, " /chunks/%d", &number) == 1)
    return give_chunks(guest, number), 1;
  if (strncmp(path, " /login", 7) == 0)
    return answer(guest, 200, "Set-Cookie: who=me; Path=/\r\n", "welcome"), 1;
  if (strncmp(path, " /private", 9) == 0)
    return answer(guest, strstr(request, "who=me") ? 200 : 403, "", "secret"), 1;
  if (strncmp(path, " /close", 7) == 0)
    return answer(guest, 200, "Connection: close\r\n", "bye"), 0;
  if (strncmp(path, " /none", 6) == 0)
    return 0;
  if (strncmp(path, " /late", 6) == 0)
    return sleep(60), 0;
  if (strncmp(path, " /fail", 6) == 0)
    return answer(guest, 500, "", "failed"), 1;
  if (strncmp(path, " /crash", 7) == 0)
    abort();
  return answer(guest, 404, "", "no"), 1;
}

/* Reads one request with its body into the buffer; false at the end. */
static int read_request(int guest, char* buffer, size_t size) {
  size_t used = 0;
  for (;;) {
    const ssize_t got = read(guest, buffer + used, size - used - 1);
    if (got <= 0)
      return 0;
    used += (size_t)got;
    buffer[used] = 0;
    const char* const end = strstr(buffer, "\r\n\r\n");
    const char* const length = strstr(buffer, "Content-Length: ");
    if (end != NULL &&
        used >= (size_t)(end + 4 - buffer) + (length ? strtoul(length + 16, NULL, 10) : 0))
      return 1;
  }
}

static void* serve_guest(void* given) {
  const int guest = (int)(long)given;
  char buffer[8192];
  while (read_request(guest, buffer, sizeof buffer) && serve_request(guest, buffer)) {
  }
  close(guest);
  return NULL;
}

int main(int count, char** words) {
  const char* const manner = count > 2 ? words[2] : "";
  const int on = 1;
  struct sockaddr_in place = {.sin_family = AF_INET,
                              .sin_port = htons((unsigned short)atoi(words[1]))};
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  signal(SIGPIPE, SIG_IGN);
  if (strcmp(manner, "deaf") == 0)
    for (;;)
      pause();
  if (strcmp(manner, "stubborn") == 0)
    signal(SIGTERM, SIG_IGN);
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, (struct sockaddr*)&place, sizeof place) != 0 || listen(listener, 64) != 0)
    return 3;
  if (strcmp(manner, "heir") == 0 && fork() == 0) {
    setsid();
    for (;;)
      pause();
  }
  for (;;) {
    const int guest = accept(listener, NULL, NULL);
    setsockopt(guest, IPPROTO_TCP, 1 /* TCP_NODELAY */, &on, sizeof on);
    pthread_t thread;
    if (guest < 0 || pthread_create(&thread, NULL, serve_guest, (void*)(long)guest) != 0)
      return 4;
    pthread_detach(thread);
  }
}
