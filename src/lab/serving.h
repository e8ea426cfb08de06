// Runs a server while users visit it: what carries the job out also waits until the server is
// ready, sends the requests, and stops it.
#pragma once

#include "base/result.h"
#include "base/units.h"
#include "load/visit.h"
#include "run/executor.h"
#include "run/job.h"

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace dragnet::lab {

/// How to know that a server is ready, and how to stop it.
struct Service {
  load::Visit visit;
  std::string ready;              ///< a path that answers then; empty: the port is open
  Seconds patience{10};           ///< until it is ready, and until it has stopped
  std::filesystem::path identity; ///< the file in which the server's group is noted
};

/// The words that start a server and note its group in a file, so that it can be stopped.
std::vector<std::string> serving_words(const std::string& command,
                                       const std::filesystem::path& identity);

class ServingExecutor final : public run::Executor {
public:
  /// Borrows both.
  ServingExecutor(run::Executor& executor, const Service& service)
      : executor_(executor), service_(service) {}

  /// A server that ended because it was stopped has exited with 0. An Error where its port is taken
  /// before or after, or where it does not get ready.
  Result<run::Finished> carry_out(const run::Job& job) override;

  const load::Visited& visited() const { return visited_; }

private:
  void visit();
  bool gets_ready();
  bool is_ready() const;
  bool has_ended() const;
  void stop();
  Result<run::Finished> judged(run::Finished finished) const;

  run::Executor& executor_;
  const Service& service_;
  load::Visited visited_;
  bool was_ready_ = false;
  bool was_stopped_ = false;
  mutable std::mutex guard_; // of what is below
  std::condition_variable changed_;
  bool has_ended_ = false;
};

} // namespace dragnet::lab
