#include "run/executor.h"

#include "base/files.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "base/result.h"
#include "run/job.h"
#include "starter/wire.h"

#include <cstdint>
#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/poll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace dragnet::run {
namespace {

Error helper_gone() {
  return Error{"dragnet-starter ended unexpectedly",
               "give the same command again: nothing that was measured is lost"};
}

Result<> send_all(int socket, const void* bytes, std::size_t size) {
  const auto* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t put = ::send(socket, at, size, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return helper_gone();
    at += put; // NOLINT(cppcoreguidelines-pro-bounds-pointer-arithmetic): a buffer that is sent in
               // parts
    size -= static_cast<std::size_t>(put);
  }
  return success();
}

Result<> receive_all(int socket, void* bytes, std::size_t size) {
  auto* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t got = ::recv(socket, at, size, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return helper_gone();
    at += got; // NOLINT(cppcoreguidelines-pro-bounds-pointer-arithmetic): a buffer that is filled
               // in parts
    size -= static_cast<std::size_t>(got);
  }
  return success();
}

void append(std::string& texts, std::string_view text) {
  texts += text;
  texts += '\0';
}

std::string texts_of(const Job& job) {
  std::string texts;
  for (const auto& word : job.words)
    append(texts, word);
  for (const auto& variable : job.variables)
    append(texts, variable);
  append(texts, job.folder.empty() ? "." : job.folder.string());
  append(texts, job.input.string());
  return texts;
}

starter::Request request_of(const Job& job, std::size_t text_size) {
  starter::Request request;
  request.text_size = static_cast<std::uint32_t>(text_size);
  request.word_count = static_cast<std::uint32_t>(job.words.size());
  request.variable_count = static_cast<std::uint32_t>(job.variables.size());
  request.fixed_addresses = job.fixed_addresses ? 1 : 0;
  request.log_limit = static_cast<std::uint32_t>(job.log_limit);
  request.limit_nanoseconds = static_cast<std::uint64_t>(job.limit.count() * 1e9);
  if (job.counter) {
    request.counter_type = job.counter->type;
    request.counter_config = job.counter->config;
  }
  for (const int core : job.cores)
    if (core >= 0 && core < static_cast<int>(starter::core_limit))
      request.cores[core / 64] |= std::uint64_t{1} << (core % 64);
  return request;
}

Ending ending_of(starter::Ending ending) {
  switch (ending) {
  case starter::Ending::Signalled:
    return Ending::Signalled;
  case starter::Ending::TimedOut:
    return Ending::TimedOut;
  case starter::Ending::NotStarted:
    return Ending::NotStarted;
  case starter::Ending::Exited:
  case starter::Ending::Cancelled:
    break;
  }
  return Ending::Exited;
}

Finished finished_of(const starter::Report& report, std::string log) {
  Finished finished;
  finished.ending = ending_of(report.ending);
  finished.status = report.status;
  finished.wall_seconds = static_cast<double>(report.wall_nanoseconds) * 1e-9;
  finished.user_seconds = static_cast<double>(report.user_nanoseconds) * 1e-9;
  finished.system_seconds = static_cast<double>(report.system_nanoseconds) * 1e-9;
  finished.peak_bytes = static_cast<double>(report.peak_bytes);
  finished.page_faults = static_cast<double>(report.page_faults);
  finished.context_switches = static_cast<double>(report.context_switches);
  if (report.io_valid != 0)
    finished.transfers = {static_cast<double>(report.bytes_read),
                          static_cast<double>(report.bytes_written),
                          static_cast<double>(report.reads), static_cast<double>(report.writes)};
  if (report.counted_valid != 0)
    finished.counted = static_cast<double>(report.counted);
  finished.lingering = report.lingering;
  finished.printed_bytes = static_cast<double>(report.printed_bytes);
  finished.log = std::move(log);
  return finished;
}

// Waits for the answer; when the user interrupts first, asks the helper to end the job.
void wait_for_answer(int socket) {
  std::array<pollfd, 2> watched{pollfd{socket, POLLIN, 0},
                                pollfd{interrupt_descriptor(), POLLIN, 0}};
  while (::poll(watched.data(), watched.size(), -1) < 0 && errno == EINTR) {
  }
  if (watched[0].revents == 0 && watched[1].revents != 0)
    ::send(socket, "c", 1, MSG_NOSIGNAL);
}

} // namespace

Result<LocalExecutor> LocalExecutor::start() {
  const auto program = TRY(helper_program("dragnet-starter"));
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{fmt::format("cannot make a socket: {}", std::generic_category().message(errno)),
                 {}};
  FileDescriptor ours(ends[0]);
  const FileDescriptor theirs(ends[1]);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, theirs.number(), starter::socket_number);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  std::string name = program.string();
  std::array<char*, 2> words{name.data(), nullptr};
  pid_t helper = -1;
  const int problem =
      ::posix_spawn(&helper, name.c_str(), &actions, &attributes, words.data(), ::environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (problem != 0)
    return Error{fmt::format("cannot start {}: {}", name, std::generic_category().message(problem)),
                 {}};
  return LocalExecutor(std::move(ours), helper);
}

LocalExecutor::LocalExecutor(LocalExecutor&& other) noexcept
    : socket_(std::move(other.socket_)), helper_(std::exchange(other.helper_, -1)) {}

LocalExecutor::~LocalExecutor() {
  socket_.close();
  if (helper_ > 0)
    while (::waitpid(helper_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

Result<Finished> LocalExecutor::carry_out(const Job& job) {
  const Error stopped{"interrupted", "give the same command again: it goes on where it was"};
  if (interrupted())
    return stopped;
  const std::string texts = texts_of(job);
  const starter::Request request = request_of(job, texts.size());
  TRY(send_all(socket_.number(), &request, sizeof request));
  TRY(send_all(socket_.number(), texts.data(), texts.size()));
  wait_for_answer(socket_.number());
  starter::Report report;
  TRY(receive_all(socket_.number(), &report, sizeof report));
  std::string log(report.log_size, '\0');
  TRY(receive_all(socket_.number(), log.data(), log.size()));
  if (report.ending == starter::Ending::Cancelled)
    return stopped;
  return finished_of(report, std::move(log));
}

Result<Finished> PatientExecutor::carry_out(const Job& job) {
  if (!executor_)
    executor_.emplace(TRY(LocalExecutor::start()));
  return executor_->carry_out(job);
}

} // namespace dragnet::run
