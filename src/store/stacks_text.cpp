#include "store/stacks_text.h"

#include "base/result.h"
#include "base/text.h"
#include "model/check.h"
#include "model/stacks.h"
#include "store/text_line.h"

#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::store {
namespace {

constexpr std::string_view first_line = "dragnet stacks 1";

std::string escaped(const std::string& text) {
  return replace_all(replace_all(text, "\\", "\\\\"), "\n", "\\n");
}

std::string unescaped(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size())
      plain += text[++i] == 'n' ? '\n' : text[i];
    else
      plain += text[i];
  }
  return plain;
}

// Writes a text on a line of its own when it is first asked for, and gives its number.
class Numbered {
public:
  Numbered(std::string kind, std::string& out) : kind_(std::move(kind)), out_(out) {}

  std::size_t number(const std::string& text) {
    const auto [found, added] = numbers_.emplace(text, numbers_.size());
    if (added)
      fmt::format_to(std::back_inserter(out_), "{} {}\n", kind_, escaped(text));
    return found->second;
  }

private:
  std::string kind_;
  std::string& out_;
  std::map<std::string, std::size_t> numbers_;
};

void write_frames(const StackProfile& profile, std::string& text) {
  Numbered binaries("binary", text);
  Numbered sources("source", text);
  for (const StackFrame& frame : profile.frames) {
    const std::size_t binary = binaries.number(frame.function.binary);
    const std::string source =
        frame.place ? fmt::to_string(sources.number(frame.place->file)) : "-";
    fmt::format_to(std::back_inserter(text), "frame {} {} {} {} {}\n", binary, source,
                   frame.place ? frame.place->line : 0, frame.inlined ? "inlined" : "called",
                   escaped(frame.function.name));
  }
}

void write_uses(const StackProfile& profile, std::string& text) {
  Numbered files("file", text);
  for (const StackUse& use : profile.uses) {
    const std::string file = use.file.empty() ? "-" : fmt::to_string(files.number(use.file));
    fmt::format_to(std::back_inserter(text), "use {} {} {} {} {}\n", use.stack, file, use.calls,
                   use.amount, escaped(use.metric));
  }
}

class StacksParser {
public:
  // Whether a line was understood.
  bool take(TextLine line) {
    const std::string_view kind = line.word();
    if (kind == "frame")
      return take_frame(line);
    if (kind == "stack")
      return take_stack(line);
    if (kind == "use")
      return take_use(line);
    if (kind == "accounted" || kind == "lost")
      return take_number(kind, line);
    return take_text(kind, unescaped(line.rest()));
  }

  KeptStacks kept;

private:
  bool take_text(std::string_view kind, std::string text) {
    if (kind == "binary")
      binaries_.push_back(std::move(text));
    else if (kind == "source")
      sources_.push_back(std::move(text));
    else if (kind == "file")
      files_.push_back(std::move(text));
    else if (kind == "gap")
      kept.gaps.push_back(std::move(text));
    else if (kind == "way")
      kept.way = std::move(text);
    else if (kind == "chosen")
      kept.chosen_way = std::move(text);
    else
      return false;
    return true;
  }

  bool take_number(std::string_view kind, TextLine& line) {
    const std::uint64_t number = line.number();
    if (kind == "lost")
      kept.profile.lost = number;
    else
      kept.profile.accounted[unescaped(line.rest())] = number;
    return !line.wrong();
  }

  bool take_frame(TextLine& line) {
    const std::size_t binary = line.number_below(binaries_.size());
    const bool placed = !line.rest().starts_with("-");
    std::size_t source = 0;
    if (placed)
      source = line.number_below(sources_.size());
    else
      line.word();
    const std::size_t number = line.number();
    const std::string_view how = line.word();
    if (line.wrong() || (how != "inlined" && how != "called"))
      return false;
    StackFrame frame{{binaries_[binary], unescaped(line.rest())}, {}, how == "inlined"};
    if (placed)
      frame.place = SourcePlace{sources_[source], number};
    kept.profile.frames.push_back(std::move(frame));
    return true;
  }

  bool take_stack(TextLine& line) {
    std::vector<std::size_t> stack;
    while (!line.rest().empty() && !line.wrong())
      stack.push_back(line.number_below(kept.profile.frames.size()));
    kept.profile.stacks.push_back(std::move(stack));
    return !line.wrong();
  }

  bool take_use(TextLine& line) {
    StackUse use;
    use.stack = line.number_below(kept.profile.stacks.size());
    if (line.rest().starts_with("-"))
      line.word();
    else if (const std::size_t file = line.number_below(files_.size()); !line.wrong())
      use.file = files_[file];
    use.calls = line.number();
    use.amount = line.number();
    use.metric = unescaped(line.rest());
    kept.profile.uses.push_back(std::move(use));
    return !line.wrong();
  }

  std::vector<std::string> binaries_;
  std::vector<std::string> sources_;
  std::vector<std::string> files_;
};

} // namespace

std::string stacks_text(const WatchedRun& run) {
  std::string text = fmt::format("{}\n", first_line);
  write_frames(run.profile, text);
  for (const auto& stack : run.profile.stacks)
    fmt::format_to(std::back_inserter(text), "stack {}\n", fmt::join(stack, " "));
  write_uses(run.profile, text);
  for (const auto& [metric, amount] : run.profile.accounted)
    fmt::format_to(std::back_inserter(text), "accounted {} {}\n", amount, escaped(metric));
  fmt::format_to(std::back_inserter(text), "lost {}\n", run.profile.lost);
  for (const std::string& gap : run.gaps)
    fmt::format_to(std::back_inserter(text), "gap {}\n", escaped(gap));
  if (!run.way.empty())
    fmt::format_to(std::back_inserter(text), "way {}\n", escaped(run.way));
  if (!run.chosen_way.empty())
    fmt::format_to(std::back_inserter(text), "chosen {}\n", escaped(run.chosen_way));
  return text;
}

Result<KeptStacks> parse_stacks(std::string_view text) {
  StacksParser parser;
  TRY(read_lines(text, first_line, "kept stacks",
                 [&](TextLine line) { return parser.take(line); }));
  return std::move(parser.kept);
}

} // namespace dragnet::store
