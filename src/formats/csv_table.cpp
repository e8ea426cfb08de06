#include "formats/csv_table.h"

#include "base/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::formats {
namespace {

// The separator is the one that the header uses most.
char separator_of(std::string_view text) {
  const auto header = text.substr(0, text.find('\n'));
  char best = ',';
  for (const char candidate : {';', '\t'})
    if (std::ranges::count(header, candidate) > std::ranges::count(header, best))
      best = candidate;
  return best;
}

class Parser {
public:
  explicit Parser(std::string_view text) : text_(text), separator_(separator_of(text)) {}

  Result<std::vector<Row>> rows() {
    std::vector<Row> rows;
    while (at_ < text_.size()) {
      if (skip_line_end())
        continue;
      rows.push_back(TRY(row()));
      if (rows.back().size() != rows.front().size())
        return error_at(rows.back().back(),
                        fmt::format("the line has {} fields, but the header has {}",
                                    rows.back().size(), rows.front().size()));
    }
    return rows;
  }

private:
  char now() const { return at_ < text_.size() ? text_[at_] : '\n'; }
  bool at_line_end() const { return now() == '\n' || text_.substr(at_).starts_with("\r\n"); }

  char take() {
    const char taken = text_[at_++];
    if (taken == '\n') {
      ++line_;
      line_start_ = at_;
    }
    return taken;
  }

  bool skip_line_end() {
    if (!at_line_end())
      return false;
    while (at_ < text_.size() && take() != '\n') {
    }
    return true;
  }

  Result<Row> row() {
    Row row;
    for (;;) {
      row.push_back(TRY(field()));
      if (at_line_end())
        break;
      take();
    }
    skip_line_end();
    return row;
  }

  Result<Field> field() {
    Field field{{}, line_, at_ - line_start_ + 1};
    if (now() == '"')
      return quoted(std::move(field));
    while (!at_line_end() && now() != separator_) {
      if (now() == '"')
        return error_at({{}, line_, at_ - line_start_ + 1},
                        "a quote inside a field that does not begin with one",
                        "put the whole field in quotes, and each quote in it twice");
      field.text += take();
    }
    return field;
  }

  Result<Field> quoted(Field field) {
    take();
    for (;;) {
      if (at_ >= text_.size())
        return error_at(field, "the quote is never closed");
      const char c = take();
      if (c == '"' && now() == '"' && at_ < text_.size())
        take();
      else if (c == '"')
        break;
      field.text += c;
    }
    if (!at_line_end() && now() != separator_)
      return error_at({{}, line_, at_ - line_start_ + 1}, "text after the closing quote");
    return field;
  }

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
};

} // namespace

Error error_at(const Field& field, std::string_view what, std::string hint) {
  return Error{fmt::format("line {}, column {}: {}", field.line, field.column, what),
               std::move(hint)};
}

Result<std::vector<Row>> parse_table(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark))
    text.remove_prefix(byte_order_mark.size());
  return Parser(text).rows();
}

} // namespace dragnet::formats
