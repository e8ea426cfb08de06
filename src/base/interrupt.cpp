#include "base/interrupt.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace dragnet {
namespace {

// A signal handler can reach nothing but globals.
std::atomic<long> arrived_at = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
volatile sig_atomic_t arrived = 0; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> bell = -1;        // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

long milliseconds_now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return (time.tv_sec * 1000) + (time.tv_nsec / 1'000'000);
}

// Some senders signal a process and its group at once: that is one wish, not two.
constexpr long same_wish_ms = 300;

void note(int signal_number) {
  if (arrived != 0) {
    if (milliseconds_now() - arrived_at > same_wish_ms)
      ::_exit(128 + signal_number);
    return;
  }
  arrived_at = milliseconds_now();
  arrived = 1;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto put = ::write(bell, &one, sizeof one);
}

} // namespace

void watch_for_interrupts() {
  if (bell >= 0)
    return;
  bell = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct sigaction action{};
  action.sa_handler = note;
  ::sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    ::sigaction(number, &action, nullptr);
}

bool interrupted() {
  return arrived != 0;
}

int interrupt_descriptor() {
  return bell;
}

} // namespace dragnet
