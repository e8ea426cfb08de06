#include "tracer/ledger.h"

#include "base/files.h"
#include "base/result.h"
#include "runtime/stacks_format.h"
#include "tracer/code_space.h"
#include "tracer/loaded_file.h"
#include "tracer/stack_walk.h"

#include <fmt/core.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::tracer {
namespace {

// As the monitor inside of programs has them.
constexpr std::uint32_t module_capacity = 4096;
constexpr std::uint32_t file_capacity = 1U << 16;
constexpr std::uint32_t text_capacity = 1U << 23;
constexpr std::uint32_t stack_capacity = 1U << 19;
constexpr std::uint32_t word_capacity = 1U << 24;
constexpr std::uint32_t use_capacity = 1U << 20;

std::uint64_t mixed(std::uint64_t value) {
  value ^= value >> 32;
  value *= 0x9e3779b97f4a7c15U;
  return value ^ (value >> 29);
}

dragnet_stacks_header empty_header(pid_t process) {
  dragnet_stacks_header header{};
  header.magic = DRAGNET_STACKS_MAGIC;
  header.process = static_cast<std::uint32_t>(process);
  header.module_capacity = module_capacity;
  header.file_capacity = file_capacity;
  header.text_capacity = text_capacity;
  header.stack_capacity = stack_capacity;
  header.word_capacity = word_capacity;
  header.use_capacity = use_capacity;
  // Nothing is accounted in it that is not watched.
  header.forked = 1;
  return header;
}

Result<FileDescriptor> new_file(const std::filesystem::path& folder, pid_t process) {
  for (unsigned number = 0; number < 1'000'000; ++number) {
    const auto path = folder / fmt::format("{}-{}.stacks", process, number);
    FileDescriptor made(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (made.is_open())
      return made;
    if (errno != EEXIST)
      return file_error("make", path, errno);
  }
  return file_error("make a file in", folder, EEXIST);
}

} // namespace

void NumberIndex::put(Slot slot) {
  for (std::size_t place = slot.hash;; ++place)
    if (Slot& free = slots_[place % slots_.size()]; free.number == none) {
      free = slot;
      return;
    }
}

void NumberIndex::add(std::uint64_t hash, std::uint32_t number) {
  if (2 * (used_ + 1) > slots_.size()) {
    auto old = std::exchange(slots_, std::vector<Slot>(std::max<std::size_t>(64, used_ * 4)));
    for (const auto& slot : old)
      if (slot.number != none)
        put(slot);
  }
  put({hash, number});
  ++used_;
}

Result<Ledger> Ledger::make(const std::filesystem::path& folder, pid_t process) {
  const auto header = empty_header(process);
  const std::uint64_t size = dragnet_stacks_size(&header);
  const auto file = TRY(new_file(folder, process));
  if (::ftruncate(file.number(), static_cast<off_t>(size)) != 0)
    return file_error("make room in", folder, errno);
  void* at =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file.number(), 0);
  if (at == MAP_FAILED)
    return file_error("map a file in", folder, errno);
  // Most of it is never touched: reading ahead would fill memory with zeros.
  ::madvise(at, size, MADV_RANDOM);
  std::memcpy(at, &header, sizeof header);
  return Ledger(Mapping(at, size));
}

bool Ledger::add_text(std::string_view text, std::uint32_t& where) {
  auto& now = header();
  if (text.size() > now.text_capacity - now.text_count)
    return false;
  where = now.text_count;
  std::ranges::copy(text, reinterpret_cast<char*>(at(dragnet_texts_at(&now) + where)));
  now.text_count += static_cast<std::uint32_t>(text.size());
  return true;
}

std::uint32_t Ledger::file(std::string_view path) {
  auto& now = header();
  auto* files = records<dragnet_stacks_file>(dragnet_files_at(&now));
  const auto* texts = reinterpret_cast<const char*>(at(dragnet_texts_at(&now)));
  const std::uint64_t hash = mixed(std::hash<std::string_view>{}(path));
  const std::uint32_t found = files_.find(hash, [&](std::uint32_t number) {
    return std::string_view(texts + files[number].text_at, files[number].text_size) == path;
  });
  if (found != NumberIndex::none)
    return found;
  const std::uint32_t number = now.file_count;
  if (number == now.file_capacity || !add_text(path, files[number].text_at))
    return DRAGNET_NO_FILE;
  files[number].text_size = static_cast<std::uint32_t>(path.size());
  ++now.file_count;
  files_.add(hash, number);
  return number;
}

void Ledger::add_modules(std::span<const Module> modules) {
  auto& now = header();
  for (const auto& module : modules) {
    if (now.module_count == now.module_capacity)
      return;
    auto& added = records<dragnet_stacks_module>(DRAGNET_STACKS_HEADER_SIZE)[now.module_count];
    added = {.start = module.start,
             .end = module.end,
             .file_offset = module.file_offset,
             .inode = module.inode,
             .text_at = 0,
             .text_size = static_cast<std::uint32_t>(module.path.size()),
             .zero = 0};
    if (add_text(module.path, added.text_at))
      ++now.module_count;
  }
}

bool Ledger::is_stack(std::uint32_t number, const Walk& walk) const {
  const auto& now = *records<const dragnet_stacks_header>(0);
  const auto& known = records<const dragnet_stack>(dragnet_stacks_at(&now))[number];
  const auto* words = records<const std::uint64_t>(dragnet_words_at(&now)) + known.word_at;
  return std::ranges::equal(std::span(words, known.depth), walk.addresses);
}

std::uint32_t Ledger::add_stack(std::uint64_t hash, const Walk& walk) {
  auto& now = header();
  const auto depth = static_cast<std::uint32_t>(walk.addresses.size());
  if (now.stack_count == now.stack_capacity || depth > now.word_capacity - now.word_count)
    return NumberIndex::none;
  std::ranges::copy(walk.addresses,
                    records<std::uint64_t>(dragnet_words_at(&now)) + now.word_count);
  const std::uint32_t number = now.stack_count;
  records<dragnet_stack>(dragnet_stacks_at(&now))[number] = {.hash = hash,
                                                             .word_at = now.word_count,
                                                             .depth = depth,
                                                             .modules = now.module_count,
                                                             .whole = walk.whole ? 1U : 0U};
  now.word_count += depth;
  now.cut += walk.whole ? 0 : 1;
  ++now.stack_count;
  stacks_.add(hash, number);
  return number;
}

std::uint32_t Ledger::stack(const Walk& walk, const CodeSpace& code) {
  std::uint64_t hash = mixed(code.generation());
  for (const std::uint64_t address : walk.addresses)
    hash = mixed(hash ^ address);
  const std::uint32_t found =
      stacks_.find(hash, [&](std::uint32_t number) { return is_stack(number, walk); });
  if (found != NumberIndex::none)
    return found;
  const std::span all(code.modules());
  add_modules(all.subspan(std::min(modules_seen_, all.size())));
  modules_seen_ = all.size();
  return add_stack(hash, walk);
}

void Ledger::add(std::uint32_t stack, std::uint32_t file, std::uint32_t kind, std::uint64_t calls,
                 std::uint64_t amount) {
  auto& now = header();
  auto* uses = records<dragnet_use>(dragnet_uses_at(&now));
  const std::uint64_t hash = mixed(((std::uint64_t{stack} << 32) | file) ^ mixed(kind));
  std::uint32_t number = uses_.find(hash, [&](std::uint32_t known) {
    return uses[known].stack == stack && uses[known].file == file && uses[known].kind == kind;
  });
  if (number == NumberIndex::none) {
    if (stack == NumberIndex::none || now.use_count == now.use_capacity) {
      now.lost += calls;
      return;
    }
    number = now.use_count;
    uses[number] = {
        .stack = stack, .file = file, .kind = kind, .thread = 0, .calls = 0, .amount = 0};
    ++now.use_count;
    uses_.add(hash, number);
  }
  uses[number].calls += calls;
  uses[number].amount += amount;
}

} // namespace dragnet::tracer
