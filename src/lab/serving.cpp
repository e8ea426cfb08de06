#include "lab/serving.h"

#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "base/units.h"
#include "load/user.h"
#include "load/visit.h"
#include "run/executor.h"
#include "run/job.h"

#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/core.h>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto between_looks = std::chrono::milliseconds(5);
constexpr auto to_die = std::chrono::milliseconds(500);

// The processes of a job are a group of their own, whose number is that of the first.
void signal_group(const std::filesystem::path& identity, int number) {
  const auto text = read_file(identity);
  if (!text)
    return;
  const std::string word(trim(*text));
  pid_t group = 0;
  if (std::from_chars(word.data(), word.data() + word.size(), group).ec == std::errc() && group > 1)
    ::kill(-group, number);
}

} // namespace

std::vector<std::string> serving_words(const std::string& command,
                                       const std::filesystem::path& identity) {
  return {"/bin/sh", "-c", R"(echo $$ > "$1"; exec /bin/sh -c "$0")", command, identity.string()};
}

Result<run::Finished> ServingExecutor::carry_out(const run::Job& job) {
  if (load::is_listening(service_.visit.port))
    return Error{fmt::format("port {} is in use by another program", service_.visit.port),
                 "end that program, or leave 'port' out of [provoke] and let the server listen on "
                 "$DRAGNET_PORT"};
  std::jthread visitors([this] { visit(); });
  auto finished = executor_.carry_out(job);
  {
    const std::scoped_lock lock(guard_);
    has_ended_ = true;
  }
  changed_.notify_all();
  visitors.join();
  return judged(TRY(std::move(finished)));
}

void ServingExecutor::visit() {
  was_ready_ = gets_ready();
  if (was_ready_)
    visited_ = load::carry_out(service_.visit);
  stop();
}

bool ServingExecutor::has_ended() const {
  const std::scoped_lock lock(guard_);
  return has_ended_;
}

bool ServingExecutor::is_ready() const {
  if (service_.ready.empty())
    return load::is_listening(service_.visit.port);
  load::User user(service_.visit.port, service_.patience);
  const auto response =
      user.ask({.method = "GET", .path = service_.ready, .headers = {}, .body = {}});
  return response && response->status < 500;
}

bool ServingExecutor::gets_ready() {
  const auto end = Clock::now() + service_.patience;
  while (!has_ended() && Clock::now() < end) {
    if (is_ready())
      return true;
    std::this_thread::sleep_for(between_looks);
  }
  return false;
}

// Asks the server to end, and sees to it that it does.
void ServingExecutor::stop() {
  std::unique_lock lock(guard_);
  // A server that broke off may be about to end by itself; that is not to be taken for ours.
  if (!visited_.problem.empty() && !visited_.in_vain)
    changed_.wait_for(lock, to_die, [this] { return has_ended_; });
  if (has_ended_)
    return;
  was_stopped_ = true;
  signal_group(service_.identity, SIGTERM);
  if (!changed_.wait_for(lock, service_.patience, [this] { return has_ended_; }))
    signal_group(service_.identity, SIGKILL);
}

Result<run::Finished> ServingExecutor::judged(run::Finished finished) const {
  const std::string said = trim(finished.log).empty() ? "" : "\n" + std::string(trim(finished.log));
  if (!was_ready_)
    return Error{fmt::format("the server {}{}",
                             was_stopped_ ? fmt::format("was not ready after {}",
                                                        format_duration(service_.patience))
                                          : "ended before it was ready",
                             said),
                 service_.ready.empty()
                     ? "the command of [provoke] must listen on $DRAGNET_PORT and stay; 'timeout' "
                       "gives it more time"
                     : fmt::format("'ready' of [provoke] must name a path that answers GET; it "
                                   "names {}",
                                   service_.ready)};
  if (load::is_listening(service_.visit.port))
    return Error{fmt::format("the server has ended and left port {} open", service_.visit.port),
                 "a process that it started is still there: it must end with the server"};
  // What a shell says of a program that was ended by a signal; others than ours are crashes.
  const int stopped_status = 128 + SIGTERM;
  const bool was_asked = finished.ending == run::Ending::Signalled
                             ? finished.status == SIGTERM
                             : finished.status <= 128 || finished.status == stopped_status;
  if (was_stopped_ && was_asked && finished.ending != run::Ending::TimedOut) {
    finished.ending = run::Ending::Exited;
    finished.status = 0;
  }
  return finished;
}

} // namespace dragnet::lab
