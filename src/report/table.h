// Aligned columns for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {

enum class Colour { None, Red, Green, Yellow, Faint, Bold };

/// A text in a colour for a terminal, or as it is when colours are off.
std::string painted(std::string_view text, Colour colour, bool colours_on);

/// How many columns a text takes on a terminal; UTF-8 without wide characters is assumed.
std::size_t width(std::string_view text);

enum class Align { Left, Right };

/// A table that is as wide as its content. Cells may be painted after alignment.
class Table {
public:
  struct Column {
    std::string title;
    Align align = Align::Left;
  };
  struct Cell {
    std::string text;
    Colour colour = Colour::None;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }

  /// The table as lines, two blanks between columns, no blanks at the ends.
  std::string text(bool colours_on) const;

private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

} // namespace dragnet::report
