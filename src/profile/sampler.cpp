#include "profile/sampler.h"

#include "base/files.h"
#include "base/interrupt.h"
#include "base/result.h"
#include "model/profile.h"
#include "profile/sample_records.h"
#include "profile/tally.h"
#include "run/job.h"

#include <fmt/core.h>

#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t samples_per_second = 997; // prime, to keep out of step with the program
constexpr std::size_t ring_pages = 64;            // a power of two; the kernel asks for it

// The samples of one processor, written by the kernel, read by us.
class Ring {
public:
  static Result<Ring> open(pid_t process, int processor) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_CPU_CLOCK;
    attributes.sample_freq = samples_per_second;
    attributes.freq = 1;
    attributes.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
    attributes.sample_id_all = 1;
    attributes.mmap = 1;
    attributes.mmap2 = 1;
    attributes.comm = 1;
    attributes.comm_exec = 1;
    attributes.task = 1;
    attributes.inherit = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.disabled = 1;
    attributes.enable_on_exec = 1;
    attributes.wakeup_events = 256;
    FileDescriptor file(static_cast<int>(
        ::syscall(SYS_perf_event_open, &attributes, process, processor, -1, PERF_FLAG_FD_CLOEXEC)));
    if (!file.is_open())
      return refused(errno);
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* at = ::mmap(nullptr, (ring_pages + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED,
                      file.number(), 0);
    if (at == MAP_FAILED)
      return refused(errno);
    return Ring(std::move(file), at, page);
  }
  ~Ring() {
    if (at_ != nullptr)
      ::munmap(at_, (ring_pages + 1) * page_);
  }
  Ring(Ring&& other) noexcept
      : file_(std::move(other.file_)), at_(std::exchange(other.at_, nullptr)), page_(other.page_) {}
  Ring& operator=(Ring&&) = delete;
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  int descriptor() const { return file_.number(); }

  /// Takes all records that are whole out of the buffer.
  std::vector<std::byte> take() {
    auto* control = static_cast<perf_event_mmap_page*>(at_);
    const std::atomic_ref<__u64> head(control->data_head);
    const std::atomic_ref<__u64> tail(control->data_tail);
    const std::uint64_t end = head.load(std::memory_order_acquire);
    const std::uint64_t start = tail.load(std::memory_order_relaxed);
    const std::span ring(static_cast<const std::byte*>(at_) + page_, ring_pages * page_);
    std::vector<std::byte> taken(end - start);
    const std::size_t from = start % ring.size();
    const std::size_t first = std::min(taken.size(), ring.size() - from);
    std::ranges::copy(ring.subspan(from, first), taken.begin());
    std::ranges::copy(ring.first(taken.size() - first),
                      std::next(taken.begin(), static_cast<std::ptrdiff_t>(first)));
    tail.store(end, std::memory_order_release);
    return taken;
  }

private:
  Ring(FileDescriptor file, void* at, std::size_t page)
      : file_(std::move(file)), at_(at), page_(page) {}

  static Error refused(int error_number) {
    return Error{fmt::format("the kernel does not let us sample: {}",
                             std::generic_category().message(error_number)),
                 "sysctl kernel.perf_event_paranoid=2 allows it"};
  }

  FileDescriptor file_;
  void* at_ = nullptr;
  std::size_t page_ = 0;
};

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const auto& text : texts)
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): exec takes them so and changes nothing
    pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void become(const run::Job& job, int go) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto words = pointers_to(job.words);
  const auto variables = pointers_to(job.variables);
  const int input = ::open(job.input.empty() ? "/dev/null" : job.input.c_str(), O_RDONLY);
  const int output = ::open("/dev/null", O_WRONLY);
  char byte = 0;
  if (input >= 0 && output >= 0 && ::dup2(input, STDIN_FILENO) >= 0 &&
      ::dup2(output, STDOUT_FILENO) >= 0 && ::dup2(output, STDERR_FILENO) >= 0 &&
      (job.folder.empty() || ::chdir(job.folder.c_str()) == 0) && ::read(go, &byte, 1) == 1)
    ::execvpe(words[0], words.data(), variables.data());
  ::_exit(127);
}

// A command that is held before its start; what is left of it ends with its owner.
class Held {
public:
  static Result<Held> start(const run::Job& job) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      return Error{fmt::format("cannot make a pipe: {}", std::generic_category().message(errno)),
                   {}};
    const FileDescriptor read_end(ends[0]);
    FileDescriptor write_end(ends[1]);
    const pid_t child = ::fork();
    if (child < 0)
      return Error{fmt::format("cannot fork: {}", std::generic_category().message(errno)), {}};
    if (child == 0)
      become(job, read_end.number());
    ::setpgid(child, child);
    return Held(std::move(write_end), child);
  }
  ~Held() {
    if (id_ <= 0)
      return;
    stop();
    if (!ended_)
      ::waitpid(id_, nullptr, 0);
  }
  Held(Held&& other) noexcept
      : go_(std::move(other.go_)), id_(std::exchange(other.id_, -1)), ended_(other.ended_) {}
  Held& operator=(Held&&) = delete;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  pid_t id() const { return id_; }
  void let_go() { [[maybe_unused]] const auto put = ::write(go_.number(), "g", 1); }
  void stop() const { ::kill(-id_, SIGKILL); }

  /// Whether it has ended; then `status` is as waitpid gives it.
  bool has_ended(int& status) {
    ended_ = ended_ || ::waitpid(id_, &status, WNOHANG) == id_;
    return ended_;
  }

private:
  Held(FileDescriptor go, pid_t id) : go_(std::move(go)), id_(id) {}
  FileDescriptor go_;
  pid_t id_ = -1;
  bool ended_ = false;
};

Result<std::vector<Ring>> open_rings(pid_t process) {
  std::vector<Ring> rings;
  const long processors = ::sysconf(_SC_NPROCESSORS_ONLN);
  rings.reserve(static_cast<std::size_t>(processors));
  for (int processor = 0; processor < processors; ++processor)
    rings.push_back(TRY(Ring::open(process, processor)));
  return rings;
}

Result<> collect(std::vector<Ring>& rings, std::vector<SampleEvent>& events) {
  for (auto& ring : rings) {
    const auto bytes = ring.take();
    auto more = TRY(parse_sample_records(bytes));
    std::ranges::move(more, std::back_inserter(events));
  }
  return success();
}

void wait_for_samples(const std::vector<Ring>& rings) {
  std::vector<pollfd> watched;
  watched.reserve(rings.size());
  for (const auto& ring : rings)
    watched.push_back({ring.descriptor(), POLLIN, 0});
  ::poll(watched.data(), watched.size(), 20);
}

Result<int> watch(Held& command, const run::Job& job, std::vector<Ring>& rings,
                  std::vector<SampleEvent>& events) {
  const auto start = Clock::now();
  int status = 0;
  command.let_go();
  while (!command.has_ended(status)) {
    wait_for_samples(rings);
    TRY(collect(rings, events));
    if (interrupted())
      return Error{"interrupted", "give the same command again: it goes on where it was"};
    if (job.limit.count() > 0 && Clock::now() - start > job.limit)
      return Error{"the benchmark took longer than its limit", "raise its limit in dragnet.toml"};
  }
  TRY(collect(rings, events));
  return status;
}

} // namespace

Result<Profile> sample(const run::Job& job, const Tables& tables, const Identify& identify) {
  auto command = TRY(Held::start(job));
  auto rings = TRY(open_rings(command.id()));
  std::vector<SampleEvent> events;
  const int status = TRY(watch(command, job, rings, events));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return Error{"the benchmark failed while it was sampled", "profile it again"};
  return attribute(std::move(events), tables, identify);
}

} // namespace dragnet::profile
