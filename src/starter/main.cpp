// dragnet-starter: starts, limits and accounts commands for dragnet. A program of its own because a
// small process forks fast, because peak memory counts the memory of whoever forked, and because it
// outlives a killed dragnet by the moment it takes to end what was running.

#include "starter/bounded_log.h"
#include "starter/command.h"
#include "starter/tree.h"
#include "starter/wire.h"

#include <cstdint>
#include <fcntl.h>
#include <poll.h>
#include <sys/poll.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>

namespace {

using namespace dragnet::starter; // NOLINT(google-build-using-namespace): the whole file is this
                                  // room's program

bool read_whole(void* into, std::size_t size) {
  auto* at = static_cast<char*>(into);
  while (size > 0) {
    const ssize_t got = ::read(socket_number, at, size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_whole(const void* from, std::size_t size) {
  const auto* at = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t put = ::write(socket_number, at, size);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return false;
    at += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

std::uint64_t now() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return (static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U) +
         static_cast<std::uint64_t>(time.tv_nsec);
}

// Reads what is there; false when the writers are gone.
bool drain(int output, BoundedLog& log) {
  static char buffer[65536];
  const ssize_t got = ::read(output, buffer, sizeof buffer);
  if (got > 0)
    log.add(buffer, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

// Milliseconds for poll until the limit, rounded up; -1 for none.
int patience(std::uint64_t start, std::uint64_t limit) {
  if (limit == 0)
    return -1;
  const std::uint64_t passed = now() - start;
  if (passed >= limit)
    return 0;
  const std::uint64_t left = ((limit - passed) / 1'000'000U) + 1;
  return left > 1'000'000 ? 1'000'000 : static_cast<int>(left);
}

// Waits until the command ends, is too late, or is not wanted any more; keeps its output flowing
// meanwhile.
Ending watch(const Child& child, std::uint64_t start, std::uint64_t limit, BoundedLog& log) {
  pollfd watched[3] = {
      {child.handle, POLLIN, 0}, {child.output, POLLIN, 0}, {socket_number, POLLIN, 0}};
  for (;;) {
    const int ready = ::poll(watched, 3, patience(start, limit));
    if (watched[0].revents != 0 && ready > 0)
      return Ending::Exited;
    if (watched[2].revents != 0 && ready > 0)
      return Ending::Cancelled;
    if (ready >= 0 && limit != 0 && now() - start >= limit)
      return Ending::TimedOut;
    if (ready > 0 && watched[1].revents != 0 && !drain(child.output, log))
      watched[1].fd = -1;
  }
}

void note_status(int status, Report& report) {
  if (WIFSIGNALED(status)) {
    report.ending = Ending::Signalled;
    report.status = WTERMSIG(status);
  } else {
    report.status = WEXITSTATUS(status);
  }
}

void note_start_problem(const Child& child, Report& report) {
  int error_number = 0;
  if (::read(child.problem, &error_number, sizeof error_number) != sizeof error_number)
    return;
  report.ending = Ending::NotStarted;
  report.status = error_number;
}

void read_counter(const Child& child, Report& report) {
  std::uint64_t value = 0;
  if (child.counter >= 0 && ::read(child.counter, &value, sizeof value) == sizeof value) {
    report.counted = value;
    report.counted_valid = 1;
  }
}

void carry_out(const Command& command, BoundedLog& log, Report& report) {
  Child child;
  if (!fork_child(command, child)) {
    report.ending = Ending::NotStarted;
    report.status = errno;
    end_all(child.id, report);
    close_pipes(child);
    return;
  }
  const std::uint64_t start = now();
  [[maybe_unused]] const auto put = ::write(child.go, "g", 1);
  report.ending = watch(child, start, command.request.limit_nanoseconds, log);
  report.wall_nanoseconds = now() - start;
  if (report.ending == Ending::Exited)
    note_status(reap(child.id, report), report);
  else
    ::kill(-child.id, SIGKILL);
  end_all(child.id, report);
  // Output that was printed just before the end is still in the pipe.
  std::uint64_t before = log.total() + 1;
  while (before != log.total()) {
    before = log.total();
    drain(child.output, log);
  }
  if (report.ending == Ending::Exited)
    note_start_problem(child, report);
  read_counter(child, report);
  close_pipes(child);
}

// Splits the request's texts; false when they are not as many as were announced.
bool take_apart(char* texts, Command& command) {
  const Request& request = command.request;
  const std::uint64_t count = std::uint64_t{request.word_count} + request.variable_count + 2;
  auto** pointers = static_cast<char**>(std::calloc(count + 2, sizeof(char*)));
  char* at = texts;
  char* const end = texts + request.text_size;
  std::uint64_t slot = 0;
  for (std::uint64_t i = 0; i < count && at < end; ++i) {
    if (i == request.word_count)
      slot++; // the null pointer that ends the words
    if (i == std::uint64_t{request.word_count} + request.variable_count)
      slot++; // and the one that ends the variables
    pointers[slot++] = at;
    while (at < end && *at != '\0')
      ++at;
    ++at;
  }
  command.words = pointers;
  command.variables = pointers + request.word_count + 1;
  command.folder = pointers[count];
  command.input = pointers[count + 1];
  return slot == count + 2 && request.word_count > 0;
}

void release(Command& command) {
  std::free(static_cast<void*>(command.words));
}

// Carries out one request; false when dragnet is gone or what it sends makes no sense.
bool serve(char* texts, const Request& request) {
  Command command;
  command.request = request;
  if (!take_apart(texts, command)) {
    release(command);
    return false;
  }
  auto* memory = static_cast<char*>(std::malloc(request.log_limit));
  BoundedLog log(memory, request.log_limit);
  Report report;
  carry_out(command, log, report);
  report.printed_bytes = log.total();
  report.log_size = log.kept();
  auto* kept = static_cast<char*>(std::malloc(report.log_size + 1));
  log.copy(kept);
  const bool answered = write_whole(&report, sizeof report) && write_whole(kept, report.log_size);
  std::free(kept);
  std::free(memory);
  release(command);
  return answered;
}

} // namespace

int main() {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
  ::fcntl(socket_number, F_SETFD, FD_CLOEXEC);
  // What dragnet itself inherited is none of a benchmark's business.
  ::close_range(socket_number + 1, ~0U, 0);
  become_reaper();
  Request request;
  while (read_whole(&request, sizeof request)) {
    auto* texts = static_cast<char*>(std::malloc(request.text_size + 1U));
    const bool whole = texts != nullptr && read_whole(texts, request.text_size);
    const bool served = whole && serve(texts, request);
    std::free(texts);
    if (!served)
      return 1;
  }
  return 0;
}
