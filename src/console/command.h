// What a command is, as data: parsing, --help, manual pages and shell completion all come from this
// one description.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "console/output.h"
#include "console/words.h" // IWYU pragma: export

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::console {

/// What the shell may offer for a word.
enum class Completes : std::uint8_t {
  Nothing,
  Commit,
  Benchmark,
  Metric,
  File,
  Folder,
  Choice,
  Command
};

/// As many as the user likes, for Argument::most.
inline constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

// Each member has an initialiser, so that a description may leave it out without a warning of GCC.
// NOLINTBEGIN(readability-redundant-member-init)

/// One option. Given twice, the last value counts, unless it is `repeated`: then all count, in
/// their order.
struct Option {
  std::string letter = {};   // "b", or nothing
  std::string name = {};     // "benchmark"; without a name the letter is the name
  std::string value = {};    // "NAME", as help shows it; nothing for a flag
  std::string meaning = {};  // "measure only this benchmark"
  std::string standard = {}; // the value when it is not given, shown in help
  bool repeated = false;
  std::vector<std::string> choices = {}; // the only values allowed, if any
  Completes completes = Completes::Nothing;
  std::string also = {}; // another spelling of the name, not shown in help
};

/// One argument by its place. Extra words go to the first argument that can take more.
struct Argument {
  std::string name = {}; // "BASE"
  std::string meaning = {};
  std::size_t least = 1;
  std::size_t most = 1;
  Completes completes = Completes::Nothing;
  std::vector<std::string> choices = {};
};

/// A command to type and what it does.
struct Example {
  std::string command = {}; // "dragnet compare main"
  std::string meaning = {};
};

/// What an exit status tells.
struct ExitStatus {
  int status = 0;
  std::string meaning = {};
};

struct Command;

/// Where a command works and how it talks. Answers go to `output`, all else to `progress`.
struct Surroundings {
  std::filesystem::path folder; // -C, or where the user is; also the current folder
  Progress& progress;
  Output& output;
  bool colour = false; // whether the answer may have colours
  bool verbose = false;
  const std::vector<Command>& commands;
};

/// One command: how it is called, what it is for, and what it does.
struct Command {
  std::string name = {};
  std::string group = {};   // its heading in the overview: "Measure"
  std::string summary = {}; // one line, lower case, without a full stop
  /// Paragraphs with a blank line between; an indented line stays as it is.
  std::string description = {};
  std::vector<Argument> arguments = {};
  std::vector<Option> options = {};
  std::vector<Example> examples = {};
  std::vector<ExitStatus> exits = {}; // nothing means usual_exits()
  bool hidden = false;                // works, but is neither listed nor completed
  /// Does it and gives the exit status; an Error is printed and ends with 2.
  Result<int> (*act)(const Words&, Surroundings&) = nullptr;
};

// NOLINTEND(readability-redundant-member-init)

/// An Error about how a command was called: "compare: <what>", with `see: dragnet compare --help`
/// in its hint.
Error usage_error(std::string_view command, const std::string& what, const std::string& hint);

/// The options that every command takes, before or after its name.
const std::vector<Option>& common_options();

/// Exit statuses of a command that only succeeds or fails.
const std::vector<ExitStatus>& usual_exits();

/// The command of a name, hidden ones included, or nothing.
const Command* find_command(const std::vector<Command>& commands, std::string_view name);

} // namespace dragnet::console
