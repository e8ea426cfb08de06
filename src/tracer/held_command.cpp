#include "tracer/held_command.h"

#include "base/files.h"
#include "base/result.h"
#include "tracer/call_filter.h"

#include <fmt/core.h>

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace dragnet::tracer {
namespace {

struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};

Error cannot(const char* what) {
  return Error{fmt::format("cannot {}: {}", what, std::generic_category().message(errno)), {}};
}

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return cannot("make a pipe");
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

[[noreturn]] void become(char** words, Counting counting, int go, int problem) {
  using Stage = HeldCommand::Stage;
  char byte = 0;
  HeldCommand::Problem met{Stage::Filter, 0};
  if (::read(go, &byte, 1) != 1)
    ::_exit(127);
  met.error_number = install_filter(counting);
  if (met.error_number == 0) {
    ::execvp(words[0], words);
    met = {Stage::Execution, errno};
  }
  [[maybe_unused]] const auto put = ::write(problem, &met, sizeof met);
  ::_exit(127);
}

} // namespace

Result<HeldCommand> HeldCommand::fork(char** words, Counting counting) {
  auto go = TRY(make_pipe());
  auto problem = TRY(make_pipe());
  const pid_t child = ::fork();
  if (child < 0)
    return cannot("fork");
  if (child == 0) {
    go.write_end.close();
    become(words, counting, go.read_end.number(), problem.write_end.number());
  }
  return HeldCommand(child, std::move(go.write_end), std::move(problem.read_end));
}

void HeldCommand::let_go() const {
  [[maybe_unused]] const auto put = ::write(go_.number(), "g", 1);
}

HeldCommand::Problem HeldCommand::problem() const {
  Problem met;
  if (::read(problem_.number(), &met, sizeof met) != sizeof met)
    return {};
  return met;
}

} // namespace dragnet::tracer
