#include "run/inspect.h"

#include "base/files.h"
#include "base/process.h"
#include "base/text.h"
#include "model/inspection.h"
#include "run/machine.h"

#include <fmt/core.h>
#include <sys/personality.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

namespace dragnet::run {
namespace {

// The trimmed content of a small file of the kernel's; empty when it is not there.
std::string setting(const std::string& path) {
  const auto text = read_file(path);
  return text ? std::string(trim(*text)) : std::string{};
}

Inspection hardware_counters() {
  Inspection found{"hardware counters",
                   Grade::Good,
                   "the processor counts instructions for us: exact and free",
                   {}};
  if (instruction_counter())
    return found;
  found.grade = Grade::Fair;
  const std::string paranoid = setting("/proc/sys/kernel/perf_event_paranoid");
  if (!paranoid.empty() && std::atoi(paranoid.c_str()) > 2 && ::geteuid() != 0) {
    found.finding =
        "the kernel does not let us use them; instructions are counted by valgrind instead, slowly";
    found.advice = "sudo sysctl kernel.perf_event_paranoid=2";
    return found;
  }
  found.finding = "this processor or virtual machine has none; instructions are counted by "
                  "valgrind instead, slowly";
  found.advice = "measure on real hardware, or turn on the virtual PMU of this machine";
  return found;
}

Inspection valgrind() {
  if (!find_program("valgrind").empty())
    return {"valgrind",
            Grade::Good,
            "installed: it counts instructions where the processor cannot",
            {}};
  return {"valgrind", instruction_counter() ? Grade::Fair : Grade::Poor,
          "not installed: without hardware counters there are no instruction counts",
          "sudo apt-get install valgrind"};
}

Inspection kernel_tracing() {
  const bool allowed = ::geteuid() == 0 && ::access("/sys/kernel/btf/vmlinux", R_OK) == 0;
  if (allowed)
    return {"kernel tracing",
            Grade::Good,
            "allowed, with type information: system calls can be traced cheaply",
            {}};
  return {"kernel tracing", Grade::Fair,
          "not allowed for this user; slower ways that need no rights are used instead",
          "sudo setcap cap_bpf,cap_perfmon+ep $(command -v dragnet)"};
}

Inspection tracing_processes() {
  const std::string scope = setting("/proc/sys/kernel/yama/ptrace_scope");
  if (scope.empty() || scope == "0" || scope == "1")
    return {"ptrace", Grade::Good, "our own children can be traced", {}};
  return {"ptrace", Grade::Fair, "restricted by the kernel",
          "sudo sysctl kernel.yama.ptrace_scope=1"};
}

Inspection frequency() {
  const std::string governor = setting("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (governor.empty())
    return {"frequency scaling",
            Grade::Fair,
            "cannot be seen from here (a virtual machine hides it)",
            {}};
  if (governor == "performance")
    return {"frequency scaling", Grade::Good, "the governor is 'performance'", {}};
  return {"frequency scaling", Grade::Poor,
          fmt::format("the governor is '{}': speed follows the load", governor),
          "sudo cpupower frequency-set -g performance"};
}

Inspection boost() {
  const bool intel_on = setting("/sys/devices/system/cpu/intel_pstate/no_turbo") == "0";
  const bool other_on = setting("/sys/devices/system/cpu/cpufreq/boost") == "1";
  if (intel_on)
    return {"turbo", Grade::Fair, "on: speed follows temperature and neighbours",
            "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"};
  if (other_on)
    return {"turbo", Grade::Fair, "on: speed follows temperature and neighbours",
            "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"};
  return {"turbo", Grade::Good, "off, or not to be seen from here", {}};
}

Inspection load() {
  const double now = std::atof(setting("/proc/loadavg").c_str());
  const auto cores = static_cast<double>(std::max<std::size_t>(allowed_cores().size(), 1));
  const bool idle = now < 0.3 * cores;
  return {"load",
          idle          ? Grade::Good
          : now < cores ? Grade::Fair
                        : Grade::Poor,
          fmt::format("{:.2f} on {:.0f} cores{}", now, cores,
                      idle ? "" : ": other work disturbs what is measured"),
          idle ? "" : "top -o %CPU"};
}

Inspection fixed_addresses() {
  // The value is a query.
  constexpr unsigned long ask = 0xffffffff;
  const int before = ::personality(ask);
  const bool works =
      before >= 0 && ::personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE) >= 0;
  if (before >= 0)
    ::personality(static_cast<unsigned long>(before));
  if (works)
    return {"address randomisation", Grade::Good, "switched off for each benchmark", {}};
  return {"address randomisation", Grade::Fair,
          "cannot be switched off for a benchmark here (a container forbids it)",
          "docker run --security-opt seccomp=unconfined ..."};
}

Inspection pinning() {
  const auto cores = allowed_cores();
  if (cores.size() < 2)
    return {"cores", Grade::Poor, "only one core: Dragnet and the benchmark share it",
            "use a machine with two cores"};
  return {"cores",
          Grade::Good,
          fmt::format("{} allowed; benchmarks are pinned to core {}", cores.size(), cores.back()),
          {}};
}

Inspection siblings() {
  if (setting("/sys/devices/system/cpu/smt/active") != "1")
    return {"hyper-threading", Grade::Good, "off, or not to be seen from here", {}};
  return {"hyper-threading", Grade::Fair, "on: a neighbour on the same core slows a benchmark",
          "echo off | sudo tee /sys/devices/system/cpu/smt/control"};
}

// The ninth number of the line "cpu": time that the hypervisor gave to others, in ticks.
double stolen_share() {
  const auto text = read_file("/proc/stat");
  if (!text)
    return 0;
  auto fields = split(lines(*text).front(), ' ');
  std::erase(fields, "");
  double total = 0;
  for (std::size_t i = 1; i < fields.size() && i <= 8; ++i)
    total += std::atof(fields[i].c_str());
  return fields.size() > 8 && total > 0 ? std::atof(fields[8].c_str()) / total : 0;
}

Inspection sharing() {
  const auto text = read_file("/proc/cpuinfo");
  const bool is_virtual = text && text->contains(" hypervisor");
  if (!is_virtual)
    return {"shared processor", Grade::Good, "real hardware", {}};
  const double stolen = stolen_share();
  return {"shared processor", stolen > 0.01 ? Grade::Poor : Grade::Fair,
          fmt::format("a virtual machine; others took {:.2f} % of its processor time so far",
                      stolen * 100),
          "measure on real hardware; here, judge instructions rather than time"};
}

Inspection transfers() {
  if (::access("/proc/self/io", R_OK) == 0)
    return {
        "I/O accounting", Grade::Good, "the kernel counts bytes and calls for each process", {}};
  return {"I/O accounting",
          Grade::Fair,
          "the kernel does not: bytes and calls are missing from results",
          {}};
}

// A few milliseconds of work that neither the compiler nor the memory can change.
double time_of_fixed_work() {
  const auto start = std::chrono::steady_clock::now();
  volatile unsigned value = 1;
  for (int i = 0; i < 2'000'000; ++i)
    value = value * 1664525U + 1013904223U;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Inspection noise() {
  std::vector<double> times;
  times.reserve(30);
  for (int i = 0; i < 30; ++i)
    times.push_back(time_of_fixed_work());
  std::ranges::sort(times);
  const double spread = (times[26] - times[15]) / times[15];
  return {"noise",
          spread < 0.01   ? Grade::Good
          : spread < 0.05 ? Grade::Fair
                          : Grade::Poor,
          fmt::format("one try in ten of the same work took {:.1f} % longer than usual, or more",
                      spread * 100),
          spread < 0.01 ? ""
                        : "stop other work on this machine; dragnet needs more pairs meanwhile"};
}

} // namespace

std::vector<Inspection> inspect_machine() {
  return {hardware_counters(),
          valgrind(),
          kernel_tracing(),
          tracing_processes(),
          transfers(),
          fixed_addresses(),
          pinning(),
          frequency(),
          boost(),
          siblings(),
          sharing(),
          load(),
          noise()};
}

} // namespace dragnet::run
