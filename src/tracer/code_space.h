// What code lies where in a process, and how to get from each place to its caller.
#pragma once

#include "runtime/frame_rules.h"
#include "tracer/loaded_file.h"

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::tracer {

/// The files of code that processes have loaded, each once.
class LoadedFiles {
public:
  /// Null where the file cannot be read, or is none.
  const LoadedFile* find(const std::string& path, std::uint64_t inode);

private:
  std::map<std::pair<std::string, std::uint64_t>, std::unique_ptr<LoadedFile>> files_;
};

/// A stretch of executable memory.
struct Module {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t file_offset = 0; ///< of `start`
  std::uint64_t inode = 0;
  std::string path;
  const LoadedFile* file = nullptr;
};

class CodeSpace {
public:
  explicit CodeSpace(LoadedFiles& files) : files_(&files) {}

  /// The code of a child that goes on in the image of its parent.
  CodeSpace for_child() const;

  /// All that was ever seen. Of several that cover an address, the last one counts.
  const std::vector<Module>& modules() const { return modules_; }

  /// Changes when an address may lie in another module than before.
  std::uint64_t generation() const { return generation_; }

  /// Something may have been loaded or unloaded.
  void note_change() { changed_ = true; }

  /// Looks at the process again if there was a change. Before each walk of a stack.
  void refresh(pid_t process);

  enum class Found : std::uint8_t { NoCode, Code };

  /// The rule for an address; NoCode where there is no code. Process 0 is not there to be asked.
  Found rule_at(pid_t process, std::uint64_t address, frame_rule& rule);

private:
  struct Known {
    std::uint64_t address = 0;
    frame_rule rule{};
    Found found = Found::NoCode;
  };

  const Module* module_at(std::uint64_t address) const;
  void look(pid_t process);
  void add(Module module);
  Known learn(pid_t process, std::uint64_t address);

  LoadedFiles* files_;
  std::vector<Module> modules_;
  std::vector<Known> known_; // by address; empty until something was asked
  std::uint64_t generation_ = 0;
  bool changed_ = true;
};

} // namespace dragnet::tracer
