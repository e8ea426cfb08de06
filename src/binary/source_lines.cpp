#include "binary/source_lines.h"

#include "binary/debug_function.h"
#include "binary/dwfl_session.h"
#include "model/check.h"

#include <cstddef>
#include <cstdint>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace dragnet::binary {
namespace {

std::optional<SourcePlace> declared_at(Dwarf_Die& function) {
  int line = 0;
  const char* file = dwarf_decl_file(&function);
  if (file == nullptr || dwarf_decl_line(&function, &line) != 0 || line <= 0)
    return std::nullopt;
  return SourcePlace{.file = file, .line = static_cast<std::size_t>(line)};
}

// The first line of code may come from a callee that is inlined there: the declaration does not.
std::optional<SourcePlace> place_at(Dwfl_Module* module, std::uint64_t address, Dwarf_Addr bias) {
  Dwarf_Addr unit_bias = 0;
  Dwarf_Die* unit = dwfl_module_addrdie(module, address + bias, &unit_bias);
  if (unit == nullptr)
    return std::nullopt;
  auto function = function_at(whole_unit(*unit), address);
  return function ? declared_at(*function) : std::nullopt;
}

} // namespace

std::map<std::uint64_t, SourcePlace> source_lines(const std::filesystem::path& program,
                                                  const std::vector<std::uint64_t>& addresses) {
  std::map<std::uint64_t, SourcePlace> places;
  const std::unique_ptr<Dwfl, EndSession> session(dwfl_begin(&offline_callbacks()));
  if (!session)
    return places;
  Dwfl_Module* module = dwfl_report_offline(session.get(), "", program.c_str(), -1);
  dwfl_report_end(session.get(), nullptr, nullptr);
  Dwarf_Addr bias = 0;
  if (module == nullptr || dwfl_module_getdwarf(module, &bias) == nullptr)
    return places;
  for (const std::uint64_t address : addresses)
    if (auto place = place_at(module, address, bias))
      places.emplace(address, std::move(*place));
  return places;
}

} // namespace dragnet::binary
