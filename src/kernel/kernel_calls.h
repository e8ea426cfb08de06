// Our program in the kernel, and the tables that we share with it (kernel_wire.h).
#pragma once

#include "base/result.h"
#include "kernel/kernel_wire.h"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>

struct bpf_link;
struct bpf_map;
struct bpf_object;
struct ring_buffer;

namespace dragnet::kernel {

class KernelCalls {
public:
  /// Loads the program; it sees nothing yet. What was found out about the kernel is kept in a
  /// folder for the next time. Fails where the kernel does not allow or know it.
  static Result<KernelCalls> load(const std::filesystem::path& folder);
  ~KernelCalls();
  KernelCalls(KernelCalls&& other) noexcept;
  KernelCalls& operator=(KernelCalls&&) = delete;
  KernelCalls(const KernelCalls&) = delete;
  KernelCalls& operator=(const KernelCalls&) = delete;

  using Handler = std::function<void(const kernel_event&, std::span<const std::byte> stack)>;

  /// Says who gets events.
  void set_handler(Handler handler) { state_->handler = std::move(handler); }

  /// Hands over all events that are there.
  void drain();

  /// A descriptor that can be read when there are events.
  int descriptor() const;

  /// A process is counted as an image from now on, or no longer.
  bool set_image(pid_t process, std::uint32_t image);
  void drop_process(pid_t process);

  /// False where there is no room.
  bool add_shape(const kernel_place& place, const kernel_shape& shape) const;
  bool add_use(const kernel_use& use) const;
  void drop_shape(const kernel_place& place) const;

  /// What was counted for a use, which is forgotten.
  std::optional<kernel_count> take_use(const kernel_use& use) const;

  /// Calls that the kernel had no room or time for.
  std::uint64_t lost() const;

private:
  // At one place, since the kernel's library remembers it.
  struct State {
    Handler handler;
  };
  KernelCalls() : state_(std::make_unique<State>()) {}
  Result<> open(const std::filesystem::path& types);
  Result<> attach();
  void prepare_tables();
  std::uint64_t& quick_image(std::uint32_t process) const;
  static int on_event(void* state, void* bytes, std::size_t size);

  std::unique_ptr<State> state_;
  bpf_object* object_ = nullptr;
  bpf_link* link_ = nullptr;
  ring_buffer* events_ = nullptr;
  kernel_shared* shared_ = nullptr;
  int images_ = -1;
  int shapes_ = -1;
  int uses_ = -1;
};

} // namespace dragnet::kernel
