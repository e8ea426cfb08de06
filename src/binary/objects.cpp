#include "binary/objects.h"
#include "binary/elf_file.h"
#include "binary/mix.h"
#include "binary/ranges.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

namespace dragnet::binary {
namespace {

Object object_of(const Symbol& symbol) {
  return {.address = symbol.address,
          .size = symbol.size,
          .name_hash = hash_of(without_copy_number(symbol.name))};
}

// Of objects at one address the largest counts; one that reaches into the next ends there.
void tidy(std::vector<Object>& objects) {
  std::ranges::sort(objects, [](const Object& a, const Object& b) {
    return std::tuple(a.address, -a.size, a.name_hash) <
           std::tuple(b.address, -b.size, b.name_hash);
  });
  const auto same = std::ranges::unique(objects, {}, &Object::address);
  objects.erase(same.begin(), same.end());
  for (std::size_t i = 0; i + 1 < objects.size(); ++i)
    objects[i].size = std::min(objects[i].size, objects[i + 1].address - objects[i].address);
}

const Object* last_not_after(const std::vector<Object>& objects, std::uint64_t address) {
  const auto after = std::ranges::upper_bound(objects, address, {}, &Object::address);
  return after == objects.begin() ? nullptr : &*std::prev(after);
}

} // namespace

Objects::Objects(const ElfFile& file) {
  for (const Symbol& symbol : file.symbols()) {
    if (symbol.size == 0)
      continue;
    if (symbol.kind == SymbolKind::Data)
      objects_.push_back(object_of(symbol));
    else if (symbol.kind == SymbolKind::ThreadLocal) {
      Object object = object_of(symbol);
      object.address -= file.thread_local_size();
      thread_local_.push_back(object);
    }
  }
  tidy(objects_);
  tidy(thread_local_);
}

std::optional<std::size_t> Objects::at(std::uint64_t address) const {
  const Object* object = last_not_after(objects_, address);
  if (object == nullptr || address >= object->end())
    return std::nullopt;
  return static_cast<std::size_t>(object - objects_.data());
}

std::optional<std::size_t> Objects::before(std::uint64_t address) const {
  const Object* object = address == 0 ? nullptr : last_not_after(objects_, address - 1);
  if (object == nullptr || address != object->end())
    return std::nullopt;
  return static_cast<std::size_t>(object - objects_.data());
}

std::uint64_t Objects::thread_local_at(std::uint64_t offset) const {
  const Object* object = last_not_after(thread_local_, offset);
  if (object == nullptr || offset >= object->end())
    return 0;
  return mix(object->name_hash, offset - object->address);
}

} // namespace dragnet::binary
