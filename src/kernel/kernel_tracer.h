// Watches a command whose calls the kernel counts: walks the stacks that the kernel does not know
// yet, tells it how to know them again, and fetches what it has counted when a program ends.
#pragma once

#include "kernel/kernel_calls.h"
#include "kernel/kernel_wire.h"
#include "tracer/notes.h"
#include "tracer/stack_walk.h"
#include "tracer/tracer.h"
#include "tracer/watched_process.h"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragnet::kernel {

class KernelTracer final : public tracer::Tracer {
public:
  KernelTracer(KernelCalls calls, const std::filesystem::path& folder, tracer::Notes& notes);
  ~KernelTracer() override;
  KernelTracer(KernelTracer&&) = delete;
  KernelTracer& operator=(KernelTracer&&) = delete;
  KernelTracer(const KernelTracer&) = delete;
  KernelTracer& operator=(const KernelTracer&) = delete;

protected:
  void begin_image(tracer::WatchedProcess& process) override;
  void end_image(tracer::WatchedProcess& process) override;
  void note_code(tracer::WatchedProcess& process, pid_t thread) override;
  bool is_ours(pid_t thread, int signal) override;
  pid_t next_stop(int& status) override;

private:
  using Shape = std::pair<std::vector<std::uint64_t>, bool>; // where words stand; needs rbp

  // A program that is running, as long as the same code lies at the same places, and what the
  // kernel knows of it.
  struct Image {
    tracer::WatchedProcess* process = nullptr;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Shape>> shapes; // by pc, rsp
    std::vector<std::pair<kernel_use, tracer::WatchedProcess::Place>> uses;
  };

  void note_event(const kernel_event& event, std::span<const std::byte> stack);
  void teach(Image& image, const kernel_event& event, const tracer::WatchedProcess::Place& place);
  bool teach_shape(Image& image, const kernel_use& use);
  void begin_numbers(tracer::WatchedProcess& process);
  void collect(std::uint32_t number, Image& image);

  KernelCalls calls_;
  tracer::Notes& notes_;
  std::unordered_map<std::uint32_t, Image> images_;
  std::unordered_map<pid_t, std::vector<std::uint32_t>> images_of_; // the last one counts now
  std::uint32_t next_image_ = 1;
  std::uint64_t lost_before_ = 0;
  bool holds_signals_ = false;
  tracer::StackCopy stack_;
  tracer::Walk walk_;
};

/// The path of a file, as /proc shows it, from what the kernel said of it.
std::string path_of(const kernel_event& event);

} // namespace dragnet::kernel
