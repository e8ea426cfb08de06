#include "project/clauses.h"

#include "base/result.h"
#include "base/text.h"
#include "model/configuration.h"
#include "project/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::project {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
constexpr std::size_t longest_clause = 10'000;
constexpr int deepest = 100;

// Longer ones first, so that "<=>" is not taken for "<=".
constexpr std::array<std::string_view, 16> symbols = {
    "<=>", "==", "!=", "<=", ">=", "=>", "&&", "||", "<", ">", "(", ")", "!", "&", "|", "+"};

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::string_view word_at(std::string_view text) {
  std::size_t end = text.find_first_not_of(letters);
  end = std::min(end, text.size());
  // "index=hash" is one word; "a == 1" and "a => b" are not.
  if (end == 0 || end + 1 >= text.size() || text[end] != '=' || !letters.contains(text[end + 1]))
    return text.substr(0, end);
  const std::size_t rest = text.find_first_not_of(letters, end + 1);
  return text.substr(0, rest);
}

// The words and symbols of a text; nothing where a letter has no meaning.
std::optional<std::vector<std::string_view>> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!(text = trim(text)).empty()) {
    std::string_view word = word_at(text);
    for (const std::string_view symbol : symbols)
      if (word.empty() && text.starts_with(symbol))
        word = text.substr(0, symbol.size());
    if (word.empty())
      return std::nullopt;
    words.push_back(word);
    text.remove_prefix(word.size());
  }
  return words;
}

bool related(double value, std::string_view relation, double bound) {
  if (relation == "==")
    return value == bound;
  if (relation == "!=")
    return value != bound;
  if (relation == "<=")
    return value <= bound;
  if (relation == ">=")
    return value >= bound;
  return relation == "<" ? value < bound : value > bound;
}

Error too_many_clauses() {
  return {"it stands for too many simple clauses", "split it"};
}

class Parser {
public:
  Parser(std::vector<std::string_view> words, const Vocabulary& vocabulary)
      : words_(std::move(words)), vocabulary_(vocabulary) {}

  Result<Formula> whole() {
    Formula formula = TRY(equivalence());
    if (at_ < words_.size())
      return Error{fmt::format("'{}' stands where the clause should end", words_[at_]), {}};
    return formula;
  }

private:
  std::string_view now() const { return at_ < words_.size() ? words_[at_] : std::string_view(); }
  bool take(std::string_view word, std::string_view also = {}) {
    const bool taken = now() == word || (!also.empty() && now() == also);
    at_ += taken ? 1 : 0;
    return taken;
  }

  Result<Formula> equivalence() {
    Formula left = TRY(implication());
    while (take("iff", "<=>")) {
      const Formula right = TRY(implication());
      left = Formula::all(
          {Formula::any({negated(left), right}), Formula::any({left, negated(right)})});
      if (is_large(left))
        return too_many_clauses();
    }
    return left;
  }
  Result<Formula> implication() {
    Formula left = TRY(disjunction());
    if (!take("implies", "=>"))
      return left;
    Formula right = TRY(implication());
    return Formula::any({negated(left), std::move(right)});
  }
  Result<Formula> disjunction() {
    std::vector<Formula> parts = {TRY(conjunction())};
    while (take("or", "||") || take("|"))
      parts.push_back(TRY(conjunction()));
    return parts.size() == 1 ? std::move(parts.front()) : Formula::any(std::move(parts));
  }
  Result<Formula> conjunction() {
    std::vector<Formula> parts = {TRY(single())};
    while (take("and", "&&") || take("&"))
      parts.push_back(TRY(single()));
    return parts.size() == 1 ? std::move(parts.front()) : Formula::all(std::move(parts));
  }
  Result<Formula> single() {
    if (++depth_ > deepest)
      return Error{"it is nested too deeply", {}};
    const bool negative = take("not", "!");
    const bool inner = !negative && take("(");
    const Formula formula = TRY(negative ? single() : inner ? equivalence() : comparison());
    --depth_;
    if (inner && !take(")"))
      return Error{"a ')' is missing", {}};
    return negative ? negated(formula) : formula;
  }

  Result<std::string_view> name() {
    const std::string_view word = now();
    if (word.empty())
      return Error{"it ends where an option is expected", {}};
    if (!letters.contains(word.front()))
      return Error{fmt::format("'{}' stands where an option is expected", word), {}};
    ++at_;
    return word;
  }
  Result<std::size_t> bit_of(std::string_view word) const {
    if (const auto bit = vocabulary_.bits.find(word); bit != vocabulary_.bits.end())
      return bit->second;
    if (const auto several = vocabulary_.values.find(word); several != vocabulary_.values.end())
      return Error{fmt::format("the option '{}' has several values", word),
                   fmt::format("say which: {}={}", word, several->second.front().text)};
    return Error{fmt::format("there is no option '{}'", word),
                 did_you_mean(word, vocabulary_.names())};
  }
  std::optional<std::string_view> relation() {
    for (const std::string_view symbol : {"==", "!=", "<=", ">=", "<", ">"})
      if (take(symbol))
        return symbol;
    return std::nullopt;
  }
  Result<std::vector<std::size_t>> summands(std::string_view first) {
    std::vector<std::size_t> bits = {TRY(bit_of(first))};
    while (take("+")) {
      const std::string_view next = TRY(name());
      bits.push_back(TRY(bit_of(next)));
    }
    return bits;
  }
  Result<Formula> comparison() {
    const std::string_view first = TRY(name());
    if (const auto values = vocabulary_.values.find(first); values != vocabulary_.values.end())
      if (const auto symbol = relation())
        return of_values(values->second, *symbol, TRY(name()));
    const std::vector<std::size_t> bits = TRY(summands(first));
    if (const auto symbol = relation())
      return of_sum(bits, *symbol, TRY(name()));
    if (bits.size() > 1)
      return Error{"a sum of options needs a number to compare it with", "such as: a + b == 1"};
    return Formula::of({bits.front(), true});
  }
  // The values of an option for which a relation holds.
  static Result<Formula> of_values(const std::vector<NamedValue>& values, std::string_view symbol,
                                   std::string_view wanted) {
    const std::optional<double> bound = number_of(wanted);
    const bool equality = symbol == "==" || symbol == "!=";
    std::vector<Formula> parts;
    bool known = false;
    for (const NamedValue& value : values) {
      const bool same = value.text == wanted || (value.number && bound && *value.number == *bound);
      known = known || same;
      const bool fits = value.number && bound ? related(*value.number, symbol, *bound)
                                              : equality && same == (symbol == "==");
      if (fits)
        parts.push_back(Formula::of({value.bit, true}));
    }
    const bool numeric = bound && std::ranges::all_of(values, [](const NamedValue& value) {
                           return value.number.has_value();
                         });
    if (numeric || (equality && known))
      return Formula::any(std::move(parts));
    return Error{fmt::format("'{} {}' cannot be compared with the option's values", symbol, wanted),
                 fmt::format("such as: == {}", values.front().text)};
  }
  static Result<Formula> of_sum(const std::vector<std::size_t>& bits, std::string_view symbol,
                                std::string_view wanted) {
    const std::optional<double> number = number_of(wanted);
    if (!number || *number < 0 || *number != std::floor(*number) ||
        *number > static_cast<double>(bits.size()))
      return Error{fmt::format("'{}' is not a number from 0 to {}", wanted, bits.size()), {}};
    const auto count = static_cast<std::size_t>(*number);
    std::optional<Formula> low = Formula::all({});
    std::optional<Formula> high = Formula::all({});
    if (symbol == "==" || symbol == "!=" || symbol == ">=")
      low = at_least(bits, count);
    if (symbol == "==" || symbol == "!=" || symbol == "<=")
      high = at_most(bits, count);
    if (symbol == "<")
      high = count == 0 ? std::optional(Formula::any({})) : at_most(bits, count - 1);
    if (symbol == ">")
      low = at_least(bits, count + 1);
    if (!low || !high)
      return Error{"the sum has too many options to be written down as clauses",
                   "make it an option with 'choices'"};
    const Formula both = Formula::all({std::move(*low), std::move(*high)});
    return symbol == "!=" ? negated(both) : both;
  }

  std::vector<std::string_view> words_;
  const Vocabulary& vocabulary_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

} // namespace

std::vector<std::string> Vocabulary::names() const {
  std::vector<std::string> all;
  all.reserve(bits.size() + values.size());
  for (const auto& [name, bit] : bits)
    all.push_back(name);
  for (const auto& [name, several] : values)
    all.push_back(name);
  return all;
}

Result<std::vector<Clause>> parse_clause(std::string_view text, const Vocabulary& vocabulary) {
  if (text.size() > longest_clause)
    return Error{
        fmt::format("it has {} bytes; more than {} are not read", text.size(), longest_clause),
        "split it"};
  const auto words = words_of(text);
  if (!words)
    return Error{"it has a letter that means nothing in a clause",
                 "such as: gzip + bzip2 <= 1, or: encrypt implies compress"};
  const Formula formula = TRY(Parser(*words, vocabulary).whole());
  const auto form = normal_form(formula);
  if (!form)
    return too_many_clauses();
  std::vector<Clause> clauses;
  clauses.reserve(form->size());
  for (const Disjunction& literals : *form)
    clauses.push_back({literals, std::string(text)});
  return clauses;
}

} // namespace dragnet::project
