#include "tracer/watching.h"

#include "base/result.h"
#include "runtime/stacks_format.h"
#include "tracer/accounted.h"
#include "tracer/call_filter.h"
#include "tracer/held_command.h"
#include "tracer/ledger.h"
#include "tracer/notes.h"
#include "tracer/tracer.h"

#include <fmt/core.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <system_error>

namespace dragnet::tracer {
namespace {

void open_more_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// What kept the command from starting, if anything did.
void note_problem(const HeldCommand& command, const Notes& notes) {
  const auto problem = command.problem();
  if (problem.stage == HeldCommand::Stage::Execution)
    notes.not_started(problem.error_number);
  else if (problem.stage == HeldCommand::Stage::Filter)
    notes.refuse(fmt::format("the kernel does not let us choose system calls to stop at "
                             "(seccomp): {}",
                             std::generic_category().message(problem.error_number)));
}

Result<int> watch(Tracer& tracer, Ledger& own, const HeldCommand& command, const Notes& notes) {
  open_more_files();
  if (const auto seized = tracer.seize(command.id()); !seized) {
    ::kill(command.id(), SIGKILL);
    ::waitpid(command.id(), nullptr, 0);
    return seized.error();
  }
  command.let_go();
  const int status = tracer.watch();
  if (!tracer.has_started())
    note_problem(command, notes);
  own.header().lost = tracer.lost();
  own.header().own = accounted_for_us();
  add(own.header().own, tracer.unseen());
  return status;
}

Result<int> start(Tracer& tracer, Counting counting, const std::filesystem::path& folder,
                  char** words, const Notes& notes) {
  auto own = TRY(Ledger::make(folder, ::getpid()));
  const auto command = TRY(HeldCommand::fork(words, counting));
  return watch(tracer, own, command, notes);
}

int end_as(int status) {
  if (!WIFSIGNALED(status))
    return WEXITSTATUS(status);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::signal(WTERMSIG(status), SIG_DFL);
  ::raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

} // namespace

int watch_command(Tracer& tracer, Counting counting, const std::filesystem::path& folder,
                  char** words, const Notes& notes) {
  const auto status = start(tracer, counting, folder, words, notes);
  if (status)
    return end_as(*status);
  notes.refuse(status.error().what);
  return 127;
}

} // namespace dragnet::tracer
