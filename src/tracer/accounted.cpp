#include "tracer/accounted.h"

#include "base/files.h"
#include "runtime/stacks_format.h"

#include <fmt/core.h>

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace dragnet::tracer {
namespace {

std::uint64_t field(const char* text, const char* name) {
  const char* at = std::strstr(text, name);
  return at == nullptr ? 0 : std::strtoull(at + std::strlen(name), nullptr, 10);
}

// Returns the size of what was read.
ssize_t read_transfers(const std::string& path, dragnet_transfers& transfers) {
  std::array<char, 512> text{};
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const ssize_t got = ::read(file.number(), text.data(), text.size() - 1);
  transfers = {.read_bytes = field(text.data(), "rchar: "),
               .written_bytes = field(text.data(), "wchar: "),
               .reads = field(text.data(), "syscr: "),
               .writes = field(text.data(), "syscw: ")};
  return got;
}

} // namespace

dragnet_transfers accounted(pid_t process, pid_t thread) {
  dragnet_transfers transfers{};
  read_transfers(fmt::format("/proc/{}/task/{}/io", process, thread), transfers);
  return transfers;
}

dragnet_transfers accounted_for_us() {
  dragnet_transfers transfers{};
  const ssize_t got = read_transfers("/proc/thread-self/io", transfers);
  // What was read just now is not in what it said.
  if (got > 0) {
    ++transfers.reads;
    transfers.read_bytes += static_cast<std::uint64_t>(got);
  }
  return transfers;
}

void add(dragnet_transfers& sum, const dragnet_transfers& more) {
  sum.read_bytes += more.read_bytes;
  sum.written_bytes += more.written_bytes;
  sum.reads += more.reads;
  sum.writes += more.writes;
}

dragnet_transfers difference(const dragnet_transfers& from, const dragnet_transfers& to) {
  return {.read_bytes = to.read_bytes - from.read_bytes,
          .written_bytes = to.written_bytes - from.written_bytes,
          .reads = to.reads - from.reads,
          .writes = to.writes - from.writes};
}

} // namespace dragnet::tracer
