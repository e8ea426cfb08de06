// Watches a command and all its descendants by stopping them at the calls of interest: seccomp(2)
// says where, ptrace(2) stops. A call stops twice, at its start because the kernel offers no less,
// and at its end, where its result is known and its thread's stack is read from outside.
#pragma once

#include "base/result.h"
#include "runtime/stacks_format.h"
#include "tracer/code_space.h"
#include "tracer/notes.h"
#include "tracer/stack_walk.h"
#include "tracer/watched_process.h"

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <unordered_map>

namespace dragnet::tracer {

class Tracer {
public:
  Tracer(std::filesystem::path folder, Notes& notes) : folder_(std::move(folder)), notes_(notes) {}
  virtual ~Tracer() = default;
  Tracer(Tracer&&) = delete;
  Tracer& operator=(Tracer&&) = delete;
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  /// Takes hold of a child that has not started its command yet.
  Result<> seize(pid_t command);

  /// Watches until the command ends; how, as waitpid says it. What is left of its descendants ends
  /// with this program.
  int watch();

  bool has_started() const { return started_; }

  /// What the kernel accounted that is nobody's call: it reads programs when they are started.
  const dragnet_transfers& unseen() const { return unseen_; }

  /// Calls for which there was no file.
  std::uint64_t lost() const { return lost_; }

protected:
  // For those who count calls in another way, while what they are told of stands still.
  virtual void begin_image(WatchedProcess& /*process*/) {}
  virtual void end_image(WatchedProcess& /*process*/) {}
  virtual void note_code(WatchedProcess& process, pid_t /*thread*/) {
    process.code().note_change();
  }

  /// Whether a signal is not the program's business.
  virtual bool is_ours(pid_t /*thread*/, int /*signal*/) { return false; }

  /// Waits for a thread that has stopped or ended, as waitpid does.
  virtual pid_t next_stop(int& status);

private:
  struct Thread {
    pid_t process = 0;
    StackCopy stack;
    dragnet_transfers before{}; // it tried to start a program
  };

  void note_end(pid_t thread);
  void note_stop(pid_t thread, int status);
  void note_event(pid_t thread, int event);
  void note_filtered(pid_t thread);
  void note_call(pid_t thread);
  void note_program(pid_t process);
  void note_new(pid_t parent);
  void note_kind(pid_t process);
  Thread& thread_of(pid_t thread);
  WatchedProcess& process_of(pid_t process);
  void drop_threads(pid_t process);
  void drop_process(pid_t process);

  std::filesystem::path folder_;
  Notes& notes_;
  LoadedFiles files_;
  std::map<pid_t, WatchedProcess> processes_;
  std::unordered_map<pid_t, Thread> threads_;
  pid_t command_ = 0;
  bool started_ = false;
  dragnet_transfers unseen_{};
  std::uint64_t lost_ = 0;
};

} // namespace dragnet::tracer
