#include "kernel/kernel_calls.h"

#include "base/result.h"
#include "kernel/kernel_types.h"
#include "kernel/kernel_wire.h"
#include "runtime/call_meanings.h"

#include <fmt/core.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

// calls.bpf.c as it was compiled, put here by the assembler.
asm(".pushsection .rodata\n"
    ".global dragnet_kernel_size, dragnet_kernel\n"
    ".balign 8\n"
    "dragnet_kernel_size:\n"
    ".quad dragnet_kernel_end - dragnet_kernel\n"
    ".balign 8\n"
    "dragnet_kernel:\n"
    ".incbin \"" DRAGNET_KERNEL_PROGRAM "\"\n"
    "dragnet_kernel_end:\n"
    ".popsection\n");

extern "C" {
extern const std::uint64_t dragnet_kernel_size;
extern const char dragnet_kernel[];
}

namespace dragnet::kernel {
namespace {

int say_nothing(libbpf_print_level /*level*/, const char* /*text*/, va_list /*rest*/) {
  return 0;
}

Error refused(const char* what, int error_number) {
  return Error{fmt::format("{}: {}", what, std::generic_category().message(error_number)),
               "it takes root, or the capabilities BPF and PERFMON"};
}

bpf_map* section(bpf_object* object, std::string_view name) {
  bpf_map* map = nullptr;
  bpf_object__for_each_map(map, object) {
    if (std::string_view(bpf_map__name(map)).ends_with(name))
      return map;
  }
  return nullptr;
}

int descriptor_of(bpf_object* object, const char* name) {
  return bpf_object__find_map_fd_by_name(object, name);
}

// The variables of the program that is loaded; null where they cannot be had.
kernel_shared* shared_memory(bpf_object* object) {
  const bpf_map* variables = section(object, ".bss");
  if (variables == nullptr || ::bpf_map__value_size(variables) < sizeof(kernel_shared))
    return nullptr;
  void* at = ::mmap(nullptr, sizeof(kernel_shared), PROT_READ | PROT_WRITE, MAP_SHARED,
                    ::bpf_map__fd(variables), 0);
  return at == MAP_FAILED ? nullptr : static_cast<kernel_shared*>(at);
}

// Processes are counted by the numbers that we know them by, which a container may have of its own.
void find_space(kernel_settings& settings) {
  constexpr ino_t of_the_kernel = 0xeffffffc;
  struct stat space{};
  if (::stat("/proc/self/ns/pid", &space) != 0 || space.st_ino == of_the_kernel)
    return;
  settings.space_device = space.st_dev;
  settings.space_inode = space.st_ino;
}

} // namespace

Result<KernelCalls> KernelCalls::load(const std::filesystem::path& folder) {
  ::libbpf_set_print(say_nothing);
  KernelCalls calls;
  TRY(calls.open(kept_types(folder, {dragnet_kernel, dragnet_kernel_size})));
  TRY(calls.attach());
  return calls;
}

KernelCalls::KernelCalls(KernelCalls&& other) noexcept
    : state_(std::move(other.state_)), object_(std::exchange(other.object_, nullptr)),
      link_(std::exchange(other.link_, nullptr)), events_(std::exchange(other.events_, nullptr)),
      shared_(std::exchange(other.shared_, nullptr)), images_(other.images_),
      shapes_(other.shapes_), uses_(other.uses_) {}

KernelCalls::~KernelCalls() {
  if (shared_ != nullptr)
    ::munmap(shared_, sizeof *shared_);
  ::bpf_link__destroy(link_);
  ::ring_buffer__free(events_);
  ::bpf_object__close(object_);
}

void KernelCalls::prepare_tables() {
  kernel_settings settings{};
  std::memcpy(settings.meanings, dragnet_meanings, sizeof settings.meanings);
  find_space(settings);
  std::size_t size = 0;
  bpf_map* fixed = section(object_, ".rodata");
  const void* initial = fixed == nullptr ? nullptr : ::bpf_map__initial_value(fixed, &size);
  if (initial != nullptr && size >= sizeof settings) {
    std::vector<std::byte> changed(size);
    std::memcpy(changed.data(), initial, size);
    std::memcpy(changed.data(), &settings, sizeof settings);
    ::bpf_map__set_initial_value(fixed, changed.data(), size);
  }
  if (bpf_map* rooms = section(object_, "rooms"); rooms != nullptr)
    ::bpf_map__set_max_entries(rooms, static_cast<std::uint32_t>(::libbpf_num_possible_cpus()));
}

Result<> KernelCalls::open(const std::filesystem::path& types) {
  bpf_object_open_opts options{};
  options.sz = sizeof options;
  options.object_name = "dragnet";
  if (!types.empty())
    options.btf_custom_path = types.c_str();
  object_ = ::bpf_object__open_mem(dragnet_kernel, dragnet_kernel_size, &options);
  if (object_ == nullptr)
    return refused("the program for the kernel is damaged", errno);
  prepare_tables();
  if (const int problem = ::bpf_object__load(object_); problem != 0) {
    if (problem != -EPERM) // what is kept of its types may be damaged
      ::unlink(types.c_str());
    return refused("the kernel does not take our program", -problem);
  }
  shared_ = shared_memory(object_);
  if (shared_ == nullptr)
    return refused("the kernel does not share the memory of our program", errno);
  images_ = descriptor_of(object_, "images");
  shapes_ = descriptor_of(object_, "shapes");
  uses_ = descriptor_of(object_, "uses");
  return success();
}

Result<> KernelCalls::attach() {
  events_ = ::ring_buffer__new(descriptor_of(object_, "events"), on_event, state_.get(), nullptr);
  if (events_ == nullptr)
    return refused("the kernel gives no room for events", errno);
  link_ = ::bpf_program__attach(::bpf_object__find_program_by_name(object_, "on_call_end"));
  if (link_ == nullptr)
    return refused("the kernel does not let our program see system calls", errno);
  return success();
}

int KernelCalls::on_event(void* state, void* bytes, std::size_t size) {
  const auto* event = static_cast<const kernel_event*>(bytes);
  const auto& handler = static_cast<const State*>(state)->handler;
  if (size >= sizeof *event && handler)
    handler(*event, std::span(reinterpret_cast<const std::byte*>(event + 1), size - sizeof *event));
  return 0;
}

void KernelCalls::drain() {
  ::ring_buffer__consume(events_);
}

int KernelCalls::descriptor() const {
  return ::ring_buffer__epoll_fd(events_);
}

bool KernelCalls::set_image(pid_t process, std::uint32_t image) {
  const auto key = static_cast<std::uint32_t>(process);
  const bool there = ::bpf_map_update_elem(images_, &key, &image, BPF_ANY) == 0;
  std::atomic_ref(quick_image(key)).store(there ? kernel_quick_image(key, image) : 0);
  return there;
}

void KernelCalls::drop_process(pid_t process) {
  const auto key = static_cast<std::uint32_t>(process);
  ::bpf_map_delete_elem(images_, &key);
  if (quick_image(key) >> 32 == key)
    std::atomic_ref(quick_image(key)).store(0);
}

std::uint64_t& KernelCalls::quick_image(std::uint32_t process) const {
  return shared_->quick_images[process % KERNEL_QUICK_IMAGES];
}

bool KernelCalls::add_shape(const kernel_place& place, const kernel_shape& shape) const {
  return ::bpf_map_update_elem(shapes_, &place, &shape, BPF_ANY) == 0;
}

bool KernelCalls::add_use(const kernel_use& use) const {
  const kernel_count nothing{};
  return ::bpf_map_update_elem(uses_, &use, &nothing, BPF_NOEXIST) == 0;
}

void KernelCalls::drop_shape(const kernel_place& place) const {
  ::bpf_map_delete_elem(shapes_, &place);
}

std::optional<kernel_count> KernelCalls::take_use(const kernel_use& use) const {
  kernel_count count{};
  if (::bpf_map_lookup_and_delete_elem(uses_, &use, &count) != 0)
    return std::nullopt;
  return count;
}

std::uint64_t KernelCalls::lost() const {
  std::uint64_t sum = std::atomic_ref(shared_->lost).load();
  // The kernel does not run the program inside of itself.
  bpf_prog_info info{};
  std::uint32_t info_size = sizeof info;
  const auto* program = ::bpf_object__find_program_by_name(object_, "on_call_end");
  if (::bpf_obj_get_info_by_fd(::bpf_program__fd(program), &info, &info_size) == 0)
    sum += info.recursion_misses;
  return sum;
}

} // namespace dragnet::kernel
