// A command that is held before its start until it is watched.
#pragma once

#include "base/files.h"
#include "base/result.h"
#include "tracer/call_filter.h"

#include <sys/types.h>

namespace dragnet::tracer {

class HeldCommand {
public:
  /// Forks a child that will become a command: its words, ended by null.
  static Result<HeldCommand> fork(char** words, Counting counting);

  pid_t id() const { return id_; }
  void let_go() const;

  /// Why the command did not start; after its end.
  enum class Stage : int { Started, Filter, Execution };
  struct Problem {
    Stage stage = Stage::Started;
    int error_number = 0;
  };
  Problem problem() const;

private:
  HeldCommand(pid_t id, FileDescriptor go, FileDescriptor problem)
      : id_(id), go_(std::move(go)), problem_(std::move(problem)) {}
  pid_t id_;
  FileDescriptor go_;
  FileDescriptor problem_;
};

} // namespace dragnet::tracer
