#include "tracer/code_space.h"

#include "base/files.h"
#include "runtime/frame_rules.h"
#include "tracer/loaded_file.h"

#include <fmt/core.h>

#include <sys/types.h>

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::tracer {
namespace {

constexpr std::size_t known_count = 4096;
constexpr std::string_view virtual_library = "[vdso]";

// A line of /proc/PID/maps; false where it is no executable memory.
bool read_line(const std::string& line, Module& module) {
  char rights[5] = {};
  int path_at = 0;
  if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %" SCNu64 " %n",
                  &module.start, &module.end, rights, &module.file_offset, &module.inode,
                  &path_at) < 5 ||
      rights[2] != 'x')
    return false;
  module.path = line.substr(static_cast<std::size_t>(path_at));
  return true;
}

} // namespace

const LoadedFile* LoadedFiles::find(const std::string& path, std::uint64_t inode) {
  const auto [found, added] = files_.try_emplace({path, inode});
  if (added && path == virtual_library)
    found->second = LoadedFile::virtual_library();
  else if (added && path.starts_with('/'))
    found->second = LoadedFile::load(path, inode);
  return found->second.get();
}

CodeSpace CodeSpace::for_child() const {
  CodeSpace child(*files_);
  child.modules_ = modules_;
  child.changed_ = changed_;
  return child;
}

const Module* CodeSpace::module_at(std::uint64_t address) const {
  for (const auto& module : std::views::reverse(modules_))
    if (address >= module.start && address < module.end)
      return &module;
  return nullptr;
}

void CodeSpace::add(Module module) {
  const Module* known = module_at(module.start);
  if (known != nullptr && known->inode == module.inode && known->path == module.path &&
      known->start - known->file_offset == module.start - module.file_offset &&
      known->end >= module.end)
    return;
  if (known != nullptr)
    ++generation_;
  module.file = files_->find(module.path, module.inode);
  modules_.push_back(std::move(module));
}

void CodeSpace::look(pid_t process) {
  if (process == 0)
    return;
  changed_ = false;
  const auto maps = read_file(fmt::format("/proc/{}/maps", process));
  if (!maps)
    return;
  known_.clear();
  for (const auto line : std::views::split(*maps, '\n')) {
    Module module;
    if (read_line(std::string(line.begin(), line.end()), module))
      add(std::move(module));
  }
}

void CodeSpace::refresh(pid_t process) {
  if (changed_)
    look(process);
}

CodeSpace::Known CodeSpace::learn(pid_t process, std::uint64_t address) {
  const Module* module = module_at(address);
  if (module == nullptr) {
    look(process);
    module = module_at(address);
  }
  Known known{.address = address, .rule = {}, .found = Found::NoCode};
  if (module == nullptr)
    return known;
  known.found = Found::Code;
  if (module->file != nullptr)
    known.rule = module->file->rule_at(address - module->start + module->file_offset);
  return known;
}

CodeSpace::Found CodeSpace::rule_at(pid_t process, std::uint64_t address, frame_rule& rule) {
  if (address >> 47 != 0)
    return Found::NoCode;
  if (known_.empty())
    known_.resize(known_count);
  const std::size_t place = (address ^ (address >> 12)) % known_count;
  if (known_[place].address != address || address == 0) {
    const Known learnt = learn(process, address);
    // Looking at the process again may have emptied them.
    known_.resize(known_count);
    known_[place] = learnt;
  }
  rule = known_[place].rule;
  return known_[place].found;
}

} // namespace dragnet::tracer
