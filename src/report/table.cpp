#include "report/table.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::report {
namespace {

std::string_view code(Colour colour) {
  switch (colour) {
  case Colour::Red:
    return "31";
  case Colour::Green:
    return "32";
  case Colour::Yellow:
    return "33";
  case Colour::Faint:
    return "2";
  case Colour::Bold:
    return "1";
  case Colour::None:
    break;
  }
  return "0";
}

std::string aligned(std::string_view text, std::size_t room, Align align) {
  const std::string blanks(room - std::min(room, width(text)), ' ');
  return align == Align::Left ? std::string(text) + blanks : blanks + std::string(text);
}

// Blanks at the end of a line are left out, also those inside of colours.
std::string line_of(std::vector<Table::Cell> cells, bool colours_on) {
  while (!cells.empty() && cells.back().text.find_first_not_of(' ') == std::string::npos)
    cells.pop_back();
  if (!cells.empty())
    cells.back().text.erase(cells.back().text.find_last_not_of(' ') + 1);
  std::string line;
  for (const auto& cell : cells)
    line += (line.empty() ? "" : "  ") + painted(cell.text, cell.colour, colours_on);
  return line + "\n";
}

} // namespace

std::string painted(std::string_view text, Colour colour, bool colours_on) {
  if (!colours_on || colour == Colour::None)
    return std::string(text);
  return "\x1b[" + std::string(code(colour)) + "m" + std::string(text) + "\x1b[0m";
}

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string Table::text(bool colours_on) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    widths.push_back(width(columns_[i].title));
    for (const auto& row : rows_)
      widths[i] = std::max(widths[i], width(row[i].text));
  }
  const auto lay_out = [&](const std::vector<Cell>& cells) {
    std::vector<Cell> aligned_cells;
    aligned_cells.reserve(columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i)
      aligned_cells.push_back(
          {aligned(cells[i].text, widths[i], columns_[i].align), cells[i].colour});
    return line_of(std::move(aligned_cells), colours_on);
  };
  std::vector<Cell> titles;
  titles.reserve(columns_.size());
  for (const auto& column : columns_)
    titles.push_back({column.title, Colour::Faint});
  std::string text = lay_out(titles);
  for (const auto& row : rows_)
    text += lay_out(row);
  return text;
}

} // namespace dragnet::report
