#include "formats/variants_csv.h"

#include "base/result.h"
#include "base/text.h"
#include "formats/csv_table.h"
#include "model/configuration.h"
#include "model/recorded_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::formats {
namespace {

constexpr std::string_view commit_column = "commit";

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = problem == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

std::optional<bool> switch_of(std::string_view text) {
  for (const std::string_view on : {"1", "true", "on", "yes", "True"})
    if (text == on)
      return true;
  for (const std::string_view off : {"0", "false", "off", "no", "False"})
    if (text == off)
      return false;
  return std::nullopt;
}

class Reader {
public:
  Reader(std::vector<Row> rows, const VariantsColumns& columns)
      : rows_(std::move(rows)), wanted_(columns) {}

  Result<RecordedVariants> read() {
    if (rows_.size() < 2)
      return Error{"the table has no rows", "it needs a header and a row for each measurement"};
    commit_ = TRY(column(commit_column));
    value_ = TRY(column(wanted_.value));
    TRY(keep_rows_with_value());
    TRY(find_options());
    order_commits();
    TRY(read_values());
    return std::move(read_);
  }

private:
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Field& field : rows_.front())
      if (!field.text.empty())
        all.push_back(field.text);
    return all;
  }
  Result<std::size_t> column(std::string_view name) const {
    const auto found = std::ranges::find(rows_.front(), name, &Field::text);
    if (found == rows_.front().end())
      return Error{fmt::format("the table has no column '{}'", name), did_you_mean(name, names())};
    return static_cast<std::size_t>(found - rows_.front().begin());
  }
  // An empty field is a measurement that nobody made.
  Result<> keep_rows_with_value() {
    std::size_t empty = 0;
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      const Field& field = rows_[i][value_];
      if (trim(field.text).empty()) {
        ++empty;
        continue;
      }
      const auto value = number_of<double>(trim(field.text));
      if (!value || !std::isfinite(*value))
        return error_at(field, fmt::format("'{}' is not a number", field.text));
      measured_.emplace_back(i, *value);
    }
    if (measured_.empty())
      return Error{fmt::format("the column '{}' has no values", wanted_.value), {}};
    if (empty > 0)
      read_.notes.push_back(fmt::format("{} of {} rows have no value", empty, rows_.size() - 1));
    return success();
  }
  Result<> find_options() {
    for (const std::string& name : wanted_.options) {
      const std::size_t number = TRY(column(name));
      TRY(take_option(number));
    }
    for (std::size_t i = 0; i < rows_.front().size() && wanted_.options.empty(); ++i)
      if (i != commit_ && i != value_ && has_only_switches(i))
        TRY(take_option(i));
    if (options_.empty())
      return Error{"the table has no options that differ",
                   "an option is a column that has both 0 and 1"};
    return success();
  }
  bool has_only_switches(std::size_t number) const {
    return std::ranges::all_of(measured_, [&](const auto& row) {
      return switch_of(trim(rows_[row.first][number].text)).has_value();
    });
  }
  std::vector<bool> switches(std::size_t number) const {
    std::vector<bool> all;
    all.reserve(measured_.size());
    for (const auto& [row, value] : measured_)
      all.push_back(switch_of(trim(rows_[row][number].text)).value_or(false));
    return all;
  }
  // An option that never differs, or never from another one, cannot be told.
  Result<> take_option(std::size_t number) {
    const std::string name = rows_.front()[number].text;
    for (const auto& [row, value] : measured_)
      if (!switch_of(trim(rows_[row][number].text)))
        return error_at(rows_[row][number], fmt::format("'{}' is neither 0 nor 1, but '{}' is an "
                                                        "option",
                                                        rows_[row][number].text, name));
    const std::vector<bool> mine = switches(number);
    if (std::ranges::find(mine, !mine.front()) == mine.end()) {
      read_.notes.push_back(
          fmt::format("'{}' is {} in all rows", name, mine.front() ? "on" : "off"));
      return success();
    }
    for (const std::size_t other : options_)
      if (switches(other) == mine) {
        read_.notes.push_back(
            fmt::format("'{}' is the same as '{}' in all rows", name, rows_.front()[other].text));
        return success();
      }
    options_.push_back(number);
    read_.options.push_back(name);
    return success();
  }
  void order_commits() {
    bool numbers = true;
    for (const auto& [row, value] : measured_) {
      const std::string name(trim(rows_[row][commit_].text));
      numbers = numbers && number_of<long>(name).has_value();
      if (positions_.try_emplace(name, positions_.size()).second)
        read_.commits.push_back(name);
    }
    if (numbers)
      std::ranges::sort(read_.commits, {},
                        [](const std::string& name) { return number_of<long>(name).value_or(0); });
    for (std::size_t i = 0; i < read_.commits.size(); ++i)
      positions_[read_.commits[i]] = i;
  }
  Result<> read_values() {
    for (const auto& [row, value] : measured_) {
      const Field& commit = rows_[row][commit_];
      if (trim(commit.text).empty())
        return error_at(commit, "the commit is missing");
      RecordedValue one{Configuration(options_.size()),
                        positions_.at(std::string(trim(commit.text))), value};
      for (std::size_t i = 0; i < options_.size(); ++i)
        one.configuration.set(i, switch_of(trim(rows_[row][options_[i]].text)).value_or(false));
      read_.values.push_back(std::move(one));
    }
    return success();
  }

  std::vector<Row> rows_;
  const VariantsColumns& wanted_;
  std::size_t commit_ = 0;
  std::size_t value_ = 0;
  std::vector<std::size_t> options_; // columns
  std::vector<std::pair<std::size_t, double>> measured_;
  std::map<std::string, std::size_t> positions_; // by commit
  RecordedVariants read_;
};

} // namespace

Result<RecordedVariants> read_variants_csv(std::string_view text, const VariantsColumns& columns) {
  return Reader(TRY(parse_table(text)), columns).read();
}

} // namespace dragnet::formats
