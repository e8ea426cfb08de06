#include "store/profile_text.h"
#include "base/result.h"
#include "model/profile.h"
#include "store/text_line.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::store {
namespace {

constexpr std::string_view first_line = "dragnet profile 1";
constexpr std::array<std::string_view, 3> countings{"emulated", "callgrind", "sampled"};

class Parser {
public:
  // Whether a line was understood.
  bool take(TextLine line) {
    const std::string_view kind = line.word();
    if (kind == "function")
      return take_function(line);
    if (kind == "edge")
      return take_edge(line);
    if (kind == "stretches")
      return take_stretches(line);
    if (kind == "binary")
      binaries_.emplace_back(line.rest());
    else if (kind == "library")
      return take_library(line);
    else if (kind == "instructions")
      profile.instructions = line.number();
    else
      return kind == "counting" && take_counting(line.rest());
    return !line.wrong();
  }

  Profile profile;

private:
  bool take_counting(std::string_view word) {
    for (std::size_t i = 0; i < countings.size(); ++i)
      if (countings.at(i) == word) {
        profile.counting = static_cast<Counting>(i);
        return true;
      }
    return false;
  }

  bool take_function(TextLine& line) {
    const std::uint64_t binary = line.number();
    const std::uint64_t calls = line.number();
    const std::uint64_t instructions = line.number();
    if (line.wrong() || binary >= binaries_.size())
      return false;
    profile.functions.push_back(
        {.function = {.binary = binaries_[binary], .name = std::string(line.rest())},
         .calls = calls,
         .instructions = instructions});
    return true;
  }

  bool take_stretches(TextLine& line) {
    if (profile.functions.empty())
      return false;
    while (!line.rest().empty() && !line.wrong()) {
      const std::uint64_t first = line.number();
      const std::uint64_t executed = line.number();
      profile.functions.back().stretches.push_back(
          {.first = static_cast<std::uint32_t>(first), .executed = executed});
    }
    return !line.wrong();
  }

  bool take_edge(TextLine& line) {
    const std::uint64_t caller = line.number();
    const std::uint64_t callee = line.number();
    const std::string_view kind = line.word();
    const std::uint64_t calls = line.number();
    if (line.wrong() || caller >= profile.functions.size() || callee >= profile.functions.size())
      return false;
    profile.edges.push_back({.caller = profile.functions[caller].function,
                             .callee = profile.functions[callee].function,
                             .kind = kind == "direct" ? CallKind::Direct : CallKind::Indirect,
                             .calls = calls});
    return true;
  }

  bool take_library(TextLine& line) {
    const std::uint64_t instructions = line.number();
    const std::string_view identity = line.word();
    profile.libraries.push_back({.path = std::string(line.rest()),
                                 .identity = identity == "-" ? "" : std::string(identity),
                                 .instructions = instructions});
    return !line.wrong();
  }

  std::vector<std::string> binaries_;
};

} // namespace

std::string profile_text(const Profile& profile) {
  std::string text =
      fmt::format("{}\ncounting {}\ninstructions {}\n", first_line,
                  countings.at(static_cast<std::size_t>(profile.counting)), profile.instructions);
  const auto out = std::back_inserter(text);
  std::map<std::string_view, std::size_t> binaries;
  for (const FunctionCounts& counts : profile.functions)
    if (binaries.emplace(counts.function.binary, binaries.size()).second)
      fmt::format_to(out, "binary {}\n", counts.function.binary);
  std::map<FunctionId, std::size_t> numbers;
  for (const FunctionCounts& counts : profile.functions) {
    numbers.emplace(counts.function, numbers.size());
    fmt::format_to(out, "function {} {} {} {}\n", binaries[counts.function.binary], counts.calls,
                   counts.instructions, counts.function.name);
    if (!counts.stretches.empty())
      text += "stretches";
    for (const Stretch& stretch : counts.stretches)
      fmt::format_to(out, " {} {}", stretch.first, stretch.executed);
    if (!counts.stretches.empty())
      text += '\n';
  }
  for (const CallEdge& edge : profile.edges)
    if (numbers.contains(edge.caller) && numbers.contains(edge.callee))
      fmt::format_to(out, "edge {} {} {} {}\n", numbers[edge.caller], numbers[edge.callee],
                     edge.kind == CallKind::Direct ? "direct" : "indirect", edge.calls);
  for (const ForeignLibrary& library : profile.libraries)
    fmt::format_to(out, "library {} {} {}\n", library.instructions,
                   library.identity.empty() ? "-" : library.identity, library.path);
  return text;
}

Result<Profile> parse_profile(std::string_view text) {
  Parser parser;
  TRY(read_lines(text, first_line, "a kept profile",
                 [&](TextLine line) { return parser.take(line); }));
  return std::move(parser.profile);
}

} // namespace dragnet::store
