#include "starter/command.h"
#include "starter/wire.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace dragnet::starter {
namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

bool make_pipe(Pipe& made) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return false;
  made = {ends[0], ends[1]};
  return true;
}

void keep_to_cores(const Request& request) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  bool any = false;
  for (unsigned core = 0; core < core_limit; ++core) {
    if ((request.cores[core / 64] >> (core % 64) & 1) == 0)
      continue;
    CPU_SET(core, &allowed);
    any = true;
  }
  // Not allowed in some containers: then the command runs where the kernel puts it.
  if (any)
    ::sched_setaffinity(0, sizeof allowed, &allowed);
}

void reset_signals() {
  for (int number = 1; number < NSIG; ++number)
    ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

bool arrange_streams(const char* input, int output) {
  const int in = ::open(input[0] == '\0' ? "/dev/null" : input, O_RDONLY | O_CLOEXEC);
  return in >= 0 && ::dup2(in, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0 &&
         ::dup2(output, STDERR_FILENO) >= 0;
}

[[noreturn]] void become(const Command& command, int go, int output, int problem) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  reset_signals();
  keep_to_cores(command.request);
  if (command.request.fixed_addresses != 0)
    ::personality(ADDR_NO_RANDOMIZE);
  char byte = 0;
  if (arrange_streams(command.input, output) && ::chdir(command.folder) == 0 &&
      ::read(go, &byte, 1) == 1)
    ::execvpe(command.words[0], command.words, command.variables);
  const int error_number = errno;
  [[maybe_unused]] const auto put = ::write(problem, &error_number, sizeof error_number);
  ::_exit(127);
}

int open_counter(const Request& request, pid_t process) {
  if (request.counter_type == no_counter)
    return -1;
  perf_event_attr attributes;
  std::memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = request.counter_type;
  attributes.config = request.counter_config;
  attributes.disabled = 1;
  attributes.enable_on_exec = 1;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return static_cast<int>(
      ::syscall(SYS_perf_event_open, &attributes, process, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

void close_if_open(int& file) {
  if (file >= 0)
    ::close(file);
  file = -1;
}

} // namespace

bool fork_child(const Command& command, Child& child) {
  Pipe go;
  Pipe output;
  Pipe problem;
  if (!make_pipe(go) || !make_pipe(output) || !make_pipe(problem))
    return false;
  child.id = ::fork();
  if (child.id < 0)
    return false;
  if (child.id == 0)
    become(command, go.read_end, output.write_end, problem.write_end);
  ::close(go.read_end);
  ::close(output.write_end);
  ::close(problem.write_end);
  child.go = go.write_end;
  child.output = output.read_end;
  child.problem = problem.read_end;
  child.handle = static_cast<int>(::syscall(SYS_pidfd_open, child.id, 0));
  child.counter = open_counter(command.request, child.id);
  ::fcntl(child.output, F_SETFL, O_NONBLOCK);
  return child.handle >= 0;
}

void close_pipes(Child& child) {
  close_if_open(child.handle);
  close_if_open(child.go);
  close_if_open(child.problem);
  close_if_open(child.output);
  close_if_open(child.counter);
}

} // namespace dragnet::starter
