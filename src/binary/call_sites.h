// What debug information tells about the calls in a function.
#pragma once

#include <cstdint>
#include <elfutils/libdw.h>
#include <string>
#include <vector>

namespace dragnet::binary {

struct CallSite {
  std::uint64_t behind = 0; ///< the address where the call returns to, or would
  std::string callee;       ///< mangled; empty where the call is indirect
  bool tail = false;        ///< the caller ends with it and leaves no frame
};

/// The calls in a function, those of what is inlined into it too.
std::vector<CallSite> call_sites(Dwarf_Die function);

/// The mangled name of an entry, or its plain one where it has no other.
std::string linkage_name(Dwarf_Die& die);

} // namespace dragnet::binary
