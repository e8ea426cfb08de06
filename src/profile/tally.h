// Adds up what was executed and called, by the functions of a build's binaries, into a Profile.
#pragma once

#include "model/function.h"
#include "model/profile.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

namespace dragnet::profile {

/// The function tables of a build's binaries by their real paths.
using Tables = std::map<std::string, const FunctionTable*>;

/// What tells one version of a foreign library from another; an empty text when nothing does.
using Identify = std::function<std::string(const std::string& path)>;

/// An address in a binary of the build, and the function that it lies in, if any.
struct Place {
  const FunctionTable* table = nullptr; ///< none: outside the build
  const Function* function = nullptr;
  std::uint64_t address = 0; ///< as linked

  bool is_entry() const { return function != nullptr && function->address == address; }
};

/// The place of an address as linked.
Place place_at(const FunctionTable* table, std::uint64_t address);

/// The place of a byte of the binary's file.
Place place_in_file(const FunctionTable* table, std::uint64_t file_offset);

class Tally {
public:
  /// `instructions` were executed one after the other, from a place on, over `bytes`; where they
  /// run into the next function, it gets its share by bytes.
  void executed(const Place& from, std::uint64_t bytes, std::uint64_t instructions);
  /// All instructions from a place on, over `bytes`, were executed so many times, one after the
  /// other. Tells where in a function the instructions of `executed` are.
  void passed(const Place& from, std::uint64_t bytes, std::uint64_t times);
  /// Instructions of a file outside the build; an empty path is code that was made at run time.
  void executed_outside(const std::string& path, std::uint64_t instructions);
  void called(const Place& entry, std::uint64_t calls);
  /// A call between two functions of the build.
  void called_from(const Place& caller, const Place& callee, CallKind kind, std::uint64_t calls);

  Profile profile(Counting counting, const Identify& identify) const;

private:
  using Key = std::pair<const FunctionTable*, const Function*>;
  struct Sum {
    std::uint64_t calls = 0;
    std::uint64_t instructions = 0;
    std::map<std::uint64_t, std::int64_t> steps; ///< by offset: by how much `times` grows there
  };
  std::uint64_t total_ = 0;
  std::map<Key, Sum> functions_;
  std::map<std::tuple<Key, Key, CallKind>, std::uint64_t> edges_;
  std::map<std::string, std::uint64_t> libraries_;
};

} // namespace dragnet::profile
