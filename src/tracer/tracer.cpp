#include "tracer/tracer.h"

#include "base/files.h"
#include "base/result.h"
#include "runtime/call_meanings.h"
#include "runtime/stacks_format.h"
#include "tracer/accounted.h"
#include "tracer/call_filter.h"
#include "tracer/code_space.h"
#include "tracer/watched_process.h"

#include <fmt/core.h>

#include <elf.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace dragnet::tracer {
namespace {

constexpr int at_call = SIGTRAP | 0x80;

void go_on(pid_t thread, long signal = 0) {
  ::ptrace(PTRACE_CONT, thread, 0L, signal);
}

// ... and stop when the call has ended.
void go_on_in_call(pid_t thread) {
  ::ptrace(PTRACE_SYSCALL, thread, 0L, 0L);
}

unsigned long message_of(pid_t thread) {
  unsigned long message = 0;
  ::ptrace(PTRACE_GETEVENTMSG, thread, 0L, &message);
  return message;
}

Call call_of(pid_t thread, const user_regs_struct& now) {
  return {.thread = thread,
          .number = static_cast<long>(now.orig_rax),
          .arguments = {now.rdi, now.rsi, now.rdx, now.r10, now.r8, now.r9},
          .result = static_cast<long>(now.rax),
          .from = {.pc = now.rip, .rsp = now.rsp, .rbp = now.rbp}};
}

// The process that a thread belongs to.
pid_t process_of_thread(pid_t thread) {
  const auto status = read_file(fmt::format("/proc/{}/status", thread));
  constexpr std::string_view name = "\nTgid:";
  const auto at = status ? status->find(name) : std::string::npos;
  return at == std::string::npos
             ? thread
             : static_cast<pid_t>(std::atoi(status->c_str() + at + name.size()));
}

bool is_thread_of(pid_t process, pid_t thread) {
  return ::syscall(SYS_tgkill, process, thread, 0) == 0 || errno == EPERM;
}

std::string program_of(pid_t process) {
  std::array<char, PATH_MAX> path{};
  const ssize_t size =
      ::readlink(fmt::format("/proc/{}/exe", process).c_str(), path.data(), path.size());
  return size > 0 ? std::string(path.data(), static_cast<std::size_t>(size)) : "a program";
}

} // namespace

Result<> Tracer::seize(pid_t command) {
  constexpr long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP |
                           PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                           PTRACE_O_TRACEEXEC;
  if (::ptrace(PTRACE_SEIZE, command, 0L, options) != 0)
    return Error{fmt::format("the kernel does not let us stop programs at system calls: {}",
                             std::generic_category().message(errno)),
                 "it is ptrace(2) that is not allowed here, as in some containers"};
  command_ = command;
  threads_[command].process = command;
  process_of(command);
  return success();
}

WatchedProcess& Tracer::process_of(pid_t process) {
  const auto known = processes_.find(process);
  if (known != processes_.end())
    return known->second;
  auto& made = processes_.try_emplace(process, process, folder_, CodeSpace(files_)).first->second;
  begin_image(made);
  return made;
}

Tracer::Thread& Tracer::thread_of(pid_t thread) {
  const auto [found, added] = threads_.try_emplace(thread);
  // It may be seen before the call that made it is seen to end.
  if (added)
    found->second.process = process_of_thread(thread);
  return found->second;
}

void Tracer::note_new(pid_t parent) {
  const auto made = static_cast<pid_t>(message_of(parent));
  const pid_t process = thread_of(parent).process;
  if (threads_.contains(made) || made == 0)
    return;
  if (is_thread_of(process, made)) {
    threads_[made].process = process;
    return;
  }
  threads_[made].process = made;
  drop_process(made); // the number may have been another's
  begin_image(processes_.emplace(made, process_of(process).child(made)).first->second);
}

void Tracer::drop_threads(pid_t process) {
  for (auto thread = threads_.begin(); thread != threads_.end();)
    thread = thread->second.process == process ? threads_.erase(thread) : std::next(thread);
}

// The process has become another program, carried on by its first thread.
void Tracer::note_program(pid_t process) {
  const auto former = static_cast<pid_t>(message_of(process));
  const dragnet_transfers before = started_ ? thread_of(former).before : dragnet_transfers{};
  started_ = true;
  add(unseen_, difference(before, accounted(process, process)));
  drop_threads(process);
  threads_[process].process = process;
  auto& known = process_of(process);
  end_image(known);
  known.begin_image(CodeSpace(files_));
  begin_image(known);
  note_kind(process);
}

// Programs that are not watched as they would run.
void Tracer::note_kind(pid_t process) {
  const FileDescriptor file(
      ::open(fmt::format("/proc/{}/exe", process).c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0)
    return;
  std::array<unsigned char, EI_NIDENT> start{};
  if (::pread(file.number(), start.data(), start.size(), 0) == ssize_t{EI_NIDENT} &&
      start[EI_CLASS] == ELFCLASS32)
    notes_.add(
        fmt::format("{}: a program of 32 bits, whose calls are not seen", program_of(process)));
  struct stat status{};
  if (::geteuid() != 0 && ::fstat(file.number(), &status) == 0 && (status.st_mode & S_ISUID) != 0 &&
      status.st_uid != ::geteuid())
    notes_.add(fmt::format("{}: ran without the privileges that its file gives, as it is watched",
                           program_of(process)));
}

void Tracer::note_filtered(pid_t thread) {
  switch (static_cast<Stop>(message_of(thread))) {
  case Stop::Executes: {
    auto& known = thread_of(thread);
    known.before = accounted(known.process, thread);
    break;
  }
  case Stop::UsesQueues:
    notes_.add(fmt::format("{}: uses io_uring, whose transfers are not seen",
                           program_of(thread_of(thread).process)));
    go_on(thread);
    return;
  case Stop::Counted:
  case Stop::MapsCode:
    break;
  }
  go_on_in_call(thread);
}

void Tracer::note_call(pid_t thread) {
  user_regs_struct now{};
  if (::ptrace(PTRACE_GETREGS, thread, 0L, &now) != 0)
    return;
  const Call call = call_of(thread, now);
  if (call.number < 0 || call.number >= CALL_NUMBER_LIMIT)
    return;
  auto& known = thread_of(thread);
  const unsigned meaning = meaning_of(call.number);
  if (meaning == CALL_EXECUTES) {
    if (started_)
      add(unseen_, difference(known.before, accounted(known.process, thread)));
  } else if (meaning == CALL_DOES_NOTHING) {
    note_code(process_of(known.process), thread);
  } else {
    process_of(known.process).count(call, known.stack);
  }
}

void Tracer::note_event(pid_t thread, int event) {
  switch (event) {
  case PTRACE_EVENT_FORK:
  case PTRACE_EVENT_VFORK:
  case PTRACE_EVENT_CLONE:
    note_new(thread);
    break;
  case PTRACE_EVENT_EXEC:
    note_program(thread);
    break;
  default:
    break;
  }
  go_on(thread);
}

void Tracer::note_stop(pid_t thread, int status) {
  const int signal = WSTOPSIG(status);
  const int event = status >> 16;
  if (event == PTRACE_EVENT_SECCOMP) {
    note_filtered(thread);
    return;
  }
  if (signal == at_call) {
    note_call(thread);
    go_on(thread);
    return;
  }
  if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
    // The program was stopped by a signal, and stays so until it gets another.
    ::ptrace(PTRACE_LISTEN, thread, 0L, 0L);
    return;
  }
  if (event != 0) {
    process_of(thread_of(thread).process);
    note_event(thread, event);
    return;
  }
  go_on(thread, is_ours(thread, signal) ? 0 : signal);
}

void Tracer::note_end(pid_t thread) {
  const auto known = threads_.find(thread);
  if (known == threads_.end())
    return;
  const pid_t process = known->second.process;
  threads_.erase(known);
  // The first thread is reported last.
  if (thread == process)
    drop_process(process);
}

void Tracer::drop_process(pid_t process) {
  const auto ended = processes_.find(process);
  if (ended == processes_.end())
    return;
  end_image(ended->second);
  lost_ += ended->second.lost();
  processes_.erase(ended);
}

pid_t Tracer::next_stop(int& status) {
  return ::waitpid(-1, &status, __WALL);
}

int Tracer::watch() {
  for (;;) {
    int status = 0;
    const pid_t thread = next_stop(status);
    if (thread < 0 && errno == EINTR)
      continue;
    if (thread < 0)
      return 0;
    if (WIFSTOPPED(status)) {
      note_stop(thread, status);
      continue;
    }
    note_end(thread);
    if (thread != command_)
      continue;
    while (!processes_.empty())
      drop_process(processes_.begin()->first);
    return status;
  }
}

} // namespace dragnet::tracer
