#include "binary/call_sites.h"

#include <cstdint>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <string>
#include <vector>

namespace dragnet::binary {
namespace {

// Deeper nesting than this is broken debug information.
constexpr int deepest = 256;

bool is_call(int tag) {
  return tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;
}

bool has_calls_below(int tag) {
  return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine;
}

// Before version 5 of the format, compilers wrote the same with attributes of their own.
std::uint64_t address_behind(Dwarf_Die& site) {
  Dwarf_Attribute attribute{};
  Dwarf_Addr address = 0;
  const unsigned wanted =
      dwarf_tag(&site) == DW_TAG_call_site ? DW_AT_call_return_pc : DW_AT_low_pc;
  return dwarf_formaddr(dwarf_attr(&site, wanted, &attribute), &address) == 0 ? address : 0;
}

bool is_tail_call(Dwarf_Die& site) {
  Dwarf_Attribute attribute{};
  bool tail = false;
  const unsigned wanted =
      dwarf_tag(&site) == DW_TAG_call_site ? DW_AT_call_tail_call : DW_AT_GNU_tail_call;
  return dwarf_formflag(dwarf_attr(&site, wanted, &attribute), &tail) == 0 && tail;
}

std::string callee_of(Dwarf_Die& site) {
  Dwarf_Attribute attribute{};
  Dwarf_Die callee{};
  const unsigned wanted =
      dwarf_tag(&site) == DW_TAG_call_site ? DW_AT_call_origin : DW_AT_abstract_origin;
  if (dwarf_formref_die(dwarf_attr(&site, wanted, &attribute), &callee) == nullptr)
    return {};
  return linkage_name(callee);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as blocks are nested
void collect(Dwarf_Die parent, int depth, std::vector<CallSite>& found) {
  Dwarf_Die child{};
  if (depth > deepest || dwarf_child(&parent, &child) != 0)
    return;
  do {
    const int tag = dwarf_tag(&child);
    if (is_call(tag))
      found.push_back({address_behind(child), callee_of(child), is_tail_call(child)});
    else if (has_calls_below(tag))
      collect(child, depth + 1, found);
  } while (dwarf_siblingof(&child, &child) == 0);
}

} // namespace

std::vector<CallSite> call_sites(Dwarf_Die function) {
  std::vector<CallSite> found;
  collect(function, 0, found);
  return found;
}

std::string linkage_name(Dwarf_Die& die) {
  Dwarf_Attribute attribute{};
  const char* linkage =
      dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_linkage_name, &attribute));
  const char* plain = linkage != nullptr ? linkage : dwarf_diename(&die);
  return plain == nullptr ? "" : plain;
}

} // namespace dragnet::binary
