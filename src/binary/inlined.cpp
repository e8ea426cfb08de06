// A DW_TAG_inlined_subroutine names its callee and the ranges of code that came from it. What lies
// in the ranges of a callee, without those of the callees inlined into it in turn, is its code
// here; the callee differs if that code does.

#include "binary/inlined.h"
#include "binary/debug_function.h"
#include "binary/dwfl_session.h"
#include "binary/elf_file.h"
#include "binary/instruction.h"
#include "binary/instruction_decoder.h"
#include "binary/mix.h"
#include "model/function.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::binary {
namespace {

// By callee: a hash of its code, the same in whatever order its copies stand.
using Callees = std::map<std::string, std::uint64_t>;

// Deeper nesting than this is broken debug information.
constexpr int deepest = 64;

class DebugInformation {
public:
  explicit DebugInformation(const std::filesystem::path& path)
      : session_(dwfl_begin(&offline_callbacks())) {
    if (!session_)
      return;
    module_ = dwfl_report_offline(session_.get(), "", path.c_str(), -1);
    dwfl_report_end(session_.get(), nullptr, nullptr);
    if (module_ != nullptr && dwfl_module_getdwarf(module_, &bias_) == nullptr)
      module_ = nullptr;
    if (auto file = ElfFile::open(path))
      file_ = std::make_unique<ElfFile>(std::move(*file));
  }

  Callees callees_of(const Function& function) const {
    Callees callees;
    if (module_ == nullptr || !file_)
      return callees;
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = dwfl_module_addrdie(module_, function.address + bias_, &bias);
    if (unit == nullptr)
      return callees;
    if (auto found = function_at(whole_unit(*unit), function.address))
      collect(*found, callees, 0);
    return callees;
  }

private:
  // Split debug information leaves only a skeleton in the program.

  static std::string name_of(Dwarf_Die& die) {
    Dwarf_Attribute attribute{};
    const char* linkage =
        dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_linkage_name, &attribute));
    const char* plain = linkage != nullptr ? linkage : dwarf_diename(&die);
    return plain == nullptr ? "" : plain;
  }

  // Adds what is inlined below an entry; returns the code of it all, to be left out above.
  std::uint64_t collect(Dwarf_Die parent, Callees& callees, int depth) const {
    std::uint64_t below = 0;
    Dwarf_Die child{};
    if (depth > deepest || dwarf_child(&parent, &child) != 0)
      return below;
    do {
      const std::uint64_t nested = collect(child, callees, depth + 1);
      if (dwarf_tag(&child) != DW_TAG_inlined_subroutine) {
        below += nested;
        continue;
      }
      const std::uint64_t code = code_of(child);
      callees[name_of(child)] += mix(code - nested, 1);
      below += code;
    } while (dwarf_siblingof(&child, &child) == 0);
    return below;
  }

  // The sum over the instructions, so that parts can be taken away.
  std::uint64_t code_of(Dwarf_Die& die) const {
    std::uint64_t sum = 0;
    Dwarf_Addr base = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
      sum += code_between(begin, end);
    return sum;
  }

  std::uint64_t code_between(std::uint64_t begin, std::uint64_t end) const {
    const Section* section = file_->section_at(begin);
    if (section == nullptr || end < begin)
      return 0;
    const std::uint64_t from =
        std::min<std::uint64_t>(begin - section->address, section->content.size());
    auto code = section->content.subspan(from);
    code = code.first(std::min<std::uint64_t>(end - begin, code.size()));
    InstructionDecoder decoder(file_->machine(), {});
    Instruction instruction;
    std::uint64_t sum = 0;
    for (std::uint64_t address = begin; !code.empty();) {
      decoder.decode(code, address, instruction);
      if (instruction.length == 0)
        break;
      sum += instruction.padding ? 0 : mix(instruction.shape, 3);
      address += instruction.length;
      code = code.subspan(instruction.length);
    }
    return sum;
  }

  std::unique_ptr<Dwfl, EndSession> session_;
  Dwfl_Module* module_ = nullptr;
  Dwarf_Addr bias_ = 0;
  std::unique_ptr<const ElfFile> file_;
};

const Function* function_named(const FunctionTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.functions, name, &Function::name);
  return found == table.functions.end() ? nullptr : &*found;
}

std::vector<std::string> differing(const Callees& before, const Callees& now) {
  std::vector<std::string> names;
  for (const auto& [name, code] : now)
    if (const auto old = before.find(name); old == before.end() || old->second != code)
      names.push_back(name);
  for (const auto& [name, code] : before)
    if (!now.contains(name))
      names.push_back(name);
  return names;
}

} // namespace

void add_inlined(Difference& difference, const FunctionTable& old_table,
                 const std::filesystem::path& old_file, const FunctionTable& new_table,
                 const std::filesystem::path& new_file) {
  std::unique_ptr<DebugInformation> before;
  std::unique_ptr<DebugInformation> now;
  for (FunctionChange& change : difference.changes) {
    if (change.kind != ChangeKind::Changed || change.binary != new_table.binary ||
        change.edited == 0)
      continue;
    const Function* old_function =
        function_named(old_table, change.old_name.empty() ? change.name : change.old_name);
    const Function* new_function = function_named(new_table, change.name);
    if (old_function == nullptr || new_function == nullptr)
      continue;
    if (!before) {
      before = std::make_unique<DebugInformation>(old_file);
      now = std::make_unique<DebugInformation>(new_file);
    }
    change.inlined = differing(before->callees_of(*old_function), now->callees_of(*new_function));
  }
}

} // namespace dragnet::binary
