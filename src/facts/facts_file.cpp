#include "facts/facts_file.h"

#include "base/result.h"
#include "base/text.h"
#include "facts/unit_facts.h"
#include "model/profile.h"
#include "model/source.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::facts {
namespace {

constexpr std::string_view head = "dragnet facts 3";
constexpr std::string_view kind_letters = "sblcx";
constexpr std::array<std::string_view, 6> comparisons{"==", "!=", "<", "<=", ">", ">="};
constexpr std::size_t deepest = 2000;

std::string listed(const std::vector<CollectionNumber>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ","));
}

std::string listed(const std::vector<std::optional<SourceArgument>>& arguments) {
  std::string text;
  for (const auto& argument : arguments) {
    text += text.empty() ? "" : ",";
    if (!argument)
      text += '-';
    else if (argument->number)
      text += fmt::format("={}", *argument->number);
    else
      text += fmt::format("{}*{}*{}", argument->factor, argument->collection.value_or(0),
                          argument->more);
  }
  return text;
}

void write(const SourceBlock& block, std::string& text) {
  fmt::format_to(std::back_inserter(text), "{}{:x},{:x},{:x},{:x},{:x},(",
                 kind_letters[static_cast<std::size_t>(block.kind)], block.subject, block.weight,
                 block.identity, block.line, block.column);
  for (const SourceBlock& part : block.parts)
    write(part, text);
  text += ')';
}

void write(const SourceFunction& function, std::string& text) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "F\t{}\t{}\t{}\t{:x}\n", function.name, function.file, function.line,
                 function.body_hash);
  for (const SourceCall& call : function.calls) {
    fmt::format_to(out, "K\t{}\t{}", call.kind == CallKind::Direct ? 'd' : 'i',
                   listed(call.arguments));
    for (const std::string& target : call.targets)
      fmt::format_to(out, "\t{}", target);
    text += '\n';
  }
  for (const SourceDecision& decision : function.decisions)
    fmt::format_to(out, "D\t{}\t{}\t{}\n", decision.parameter,
                   comparisons[static_cast<std::size_t>(decision.comparison)], decision.number);
  for (const SourceLoop& loop : function.loops)
    fmt::format_to(out, "L\t{}\t{}\t{}\t{}\t{}\t{}\n", loop.times, listed(loop.walks),
                   listed(loop.fills), listed(loop.empties), loop.rate, loop.partial ? "p" : "");
  fmt::format_to(out, "G\t{}\t{}\n", listed(function.fills), listed(function.empties));
  text += "B\t";
  write(function.body, text);
  text += '\n';
}

template <class Number>
std::optional<Number> number_in(std::string_view text, int base = 10) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

std::optional<double> finite_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> rate_in(std::string_view text) {
  const auto value = finite_in(text);
  return value && *value > 0 ? value : std::nullopt;
}

// A number "=5", or a factor, a collection and what is added "2*3*1".
std::optional<SourceArgument> argument_in(std::string_view text) {
  if (text.starts_with('=')) {
    const auto number = finite_in(text.substr(1));
    return number ? std::optional(SourceArgument{.number = number}) : std::nullopt;
  }
  const auto parts = split(std::string(text), '*');
  if (parts.size() != 3)
    return std::nullopt;
  const auto factor = rate_in(parts[0]);
  const auto collection = number_in<CollectionNumber>(parts[1]);
  const auto more = finite_in(parts[2]);
  if (!factor || !collection || !more)
    return std::nullopt;
  return SourceArgument{.collection = collection, .factor = *factor, .more = *more};
}

class BlockParser {
public:
  explicit BlockParser(std::string_view text) : text_(text) {}

  std::optional<SourceBlock> run() {
    auto block = parse_block(0);
    return block && at_ == text_.size() ? std::move(block) : std::nullopt;
  }

private:
  std::optional<SourceBlock> parse_block(std::size_t depth) {
    if (at_ >= text_.size() || depth > deepest)
      return std::nullopt;
    const std::size_t kind = kind_letters.find(text_[at_++]);
    if (kind == std::string_view::npos)
      return std::nullopt;
    SourceBlock block{.kind = static_cast<BlockKind>(kind)};
    if (!read(block.subject) || !read(block.weight) || !read(block.identity) || !read(block.line) ||
        !read(block.column) || !skip('('))
      return std::nullopt;
    while (!skip(')')) {
      auto part = parse_block(depth + 1);
      if (!part)
        return std::nullopt;
      block.parts.push_back(*std::move(part));
    }
    return block;
  }

  template <class Number>
  bool read(Number& number) {
    const std::size_t end = text_.find(',', at_);
    if (end == std::string_view::npos)
      return false;
    const auto value = number_in<Number>(text_.substr(at_, end - at_), 16);
    number = value.value_or(0);
    at_ = end + 1;
    return value.has_value();
  }

  bool skip(char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted)
      return false;
    ++at_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Whether the loops and calls that a block speaks of exist, and loops have one body.
bool fits(const SourceBlock& block, const SourceFunction& function) {
  if (block.kind == BlockKind::Call && block.subject >= function.calls.size())
    return false;
  if (block.kind == BlockKind::Branch && block.subject > function.decisions.size())
    return false;
  if (block.kind == BlockKind::Loop &&
      (block.subject >= function.loops.size() || block.parts.size() != 1))
    return false;
  return std::ranges::all_of(block.parts,
                             [&](const SourceBlock& part) { return fits(part, function); });
}

class Parser {
public:
  bool take(const std::string& line) {
    const auto fields = split(line, '\t');
    if (fields.front().size() != 1)
      return false;
    switch (fields.front().front()) {
    case 'C':
      return take_name(fields, unit_.facts.collections);
    case 'W':
      return take_name(fields, unit_.facts.warnings);
    case 'U':
      return take_name(fields, unit_.facts.unread);
    case 'A':
      return take_alias(fields);
    case 'O':
      return take_pair(fields, unit_.overrides);
    case 'T':
      return take_pair(fields, unit_.taken);
    case 'F':
      return take_function(fields);
    default:
      return !unit_.facts.functions.empty() && take_part(fields);
    }
  }

  // Collections may be named after the lines that speak of them.
  bool is_whole() const {
    const std::size_t known = unit_.facts.collections.size();
    const auto all_known = [&](const std::vector<CollectionNumber>& list) {
      return std::ranges::all_of(list, [&](CollectionNumber one) { return one < known; });
    };
    const auto all_arguments_known = [&](const SourceCall& call) {
      return std::ranges::all_of(call.arguments, [&](const auto& argument) {
        return !argument || !argument->collection || *argument->collection < known;
      });
    };
    return std::ranges::all_of(unit_.facts.aliases,
                               [&](const SourceAlias& alias) {
                                 return alias.collection < known && alias.source < known;
                               }) &&
           std::ranges::all_of(unit_.facts.functions, [&](const SourceFunction& function) {
             return fits(function.body, function) && all_known(function.fills) &&
                    all_known(function.empties) &&
                    std::ranges::all_of(function.calls, all_arguments_known) &&
                    std::ranges::all_of(function.loops, [&](const SourceLoop& loop) {
                      return all_known(loop.walks) && all_known(loop.fills) &&
                             all_known(loop.empties);
                    });
           });
  }

  UnitFacts result() { return std::move(unit_); }

private:
  using Fields = std::vector<std::string>;

  static bool take_name(const Fields& fields, std::vector<std::string>& names) {
    if (fields.size() != 2)
      return false;
    names.push_back(fields[1]);
    return true;
  }

  bool take_alias(const Fields& fields) {
    if (fields.size() != 3)
      return false;
    const auto collection = number_in<CollectionNumber>(fields[1]);
    const auto source = number_in<CollectionNumber>(fields[2]);
    if (!collection || !source)
      return false;
    unit_.facts.aliases.push_back({.collection = *collection, .source = *source});
    return true;
  }

  template <class Pair>
  static bool take_pair(const Fields& fields, std::vector<Pair>& pairs) {
    if (fields.size() != 3)
      return false;
    pairs.push_back({fields[1], fields[2]});
    return true;
  }

  bool take_function(const Fields& fields) {
    if (fields.size() != 5)
      return false;
    const auto line = number_in<std::uint32_t>(fields[3]);
    const auto hash = number_in<std::uint64_t>(fields[4], 16);
    if (!line || !hash)
      return false;
    SourceFunction& function = unit_.facts.functions.emplace_back();
    function.name = fields[1];
    function.file = fields[2];
    function.line = *line;
    function.body_hash = *hash;
    return true;
  }

  bool take_part(const Fields& fields) {
    SourceFunction& function = unit_.facts.functions.back();
    switch (fields.front().front()) {
    case 'K':
      return take_call(fields, function);
    case 'D':
      return take_decision(fields, function);
    case 'L':
      return take_loop(fields, function);
    case 'G':
      return fields.size() == 3 && read_list(fields[1], function.fills) &&
             read_list(fields[2], function.empties);
    case 'B':
      return fields.size() == 2 && take_body(fields[1], function);
    default:
      return false;
    }
  }

  static bool take_call(const Fields& fields, SourceFunction& function) {
    if (fields.size() < 3 || (fields[1] != "d" && fields[1] != "i"))
      return false;
    SourceCall& call = function.calls.emplace_back();
    call.kind = fields[1] == "d" ? CallKind::Direct : CallKind::Indirect;
    call.targets.assign(fields.begin() + 3, fields.end());
    return fields[2].empty() || read_arguments(fields[2], call);
  }

  static bool read_arguments(const std::string& text, SourceCall& call) {
    for (const std::string& one : split(text, ',')) {
      call.arguments.push_back(argument_in(one));
      if (!call.arguments.back() && one != "-")
        return false;
    }
    return true;
  }

  static bool take_decision(const Fields& fields, SourceFunction& function) {
    if (fields.size() != 4)
      return false;
    const auto parameter = number_in<std::uint32_t>(fields[1]);
    const auto* const comparison = std::ranges::find(comparisons, fields[2]);
    const auto number = finite_in(fields[3]);
    if (!parameter || comparison == comparisons.end() || !number)
      return false;
    function.decisions.push_back(
        {.parameter = *parameter,
         .comparison = static_cast<Comparison>(comparison - comparisons.begin()),
         .number = *number});
    return true;
  }

  static bool take_loop(const Fields& fields, SourceFunction& function) {
    if (fields.size() != 7 || (!fields[6].empty() && fields[6] != "p"))
      return false;
    const auto times = number_in<std::uint64_t>(fields[1]);
    const auto rate = rate_in(fields[5]);
    SourceLoop& loop = function.loops.emplace_back();
    loop.times = times.value_or(0);
    loop.rate = rate.value_or(1);
    loop.partial = !fields[6].empty();
    return times && rate && read_list(fields[2], loop.walks) && read_list(fields[3], loop.fills) &&
           read_list(fields[4], loop.empties);
  }

  static bool read_list(const std::string& text, std::vector<CollectionNumber>& list) {
    if (text.empty())
      return true;
    for (const std::string& one : split(text, ',')) {
      const auto number = number_in<CollectionNumber>(one);
      if (!number)
        return false;
      list.push_back(*number);
    }
    return true;
  }

  static bool take_body(const std::string& text, SourceFunction& function) {
    auto body = BlockParser(text).run();
    if (!body)
      return false;
    function.body = *std::move(body);
    return true;
  }

  UnitFacts unit_;
};

} // namespace

std::string to_text(const UnitFacts& unit) {
  std::string text = fmt::format("{}\n", head);
  const auto out = std::back_inserter(text);
  for (const std::string& name : unit.facts.collections)
    fmt::format_to(out, "C\t{}\n", name);
  for (const SourceAlias& alias : unit.facts.aliases)
    fmt::format_to(out, "A\t{}\t{}\n", alias.collection, alias.source);
  for (const Override& one : unit.overrides)
    fmt::format_to(out, "O\t{}\t{}\n", one.method, one.overridden);
  for (const Taken& one : unit.taken)
    fmt::format_to(out, "T\t{}\t{}\n", one.type, one.function);
  for (const std::string& warning : unit.facts.warnings)
    fmt::format_to(out, "W\t{}\n", warning);
  for (const std::string& file : unit.facts.unread)
    fmt::format_to(out, "U\t{}\n", file);
  for (const SourceFunction& function : unit.facts.functions)
    write(function, text);
  return text;
}

Result<UnitFacts> parse(std::string_view text) {
  const auto all = lines(text);
  if (all.empty() || all.front() != head)
    return Error{"these are no facts of this version", "remove the cache to make them again"};
  Parser parser;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (!parser.take(all[i]))
      return Error{fmt::format("line {} of the facts is wrong", i + 1), ""};
  if (!parser.is_whole())
    return Error{"the facts speak of loops, calls or collections that they do not name", ""};
  return parser.result();
}

} // namespace dragnet::facts
