// Where jobs are carried out. The local executor starts them on this machine, through the program
// dragnet-starter.
#pragma once

#include "base/files.h"
#include "base/result.h"
#include "run/job.h"

#include <optional>
#include <sys/types.h>

namespace dragnet::run {

class Executor {
public:
  virtual ~Executor() = default;

  /// Carries a job out to its end. How it ended is an answer; an Error means that nothing can be
  /// started at all, or that the user interrupted.
  virtual Result<Finished> carry_out(const Job& job) = 0;
};

class LocalExecutor final : public Executor {
public:
  /// Starts the helper program that starts jobs.
  static Result<LocalExecutor> start();
  ~LocalExecutor() override;
  LocalExecutor(LocalExecutor&& other) noexcept;
  LocalExecutor& operator=(LocalExecutor&&) = delete;
  LocalExecutor(const LocalExecutor&) = delete;
  LocalExecutor& operator=(const LocalExecutor&) = delete;

  Result<Finished> carry_out(const Job& job) override;

private:
  LocalExecutor(FileDescriptor socket, pid_t helper)
      : socket_(std::move(socket)), helper_(helper) {}
  FileDescriptor socket_;
  pid_t helper_ = -1;
};

/// A local executor that is started when the first job comes: many questions need none.
class PatientExecutor final : public Executor {
public:
  Result<Finished> carry_out(const Job& job) override;

private:
  std::optional<LocalExecutor> executor_;
};

} // namespace dragnet::run
