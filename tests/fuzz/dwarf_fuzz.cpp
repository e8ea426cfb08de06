// Any bytes as debug information: a program is compared with itself and told to differ everywhere.
#include "binary/function_table.h"
#include "binary/inlined.h"
#include "fuzz/on_disk.h"
#include "model/function.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const dragnet::fuzz::OnDisk file(bytes, size);
  const auto table = dragnet::binary::read_functions(file.path(), "input");
  if (!table)
    return 0;
  dragnet::Difference difference;
  for (const auto& function : table->functions) {
    dragnet::FunctionChange change;
    change.binary = "input";
    change.name = function.name;
    change.edited = 1;
    difference.changes.push_back(change);
  }
  dragnet::binary::add_inlined(difference, *table, file.path(), *table, file.path());
  for (const auto& change : difference.changes)
    if (!change.inlined.empty())
      std::abort();
  return 0;
}
