#include "binary/debug_function.h"

#include <cstddef>
#include <cstdint>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <optional>

namespace dragnet::binary {
namespace {

struct Wanted {
  std::uint64_t address;
  std::optional<Dwarf_Die> found;
};

// A function whose rare code lies elsewhere has ranges in place of an entry.
bool begins_at(Dwarf_Die* function, std::uint64_t address) {
  Dwarf_Addr entry = 0;
  if (dwarf_entrypc(function, &entry) == 0)
    return entry == address;
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  for (std::ptrdiff_t next = dwarf_ranges(function, 0, &base, &begin, &end); next > 0;
       next = dwarf_ranges(function, next, &base, &begin, &end))
    if (begin == address)
      return true;
  return false;
}

int look_at(Dwarf_Die* function, void* data) {
  auto* wanted = static_cast<Wanted*>(data);
  if (!begins_at(function, wanted->address))
    return DWARF_CB_OK;
  wanted->found = *function;
  return DWARF_CB_ABORT;
}

} // namespace

std::optional<Dwarf_Die> function_at(Dwarf_Die unit, std::uint64_t address) {
  Wanted wanted{.address = address, .found = {}};
  dwarf_getfuncs(&unit, look_at, &wanted, 0);
  return wanted.found;
}

Dwarf_Die whole_unit(Dwarf_Die unit) {
  Dwarf_Die split{};
  Dwarf_Half version = 0;
  std::uint8_t kind = 0;
  if (dwarf_cu_info(unit.cu, &version, &kind, nullptr, &split, nullptr, nullptr, nullptr) == 0 &&
      kind == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid)
    return split;
  return unit;
}

} // namespace dragnet::binary
