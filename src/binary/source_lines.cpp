#include "binary/source_lines.h"

#include "model/check.h"

#include <cstddef>
#include <cstdint>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::binary {
namespace {

struct End {
  void operator()(Dwfl* session) const { dwfl_end(session); }
};

const Dwfl_Callbacks& callbacks() {
  static const Dwfl_Callbacks made{.find_elf = dwfl_build_id_find_elf,
                                   .find_debuginfo = dwfl_standard_find_debuginfo,
                                   .section_address = dwfl_offline_section_address,
                                   .debuginfo_path = nullptr};
  return made;
}

std::optional<SourcePlace> line_at(Dwfl_Module* module, std::uint64_t address) {
  Dwfl_Line* line = dwfl_module_getsrc(module, address);
  int number = 0;
  const char* file =
      line == nullptr ? nullptr : dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr);
  if (file == nullptr || number <= 0)
    return std::nullopt;
  return SourcePlace{.file = file, .line = static_cast<std::size_t>(number)};
}

} // namespace

std::map<std::uint64_t, SourcePlace> source_lines(const std::filesystem::path& program,
                                                  const std::vector<std::uint64_t>& addresses) {
  std::map<std::uint64_t, SourcePlace> places;
  const std::unique_ptr<Dwfl, End> session(dwfl_begin(&callbacks()));
  if (!session)
    return places;
  Dwfl_Module* module = dwfl_report_offline(session.get(), "", program.c_str(), -1);
  dwfl_report_end(session.get(), nullptr, nullptr);
  Dwarf_Addr bias = 0;
  if (module == nullptr || dwfl_module_getdwarf(module, &bias) == nullptr)
    return places;
  for (const std::uint64_t address : addresses)
    if (auto place = line_at(module, address + bias))
      places.emplace(address, std::move(*place));
  return places;
}

} // namespace dragnet::binary
