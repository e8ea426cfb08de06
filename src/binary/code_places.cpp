#include "binary/code_places.h"

#include "binary/call_sites.h"
#include "binary/debug_function.h"
#include "binary/dwfl_session.h"
#include "binary/elf_file.h"
#include "binary/ranges.h"
#include "model/check.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragnet::binary {
namespace {

// Deeper nesting than this is broken debug information.
constexpr int deepest = 256;

std::optional<SourcePlace> call_of(Dwarf_Die& inlined, Dwarf_Die& unit) {
  Dwarf_Attribute attribute{};
  Dwarf_Word file = 0;
  Dwarf_Word line = 0;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_file, &attribute), &file) != 0 ||
      dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_line, &attribute), &line) != 0 ||
      dwarf_getsrcfiles(&unit, &files, &count) != 0 || file >= count)
    return std::nullopt;
  const char* path = dwarf_filesrc(files, file, nullptr, nullptr);
  if (path == nullptr)
    return std::nullopt;
  return SourcePlace{.file = path, .line = line};
}

std::optional<SourcePlace> line_at(Dwarf_Die& unit, std::uint64_t address) {
  Dwarf_Line* found = dwarf_getsrc_die(&unit, address);
  int line = 0;
  const char* file = found == nullptr ? nullptr : dwarf_linesrc(found, nullptr, nullptr);
  if (file == nullptr || dwarf_lineno(found, &line) != 0 || line <= 0)
    return std::nullopt;
  return SourcePlace{.file = file, .line = static_cast<std::size_t>(line)};
}

// What is inlined around an address below an entry, outermost first.
void collect_inlined(Dwarf_Die parent, std::uint64_t address, std::vector<Dwarf_Die>& found) {
  for (int depth = 0; depth < deepest; ++depth) {
    Dwarf_Die child{};
    if (dwarf_child(&parent, &child) != 0)
      return;
    while (dwarf_haspc(&child, address) != 1)
      if (dwarf_siblingof(&child, &child) != 0)
        return;
    if (dwarf_tag(&child) == DW_TAG_inlined_subroutine)
      found.push_back(child);
    parent = child;
  }
}

// The functions of one unit of debug information, found by address.
class UnitFunctions {
public:
  explicit UnitFunctions(Dwarf_Die unit) {
    dwarf_getfuncs(&unit, add, this, 0);
    std::ranges::sort(parts_, {}, &Part::begin);
  }

  std::optional<Dwarf_Die> at(std::uint64_t address) const {
    const auto behind = std::ranges::upper_bound(parts_, address, {}, &Part::begin);
    if (behind == parts_.begin())
      return std::nullopt;
    const Part& part = *std::prev(behind);
    return address < part.end ? std::optional(part.function) : std::nullopt;
  }

private:
  struct Part {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    Dwarf_Die function{};
  };

  static int add(Dwarf_Die* function, void* to) {
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(function, at, &base, &begin, &end)) > 0;)
      static_cast<UnitFunctions*>(to)->parts_.push_back({begin, end, *function});
    return DWARF_CB_OK;
  }

  std::vector<Part> parts_;
};

// The part of a function that is rarely executed has its name.
std::string_view whole_name(std::string_view name) {
  constexpr std::string_view rare = ".cold";
  const auto at = name.rfind(rare);
  return at == std::string_view::npos || at == 0 ? name : name.substr(0, at);
}

} // namespace

struct CodePlaces::Reader {
  explicit Reader(const std::filesystem::path& path) : session(dwfl_begin(&offline_callbacks())) {
    if (auto opened = ElfFile::open(path)) {
      file = std::make_unique<ElfFile>(std::move(*opened));
      ranges = function_ranges(*file);
    }
    if (!session || !file)
      return;
    module = dwfl_report_offline(session.get(), "", path.c_str(), -1);
    dwfl_report_end(session.get(), nullptr, nullptr);
    if (module != nullptr && dwfl_module_getdwarf(module, &bias) == nullptr)
      module = nullptr;
  }

  std::optional<std::uint64_t> address_of(std::uint64_t file_offset) const {
    if (file)
      for (const auto& segment : file->segments())
        if (file_offset - segment.file_offset < segment.size)
          return segment.address + (file_offset - segment.file_offset);
    return std::nullopt;
  }

  const Range* range_at(std::uint64_t address) const {
    const auto behind = std::ranges::upper_bound(ranges, address, {}, &Range::address);
    if (behind == ranges.begin() || address >= std::prev(behind)->end())
      return nullptr;
    return &*std::prev(behind);
  }

  std::string function_at(std::uint64_t address) const {
    const Range* range = range_at(address);
    if (range == nullptr)
      return {};
    return range->name.empty() ? fmt::format("0x{:x}", range->address)
                               : std::string(whole_name(range->name));
  }

  const std::vector<std::string_view>& names_at(std::uint64_t address) {
    if (names.empty())
      for (const Symbol& symbol : file->symbols())
        names[symbol.address].push_back(symbol.name);
    return names[address];
  }

  // Where the function of a name begins; nothing where several have it.
  std::optional<std::uint64_t> entry_of(const std::string& name) const {
    std::optional<std::uint64_t> found;
    for (const Range& range : ranges)
      if (range.name == name) {
        if (found)
          return std::nullopt;
        found = range.address;
      }
    return found;
  }

  const UnitFunctions& functions_of(Dwarf_Die unit) {
    const auto known = units.find(dwarf_dieoffset(&unit));
    if (known != units.end())
      return known->second;
    return units.emplace(dwarf_dieoffset(&unit), UnitFunctions(whole_unit(unit))).first->second;
  }

  std::optional<Dwarf_Die> unit_at(std::uint64_t address) const {
    Dwarf_Addr unit_bias = 0;
    Dwarf_Die* unit =
        module == nullptr ? nullptr : dwfl_module_addrdie(module, address + bias, &unit_bias);
    return unit == nullptr ? std::nullopt : std::optional(*unit);
  }

  std::vector<CallSite> calls_around(std::uint64_t address) {
    const auto unit = unit_at(address);
    const auto function = unit ? functions_of(*unit).at(address) : std::nullopt;
    return function ? call_sites(*function) : std::vector<CallSite>();
  }

  std::vector<TailCall> tail_calls_from(const std::string& function) {
    std::vector<TailCall> found;
    const auto entry = entry_of(function);
    auto unit = entry ? unit_at(*entry) : std::nullopt;
    if (!unit)
      return found;
    for (CallSite& site : calls_around(*entry))
      if (site.tail && !site.callee.empty())
        found.push_back({std::move(site.callee), line_at(*unit, site.behind - 1)});
    return found;
  }

  // Fills in the places of a function at an address, and adds what is inlined there.
  void add_debug_information(std::uint64_t address, std::vector<CodePlace>& places) {
    auto unit = unit_at(address);
    if (!unit)
      return;
    std::vector<Dwarf_Die> inlined;
    if (const auto function = functions_of(*unit).at(address))
      collect_inlined(*function, address, inlined);
    for (Dwarf_Die& callee : inlined) {
      places.back().place = call_of(callee, *unit);
      places.push_back({.function = linkage_name(callee), .place = {}, .inlined = true});
    }
    places.back().place = line_at(*unit, address);
  }

  std::unique_ptr<Dwfl, EndSession> session;
  Dwfl_Module* module = nullptr;
  Dwarf_Addr bias = 0;
  std::unique_ptr<const ElfFile> file;
  std::vector<Range> ranges;
  std::unordered_map<std::uint64_t, std::vector<std::string_view>> names; ///< by address
  std::map<Dwarf_Off, UnitFunctions> units;
  std::map<std::string, std::vector<TailCall>> tail_calls; ///< by function
};

CodePlaces::CodePlaces(const std::filesystem::path& file)
    : reader_(std::make_unique<Reader>(file)) {}
CodePlaces::~CodePlaces() = default;
CodePlaces::CodePlaces(CodePlaces&&) noexcept = default;

std::vector<CodePlace> CodePlaces::at(std::uint64_t file_offset) {
  const auto address = reader_->address_of(file_offset);
  if (!address)
    return {};
  std::vector<CodePlace> places{
      {.function = reader_->function_at(*address), .place = {}, .inlined = false}};
  reader_->add_debug_information(*address, places);
  if (places.size() == 1 && places.front().function.empty())
    return {};
  return places;
}

std::string CodePlaces::called_at(std::uint64_t file_offset) {
  const auto address = reader_->address_of(file_offset);
  if (!address)
    return {};
  const auto sites = reader_->calls_around(*address);
  const auto site = std::ranges::find(sites, *address + 1, &CallSite::behind);
  return site == sites.end() || site->tail ? "" : site->callee;
}

const std::vector<TailCall>& CodePlaces::tail_calls_of(const std::string& function) {
  const auto [found, added] = reader_->tail_calls.try_emplace(function);
  if (added)
    found->second = reader_->tail_calls_from(function);
  return found->second;
}

bool CodePlaces::is_named(std::uint64_t file_offset, const std::string& name) const {
  const auto address = reader_->address_of(file_offset);
  const Range* range = address ? reader_->range_at(*address) : nullptr;
  return range != nullptr &&
         std::ranges::any_of(reader_->names_at(range->address), [&](std::string_view other) {
           return other == name || other.starts_with(name + ".");
         });
}

} // namespace dragnet::binary
