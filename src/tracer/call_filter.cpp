#include "tracer/call_filter.h"

#include "runtime/call_meanings.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragnet::tracer {
namespace {

sock_filter statement(unsigned code, std::uint32_t value) {
  return {static_cast<std::uint16_t>(code), 0, 0, value};
}

// The next instruction if the value is that one, else the one behind it.
sock_filter only_if(std::uint32_t value) {
  return {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value};
}

sock_filter load(std::size_t offset) {
  return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}

sock_filter stop_for(Stop why) {
  return statement(BPF_RET | BPF_K, SECCOMP_RET_TRACE | static_cast<std::uint32_t>(why));
}

sock_filter allow() {
  return statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
}

bool is_counted(long number) {
  const unsigned meaning = meaning_of(number);
  return meaning != CALL_DOES_NOTHING && meaning < CALL_CLOSES;
}

std::vector<sock_filter> filter(Counting counting) {
  std::vector<sock_filter> made{load(offsetof(seccomp_data, arch)),
                                only_if(AUDIT_ARCH_X86_64),
                                // Skips the next one.
                                {BPF_JMP | BPF_JA, 0, 0, 1},
                                allow(),
                                load(offsetof(seccomp_data, nr))};
  const auto stop_at = [&](long number, Stop why) {
    made.push_back(only_if(static_cast<std::uint32_t>(number)));
    made.push_back(stop_for(why));
  };
  for (long number = 0; number < CALL_NUMBER_LIMIT && counting == Counting::ByStops; ++number)
    if (is_counted(number))
      stop_at(number, Stop::Counted);
  stop_at(SYS_execve, Stop::Executes);
  stop_at(SYS_execveat, Stop::Executes);
  stop_at(SYS_io_uring_setup, Stop::UsesQueues);
  for (const long number : {SYS_mmap, SYS_mprotect, SYS_pkey_mprotect}) {
    // Others skip the four behind.
    made.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 4, static_cast<std::uint32_t>(number)});
    made.push_back(load(offsetof(seccomp_data, args) + (2 * sizeof(std::uint64_t))));
    made.push_back({BPF_JMP | BPF_JSET | BPF_K, 0, 1, PROT_EXEC});
    made.push_back(stop_for(Stop::MapsCode));
    made.push_back(allow());
  }
  made.push_back(allow());
  return made;
}

} // namespace

int install_filter(Counting counting) {
  auto instructions = filter(counting);
  const sock_fprog program{static_cast<unsigned short>(instructions.size()), instructions.data()};
  const auto install = [&] {
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : errno;
  };
  // Without privileges it is allowed to those who give up gaining any.
  const int problem = install();
  if (problem != EACCES)
    return problem;
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? install() : errno;
}

} // namespace dragnet::tracer
