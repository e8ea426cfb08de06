// Any bytes as a program: functions lie one after the other, or there is an Error; it is the same
// as itself, and whatever another build of it looks like, it can be compared with that.
#include "binary/function_table.h"
#include "fuzz/on_disk.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

void check_order(const dragnet::FunctionTable& table) {
  std::uint64_t end = 0;
  for (const auto& function : table.functions) {
    if (function.address < end)
      std::abort();
    end = function.address + function.size;
  }
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const dragnet::fuzz::OnDisk file(bytes, size);
  const auto same = dragnet::binary::compare(file.path(), file.path(), "input");
  if (!same)
    return 0;
  check_order(same->new_table);
  if (!same->difference.changes.empty())
    std::abort();
  std::vector<std::uint8_t> other(bytes, bytes + size);
  for (std::size_t i = size / 3; i < size; i += 97)
    other[i] ^= 1U;
  const dragnet::fuzz::OnDisk other_file(other.data(), other.size());
  if (const auto compared = dragnet::binary::compare(file.path(), other_file.path(), "input"))
    check_order(compared->new_table);
  return 0;
}
