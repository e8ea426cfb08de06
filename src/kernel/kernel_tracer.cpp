#include "kernel/kernel_tracer.h"

#include "kernel/kernel_calls.h"
#include "kernel/kernel_wire.h"
#include "tracer/notes.h"
#include "tracer/stack_walk.h"
#include "tracer/tracer.h"
#include "tracer/watched_process.h"

#include <fmt/core.h>

#include <linux/magic.h>
#include <poll.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::kernel {
namespace {

void on_child(int /*signal*/) {}

// Signals of children are only let through while we wait.
void hold_back_signals() {
  struct sigaction action{};
  action.sa_handler = on_child;
  ::sigaction(SIGCHLD, &action, nullptr);
  sigset_t children;
  ::sigemptyset(&children);
  ::sigaddset(&children, SIGCHLD);
  ::pthread_sigmask(SIG_BLOCK, &children, nullptr);
}

void wait_for_either(int descriptor) {
  pollfd watched{descriptor, POLLIN, 0};
  sigset_t none;
  ::sigemptyset(&none);
  ::ppoll(&watched, 1, nullptr, &none);
}

std::vector<std::string_view> names_of(const kernel_event& event) {
  std::vector<std::string_view> names;
  std::string_view rest(event.names, std::min<std::size_t>(event.names_size, sizeof event.names));
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    names.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return names;
}

} // namespace

std::string path_of(const kernel_event& event) {
  if (event.use.file == 0)
    return {};
  if (event.file_system == PIPEFS_MAGIC)
    return fmt::format("pipe:[{}]", event.inode);
  if (event.file_system == SOCKFS_MAGIC)
    return fmt::format("socket:[{}]", event.inode);
  const auto names = names_of(event);
  if (event.is_named == 0)
    return fmt::format("{}{}", event.file_system == ANON_INODE_FS_MAGIC ? "anon_inode:" : "/",
                       names.empty() ? "" : names.front());
  std::string path;
  for (const auto name : std::views::reverse(names))
    path += fmt::format("/{}", name);
  return path.empty() ? "/" : path;
}

KernelTracer::KernelTracer(KernelCalls calls, const std::filesystem::path& folder,
                           tracer::Notes& notes)
    : Tracer(folder, notes), calls_(std::move(calls)), notes_(notes) {
  calls_.set_handler([this](const kernel_event& event, std::span<const std::byte> stack) {
    note_event(event, stack);
  });
}

KernelTracer::~KernelTracer() = default;

pid_t KernelTracer::next_stop(int& status) {
  // Not before the command is there, which would inherit it.
  if (!std::exchange(holds_signals_, true))
    hold_back_signals();
  for (;;) {
    calls_.drain();
    const pid_t thread = ::waitpid(-1, &status, __WALL | WNOHANG);
    if (thread != 0)
      return thread;
    wait_for_either(calls_.descriptor());
  }
}

// Our program in the kernel stops who is too fast for us.
bool KernelTracer::is_ours(pid_t thread, int signal) {
  siginfo_t information{};
  return signal == SIGSTOP && ::ptrace(PTRACE_GETSIGINFO, thread, 0L, &information) == 0 &&
         information.si_code == SI_KERNEL;
}

void KernelTracer::begin_numbers(tracer::WatchedProcess& process) {
  const std::uint32_t number = next_image_++;
  images_[number].process = &process;
  images_of_[process.id()].push_back(number);
  if (!calls_.set_image(process.id(), number))
    notes_.add("more processes at once than the kernel's table has room for: some are not seen");
}

void KernelTracer::begin_image(tracer::WatchedProcess& process) {
  // Once it runs, what it has loaded may be gone before it is asked for.
  process.code().refresh(process.id());
  // Before the command is started, its process does what we do.
  if (has_started())
    begin_numbers(process);
}

void KernelTracer::note_code(tracer::WatchedProcess& process, pid_t thread) {
  calls_.drain();
  const std::uint64_t before = process.code().generation();
  process.code().note_change();
  process.code().refresh(thread);
  // The same addresses may mean something else now. What was counted before stays where it is:
  // other threads may just be counting.
  if (process.code().generation() != before && has_started())
    begin_numbers(process);
}

void KernelTracer::collect(std::uint32_t number, Image& image) {
  for (const auto& [use, place] : image.uses)
    if (const auto count = calls_.take_use(use); count && count->calls > 0)
      image.process->add(place, count->calls, count->amount);
  for (const auto& [place, shapes] : image.shapes)
    for (std::uint32_t variant = 0; variant < shapes.size(); ++variant)
      calls_.drop_shape({place.first, place.second, number, variant});
}

void KernelTracer::end_image(tracer::WatchedProcess& process) {
  const auto known = images_of_.find(process.id());
  if (known == images_of_.end())
    return;
  calls_.drain();
  calls_.drop_process(process.id());
  for (const std::uint32_t number : known->second) {
    collect(number, images_[number]);
    images_.erase(number);
  }
  images_of_.erase(known);
  const std::uint64_t lost = calls_.lost();
  process.lose(lost - std::exchange(lost_before_, lost));
}

void KernelTracer::note_event(const kernel_event& event, std::span<const std::byte> stack) {
  const auto known = images_.find(event.use.image);
  if (known == images_.end())
    return;
  auto& process = *known->second.process;
  stack_.begin(event.use.rsp, stack.data(), stack.size());
  tracer::walk_stack(walk_, {event.use.pc, event.use.rsp, event.rbp}, stack_, process.code(), 0);
  while (walk_.decided_by.size() % KERNEL_SHAPE_STEP != 0)
    walk_.decided_by.push_back(event.use.rsp);
  const auto place = process.place(walk_, path_of(event), event.use.kind);
  if (!place) {
    process.lose(1);
    return;
  }
  process.add(*place, 1, event.amount);
  teach(known->second, event, *place);
}

// Whether the kernel can know a stack again by the shape that the last walk had.
bool KernelTracer::teach_shape(Image& image, const kernel_use& use) {
  kernel_shape shape{};
  if (walk_.decided_by.size() > KERNEL_SHAPE_WORDS)
    return false;
  for (const std::uint64_t at : walk_.decided_by) {
    const std::uint64_t distance = (at - use.rsp) / 8;
    if (at < use.rsp || distance > std::numeric_limits<std::uint16_t>::max())
      return false;
    shape.words[shape.count++] = static_cast<std::uint16_t>(distance);
    shape.reach = std::max(shape.reach, static_cast<std::uint32_t>(distance + 1));
  }
  shape.needs_rbp = walk_.needs_rbp ? 1 : 0;
  auto& shapes = image.shapes[{use.pc, use.rsp}];
  const Shape wanted{walk_.decided_by, walk_.needs_rbp};
  if (std::ranges::find(shapes, wanted) != shapes.end())
    return true;
  const auto variant = static_cast<std::uint32_t>(shapes.size());
  if (variant == KERNEL_SHAPE_COUNT ||
      !calls_.add_shape({use.pc, use.rsp, use.image, variant}, shape))
    return false;
  shapes.push_back(wanted);
  return true;
}

void KernelTracer::teach(Image& image, const kernel_event& event,
                         const tracer::WatchedProcess::Place& place) {
  if (!teach_shape(image, event.use))
    return;
  kernel_use use = event.use;
  use.hash = walk_.needs_rbp ? event.rbp : 0;
  for (const std::uint64_t at : walk_.decided_by) {
    std::uint64_t word = 0;
    if (!stack_.word(at, word))
      return;
    use.hash = kernel_mixed(use.hash, word);
  }
  if (calls_.add_use(use))
    image.uses.emplace_back(use, place);
}

} // namespace dragnet::kernel
