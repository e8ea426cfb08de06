// Any bytes as a program: functions lie one after the other, or there is an Error.
#include "binary/difference.h"
#include "binary/function_table.h"
#include "fuzz/on_disk.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const dragnet::fuzz::OnDisk file(bytes, size);
  const auto table = dragnet::binary::read_functions(file.path(), "input");
  if (!table)
    return 0;
  std::uint64_t end = 0;
  for (const auto& function : table->functions) {
    if (function.address < end || table->tokens_of(function).size() != function.instructions)
      std::abort();
    end = function.address + function.size;
  }
  if (!dragnet::binary::difference(*table, *table).changes.empty())
    std::abort();
  return 0;
}
