#include "starter/tree.h"
#include "starter/wire.h"

#include <cstdint>
#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace dragnet::starter {
namespace {

// The content of a small file of /proc; empty when it cannot be read.
bool read_small(const char* path, char* buffer, std::size_t size) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  const ssize_t got = ::read(file, buffer, size - 1);
  ::close(file);
  if (got <= 0)
    return false;
  buffer[got] = '\0';
  return true;
}

std::uint64_t field(const char* text, const char* name) {
  const char* at = std::strstr(text, name);
  return at == nullptr ? 0 : std::strtoull(at + std::strlen(name), nullptr, 10);
}

// The kernel adds what a reaped child transferred to its parent's account, so this covers the whole
// family.
void add_transfers(pid_t process, Report& report) {
  char path[64];
  char text[512];
  std::snprintf(path, sizeof path, "/proc/%d/io", static_cast<int>(process));
  if (!read_small(path, text, sizeof text))
    return;
  report.io_valid = 1;
  report.bytes_read += field(text, "rchar: ");
  report.bytes_written += field(text, "wchar: ");
  report.reads += field(text, "syscr: ");
  report.writes += field(text, "syscw: ");
}

std::uint64_t nanoseconds(const timeval& time) {
  return (static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U) +
         (static_cast<std::uint64_t>(time.tv_usec) * 1000U);
}

void add_usage(const rusage& usage, Report& report) {
  report.user_nanoseconds += nanoseconds(usage.ru_utime);
  report.system_nanoseconds += nanoseconds(usage.ru_stime);
  const auto peak = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024U;
  report.peak_bytes = peak > report.peak_bytes ? peak : report.peak_bytes;
  report.page_faults += static_cast<std::uint64_t>(usage.ru_minflt + usage.ru_majflt);
  report.context_switches += static_cast<std::uint64_t>(usage.ru_nvcsw + usage.ru_nivcsw);
}

pid_t parent_of(const char* process) {
  char path[300];
  char text[512];
  std::snprintf(path, sizeof path, "/proc/%s/stat", process);
  if (!read_small(path, text, sizeof text))
    return -1;
  // The name in parentheses may contain anything: the fields begin after the last one.
  const char* end = std::strrchr(text, ')');
  int parent = -1;
  char state = 0;
  return end != nullptr && std::sscanf(end + 1, " %c %d", &state, &parent) == 2 ? parent : -1;
}

// Grandchildren become our children when their parents end, so killing children again and again
// reaches all.
void kill_children() {
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr)
    return;
  const pid_t us = ::getpid();
  // NOLINTNEXTLINE(concurrency-mt-unsafe): this program has one thread
  while (const dirent* entry = ::readdir(folder))
    if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) != 0 &&
        parent_of(entry->d_name) == us)
      ::kill(static_cast<pid_t>(std::atoi(entry->d_name)), SIGKILL);
  ::closedir(folder);
}

// The id of an ended child that waits to be reaped; 0 when all still run, -1 when there is none at
// all.
pid_t ended_child() {
  siginfo_t info;
  info.si_pid = 0;
  if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
    return -1;
  return info.si_pid;
}

} // namespace

void become_reaper() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

int reap(pid_t process, Report& report) {
  add_transfers(process, report);
  int status = 0;
  rusage usage;
  std::memset(&usage, 0, sizeof usage);
  while (::wait4(process, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  add_usage(usage, report);
  return status;
}

void end_all(pid_t main_process, Report& report) {
  constexpr int longest_wait_ms = 10'000;
  for (int waited = 0; waited < longest_wait_ms;) {
    const pid_t ended = ended_child();
    if (ended < 0)
      return;
    if (ended > 0) {
      report.lingering += ended == main_process ? 0 : 1;
      reap(ended, report);
      continue;
    }
    kill_children();
    ::usleep(1000);
    ++waited;
  }
}

} // namespace dragnet::starter
