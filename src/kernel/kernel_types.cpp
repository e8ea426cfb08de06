#include "kernel/kernel_types.h"

#include "base/files.h"

#include <fmt/core.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dragnet::kernel {
namespace {

struct Free {
  void operator()(btf* types) const { ::btf__free(types); }
  void operator()(bpf_object* object) const { ::bpf_object__close(object); }
};
using Types = std::unique_ptr<btf, Free>;
using Object = std::unique_ptr<bpf_object, Free>;

const btf_type* without_names(const btf* types, std::uint32_t number) {
  const btf_type* type = ::btf__type_by_id(types, number);
  while (type != nullptr && (::btf_is_mod(type) || ::btf_is_typedef(type)))
    type = ::btf__type_by_id(types, type->type);
  return type;
}

std::string name_of(const btf* types, std::uint32_t at) {
  const char* name = ::btf__name_by_offset(types, at);
  return name == nullptr ? std::string() : name;
}

struct Member {
  const btf_type* type = nullptr;
  std::uint32_t bits = 0; // from the beginning of the whole
};

// A member by its name, also where it stands in parts without a name.
std::optional<Member> member(const btf* types, const btf_type* whole, const std::string& name) {
  for (std::uint32_t i = 0; i < ::btf_vlen(whole); ++i) {
    const btf_member& here = ::btf_members(whole)[i];
    const std::string known = name_of(types, here.name_off);
    const Member found{without_names(types, here.type), ::btf_member_bit_offset(whole, i)};
    if (found.type == nullptr || known == name)
      return found.type == nullptr ? std::nullopt : std::optional(found);
    if (!known.empty() || !::btf_is_composite(found.type))
      continue;
    if (auto inner = member(types, found.type, name)) {
      inner->bits += found.bits;
      return inner;
    }
  }
  return std::nullopt;
}

// Picks from all types what the others have by name.
class Selection {
public:
  Selection(const btf* ours, const btf* all) : ours_(ours), all_(all) {
    for (std::uint32_t number = 1; number < ::btf__type_cnt(ours); ++number) {
      const btf_type* type = ::btf__type_by_id(ours, number);
      const std::string name = ::btf_is_struct(type) ? name_of(ours, type->name_off) : "";
      const int known = ::btf__find_by_name_kind(all, name.c_str(), BTF_KIND_STRUCT);
      if (!name.empty() && known > 0)
        structures_.emplace(name,
                            Pair{type, ::btf__type_by_id(all, static_cast<std::uint32_t>(known))});
    }
  }

  Types picked() const {
    Types made(::btf__new_empty());
    ::btf__add_ptr(made.get(), 0);
    for (const int size : sizes)
      ::btf__add_int(made.get(), fmt::format("integer{}", size).c_str(),
                     static_cast<std::size_t>(size), 0);
    for (const auto& [name, pair] : structures_) {
      ::btf__add_struct(made.get(), name.c_str(), pair.theirs->size);
      add_members(made.get(), pair);
    }
    return made;
  }

private:
  struct Pair {
    const btf_type* ours = nullptr;
    const btf_type* theirs = nullptr;
  };
  // Types are numbered as they are added: a pointer, the integers, the structures.
  static constexpr std::array sizes{1, 2, 4, 8};
  static constexpr int pointer = 1;
  static constexpr int first_structure = 2 + static_cast<int>(sizes.size());

  // 0 where there is none.
  int number_of(const btf_type* type) const {
    if (::btf_is_ptr(type))
      return pointer;
    if (::btf_is_composite(type)) {
      const auto found = structures_.find(name_of(all_, type->name_off));
      return found == structures_.end()
                 ? 0
                 : first_structure + static_cast<int>(std::distance(structures_.begin(), found));
    }
    for (std::size_t i = 0; ::btf_is_int(type) && i < sizes.size(); ++i)
      if (type->size == static_cast<std::uint32_t>(sizes[i]))
        return pointer + 1 + static_cast<int>(i);
    return 0;
  }

  void add_members(btf* made, const Pair& pair) const {
    for (std::uint32_t i = 0; i < ::btf_vlen(pair.ours); ++i) {
      const std::string name = name_of(ours_, ::btf_members(pair.ours)[i].name_off);
      const auto found = member(all_, pair.theirs, name);
      if (!found)
        continue;
      if (const int number = number_of(found->type); number != 0)
        ::btf__add_field(made, name.c_str(), number, found->bits, 0);
    }
  }

  const btf* ours_;
  const btf* all_;
  std::map<std::string, Pair> structures_;
};

// Mapped, because reading gives a page at a time.
Types all_types() {
  const FileDescriptor file(::open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC));
  struct stat status{};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0)
    return nullptr;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (at == MAP_FAILED)
    return Types(::btf__parse("/sys/kernel/btf/vmlinux", nullptr));
  Types types(::btf__new(at, static_cast<std::uint32_t>(size)));
  ::munmap(at, size);
  return types;
}

Types needed_types(std::span<const char> program) {
  const Object object(::bpf_object__open_mem(program.data(), program.size(), nullptr));
  const Types all = all_types();
  const btf* ours = object ? ::bpf_object__btf(object.get()) : nullptr;
  return ours == nullptr || all == nullptr ? nullptr : Selection(ours, all.get()).picked();
}

// Of the kernel and of the program.
std::uint64_t identity(std::span<const char> program) {
  utsname kernel{};
  ::uname(&kernel);
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::span<const char> bytes) {
    for (const char byte : bytes)
      hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  };
  add(program);
  add(kernel.release);
  add(kernel.version);
  return hash;
}

} // namespace

std::filesystem::path kept_types(const std::filesystem::path& folder,
                                 std::span<const char> program) {
  auto path = folder / fmt::format("kernel-types-{:016x}", identity(program));
  if (std::filesystem::exists(path))
    return path;
  const Types types = needed_types(program);
  std::uint32_t size = 0;
  const void* bytes = types ? ::btf__raw_data(types.get(), &size) : nullptr;
  if (bytes == nullptr || !write_file(path, {static_cast<const char*>(bytes), size}))
    return {};
  return path;
}

} // namespace dragnet::kernel
