// A process that is watched from outside: what its system calls did, counted by stacks and files.
#pragma once

#include "base/files.h"
#include "tracer/code_space.h"
#include "tracer/ledger.h"
#include "tracer/stack_walk.h"

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace dragnet::tracer {

/// A system call that has ended.
struct Call {
  pid_t thread = 0;
  long number = 0;
  std::array<std::uint64_t, 6> arguments{};
  long result = 0;
  Registers from;
};

class WatchedProcess {
public:
  WatchedProcess(pid_t id, std::filesystem::path folder, CodeSpace code)
      : id_(id), folder_(std::move(folder)), code_(std::move(code)) {}

  pid_t id() const { return id_; }
  CodeSpace& code() { return code_; }

  /// A child that was forked from this process and goes on in its image.
  WatchedProcess child(pid_t id) const { return {id, folder_, code_.for_child()}; }

  /// The process has become another program.
  void begin_image(CodeSpace code);

  /// Counts what a call did; its thread stands still. Calls of no interest are ignored.
  void count(const Call& call, StackCopy& stack);

  /// Where something is counted.
  struct Place {
    std::uint32_t stack = 0;
    std::uint32_t file = 0;
    std::uint32_t kind = 0;
  };

  /// The place for a stack and a file by its path; nothing where there is no room.
  std::optional<Place> place(const Walk& walk, std::string_view path, std::uint32_t kind);
  void add(const Place& place, std::uint64_t calls, std::uint64_t amount);

  /// Counts calls as lost.
  void lose(std::uint64_t calls) { lost_ += calls; }

  /// Calls that could not be kept because there was no room for a file.
  std::uint64_t lost() const { return lost_; }

private:
  struct Use {
    std::uint32_t kind = 0;
    std::uint64_t amount = 0;
    std::optional<std::uint64_t> descriptor; // of the file
  };

  void count_special(const Call& call);
  void add(const Call& call, const Use& use);
  std::uint32_t file_behind(pid_t thread, std::uint64_t descriptor);
  bool has_ledger();

  pid_t id_;
  std::filesystem::path folder_;
  CodeSpace code_;
  std::unique_ptr<Ledger> ledger_; // from the first call that counts
  bool ledger_failed_ = false;
  FileDescriptor descriptors_; // /proc/PID/fd
  Walk walk_;
  std::uint32_t stack_number_ = 0; // of the call that is counted
  std::uint64_t lost_ = 0;
};

} // namespace dragnet::tracer
