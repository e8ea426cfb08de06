// Processes that a test starts, kills and looks for.
#pragma once

#include "base/files.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <thread>

namespace dragnet::fakes {

/// A process that does some work and ends with what the work returns, without its parent's
/// destructors.
class ChildProcess {
public:
  explicit ChildProcess(const std::function<int()>& work) : id_(::fork()) {
    if (id_ == 0)
      ::_exit(work());
  }
  ~ChildProcess() { kill(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t id() const { return id_; }

  /// Its exit status, or 128 and the signal's number.
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(id_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  /// Ends it without a chance to tidy up.
  void kill() {
    if (id_ <= 0)
      return;
    ::kill(id_, SIGKILL);
    wait();
  }

private:
  pid_t id_;
};

/// Looks again and again until a condition holds; false when it does not within the time.
inline bool becomes_true(const std::function<bool()>& condition,
                         std::chrono::milliseconds patience = std::chrono::seconds(10)) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

/// How many running processes have a text in their command line; ours does not count.
inline int processes_with(const std::string& marker) {
  int count = 0;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", problem)) {
    if (entry.path().filename() == std::to_string(::getpid()))
      continue;
    const auto command_line = read_file(entry.path() / "cmdline");
    if (command_line && command_line->contains(marker))
      ++count;
  }
  return count;
}

/// Gives up all rights of root in this process; false when that is not possible, or when such a
/// user cannot even reach temporary files (a system whose top folder is root's alone).
inline bool become_ordinary_user() {
  constexpr unsigned nobody = 65534;
  const bool ordinary = ::geteuid() != 0 || (::setgid(nobody) == 0 && ::setuid(nobody) == 0);
  std::error_code problem;
  const auto folder = std::filesystem::temp_directory_path(problem);
  return ordinary && !problem && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

/// Sets a variable of the environment, and back again with its owner.
class Variable {
public:
  Variable(const char* name, const char* value) : name_(name) {
    const char* before = std::getenv(name);
    was_set_ = before != nullptr;
    before_ = was_set_ ? before : "";
    ::setenv(name, value, 1);
  }
  ~Variable() {
    if (was_set_)
      ::setenv(name_, before_.c_str(), 1);
    else
      ::unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

private:
  const char* name_;
  bool was_set_ = false;
  std::string before_;
};

} // namespace dragnet::fakes
