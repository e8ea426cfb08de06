#include "base/result.h"
#include "base/text.h"
#include "model/configuration.h"
#include "project/clauses.h"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::project {
namespace {

constexpr int most_variables = 1'000'000;

struct Line {
  std::size_t number = 0; // from 1
  std::vector<int> variables;
};

struct File {
  std::map<int, std::string> names; // by variable
  std::vector<Line> clauses;
};

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (const std::string& word : split(replace_all(std::string(line), "\t", " "), ' '))
    if (!trim(word).empty())
      words.emplace_back(trim(word));
  return words;
}

std::optional<int> number_of(std::string_view word) {
  int number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool whole = problem == std::errc() && end == word.data() + word.size();
  return whole && std::abs(number) <= most_variables ? std::optional(number) : std::nullopt;
}

Error error_in(std::size_t line, std::string_view what) {
  return {fmt::format("line {}: {}", line, what), {}};
}

// A clause ends with 0, which need not be the end of the line.
Result<> read_numbers(const std::vector<std::string>& words, std::size_t line, File& file,
                      std::vector<int>& open) {
  for (const std::string& word : words) {
    const std::optional<int> number = number_of(word);
    if (!number)
      return error_in(line, fmt::format("'{}' is not the number of a variable", word));
    if (*number != 0)
      open.push_back(*number);
    else
      file.clauses.push_back({line, std::exchange(open, {})});
  }
  return success();
}

Result<File> read(std::string_view text) {
  File file;
  std::vector<int> open;
  std::size_t number = 0;
  for (const std::string& line : lines(text)) {
    ++number;
    const std::vector<std::string> words = words_of(line);
    if (words.empty() || words.front() == "p" || words.front() == "%")
      continue;
    if (words.front() == "c") {
      const auto variable = words.size() >= 3 ? number_of(words[1]) : std::nullopt;
      if (variable && *variable > 0)
        file.names.emplace(*variable, words[2]);
      continue;
    }
    TRY(read_numbers(words, number, file, open));
  }
  if (!open.empty())
    return error_in(number, "the last clause does not end with 0");
  return file;
}

// Variables that are no options, as far as their value follows.
class Others {
public:
  Others(const File& file, const Vocabulary& vocabulary) : file_(file), vocabulary_(vocabulary) {
    for (bool learned = true; learned;) {
      learned = false;
      for (const Line& clause : file.clauses)
        learned = learn_from(clause) || learned;
    }
  }

  std::optional<std::size_t> bit_of(int variable) const {
    const auto name = file_.names.find(std::abs(variable));
    if (name == file_.names.end())
      return std::nullopt;
    const auto bit = vocabulary_.bits.find(name->second);
    return bit == vocabulary_.bits.end() ? std::nullopt : std::optional(bit->second);
  }
  std::optional<bool> holds(int literal) const {
    const auto value = values_.find(std::abs(literal));
    return value == values_.end() ? std::nullopt : std::optional(value->second == (literal > 0));
  }
  std::string name(int variable) const {
    const auto name = file_.names.find(std::abs(variable));
    return name == file_.names.end() ? fmt::format("variable {}", std::abs(variable))
                                     : name->second;
  }

private:
  bool learn_from(const Line& clause) {
    std::optional<int> open;
    for (const int literal : clause.variables) {
      if (holds(literal).value_or(false) || (open && *open != literal))
        return false;
      if (!holds(literal))
        open = literal;
    }
    if (!open || bit_of(*open))
      return false;
    return values_.emplace(std::abs(*open), *open > 0).second;
  }

  const File& file_;
  const Vocabulary& vocabulary_;
  std::map<int, bool> values_;
};

} // namespace

Result<std::vector<Clause>> parse_dimacs(std::string_view text, const Vocabulary& vocabulary) {
  const File file = TRY(read(text));
  const Others others(file, vocabulary);
  std::vector<Clause> clauses;
  for (const Line& line : file.clauses) {
    Clause clause{{}, {}};
    bool holds = false;
    std::string words;
    for (const int literal : line.variables) {
      const auto bit = others.bit_of(literal);
      const auto known = others.holds(literal);
      words += fmt::format("{}{}{}", words.empty() ? "" : " or ", literal > 0 ? "" : "not ",
                           others.name(literal));
      holds = holds || known.value_or(false);
      if (bit)
        clause.literals.push_back({*bit, literal > 0});
      else if (!known)
        return Error{
            fmt::format("line {}: '{}' is not an option", line.number, others.name(literal)),
            "write an [[option]] for it, or leave its clauses out"};
    }
    clause.text = fmt::format("line {} of the DIMACS file: {}", line.number, words);
    if (!holds)
      clauses.push_back(std::move(clause));
  }
  return clauses;
}

} // namespace dragnet::project
