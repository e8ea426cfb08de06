#include "run/machine.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/machine.h"
#include "run/job.h"

#include <cstddef>
#include <cstdint>
#include <linux/perf_event.h>
#include <linux/sysinfo.h>
#include <optional>
#include <sched.h>
#include <string>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace dragnet::run {
namespace {

std::string processor_name() {
  const auto text = read_file("/proc/cpuinfo");
  if (!text)
    return "unknown";
  for (const auto& line : lines(*text))
    if (line.starts_with("model name") || line.starts_with("CPU part"))
      return std::string(trim(std::string_view(line).substr(line.find(':') + 1)));
  return "unknown";
}

std::string identity(const utsname& names) {
  const auto id = read_file("/etc/machine-id");
  return id && !trim(*id).empty() ? std::string(trim(*id)) : std::string(names.nodename);
}

} // namespace

Machine this_machine() {
  utsname names{};
  ::uname(&names);
  struct sysinfo totals{};
  ::sysinfo(&totals);
  Machine machine;
  machine.host_name = names.nodename;
  machine.processor = processor_name();
  machine.cores = static_cast<int>(allowed_cores().size());
  machine.memory_bytes = std::uint64_t{totals.totalram} * totals.mem_unit;
  machine.kernel = names.release;
  machine.key = KeyMaker()
                    .add("identity", identity(names))
                    .add("processor", machine.processor)
                    .add("cores", fmt::to_string(machine.cores))
                    .add("kernel", machine.kernel)
                    .key();
  return machine;
}

bool can_count(const Counter& counter) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = counter.type;
  attributes.config = counter.config;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  const FileDescriptor event(static_cast<int>(
      ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  return event.is_open();
}

std::optional<Counter> instruction_counter() {
  const Counter counter{PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS};
  return can_count(counter) ? std::optional(counter) : std::nullopt;
}

std::vector<int> allowed_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  std::vector<int> cores;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &allowed))
      cores.push_back(core);
  return cores;
}

std::vector<int> measuring_cores(int count) {
  auto cores = allowed_cores();
  const auto wanted = static_cast<std::size_t>(std::max(count, 0));
  if (wanted == 0 || wanted >= cores.size())
    return {};
  return {cores.end() - static_cast<std::ptrdiff_t>(wanted), cores.end()};
}

} // namespace dragnet::run
