#include "formats/csv.h"

#include "base/result.h"
#include "base/text.h"
#include "formats/clean.h"
#include "formats/csv_table.h"
#include "formats/foreign_results.h"
#include "formats/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::formats {
namespace {

// Where a long table has what, by the number of the column.
struct LongColumns {
  std::size_t metric = 0;
  std::size_t value = 0;
  std::optional<std::size_t> unit;
};

struct Layout {
  std::size_t benchmark = 0;
  std::optional<LongColumns> columns; // of a long table; nothing for a wide one
  std::vector<Quantity> quantities;   // of each column, as its header says
};

std::string hint_for_header(const Row& header) {
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(header,
                               [&](const Field& field) { return trim(field.text) == name; });
  };
  if (has("command") && has("mean"))
    return "this is a summary by hyperfine: write the single runs with --export-json";
  if (has("iterations") && has("real_time"))
    return "this is a table by Google Benchmark: write it with --benchmark_format=json";
  return "the first line names the columns, such as: benchmark,wall [ms]";
}

std::optional<std::size_t> column_named(const Layout& layout, std::string_view name) {
  const auto found = std::ranges::find(layout.quantities, name, &Quantity::name);
  if (found == layout.quantities.end())
    return std::nullopt;
  return static_cast<std::size_t>(found - layout.quantities.begin());
}

Result<> read_names(const Row& header, Layout& layout) {
  std::set<std::string> seen;
  for (const auto& field : header) {
    layout.quantities.push_back(TRY(parse_quantity(field)));
    if (!seen.insert(layout.quantities.back().name).second)
      return error_at(field, fmt::format("a second column '{}'", layout.quantities.back().name));
  }
  return success();
}

Result<Layout> layout_of(const Row& header) {
  Layout layout;
  TRY(read_names(header, layout));
  const auto benchmark = column_named(layout, "benchmark");
  const auto metric = column_named(layout, "metric");
  const auto value = column_named(layout, "value");
  const auto unit = column_named(layout, "unit");
  if (!benchmark)
    return error_at(header.front(), "there is no column 'benchmark'", hint_for_header(header));
  layout.benchmark = *benchmark;
  if (metric.has_value() != value.has_value())
    return error_at(header.front(),
                    "a table of single values needs both columns 'metric' and 'value'");
  if (metric && value)
    layout.columns = LongColumns{*metric, *value, unit};
  else if (unit || header.size() < 2)
    return error_at(header.front(), "there is no column for a metric", hint_for_header(header));
  if (layout.columns && header.size() != (unit ? 4U : 3U))
    return error_at(header.front(),
                    "a table with the columns 'metric' and 'value' has no others but 'unit'");
  return layout;
}

Result<std::string> benchmark_of(const Row& row, const Layout& layout) {
  const Field& field = row[layout.benchmark];
  std::string name = clean_name(field.text);
  if (name.empty())
    return error_at(field, "the benchmark has no name");
  return name;
}

Result<ForeignResults> read_wide(std::span<const Row> rows, const Layout& layout) {
  ForeignResults results;
  std::size_t empty = 0;
  for (const auto& row : rows) {
    ForeignRun run{TRY(benchmark_of(row, layout)), {}};
    for (std::size_t i = 0; i < row.size(); ++i)
      if (i != layout.benchmark && !trim(row[i].text).empty())
        run.samples[layout.quantities[i].name] = TRY(parse_value(row[i], layout.quantities[i]));
    if (run.samples.empty())
      ++empty;
    else
      results.runs.push_back(std::move(run));
  }
  if (empty > 0)
    results.warnings.push_back(fmt::format("lines without a value, left out: {}", empty));
  return results;
}

// What a line of a long table measures. Its unit may stand in the metric's field, in the unit's or
// in the header.
Result<Quantity> quantity_of(const Row& row, const Layout& layout, const LongColumns& columns) {
  const Quantity quantity = TRY(parse_quantity(row[columns.metric]));
  std::string unit = quantity.unit;
  if (unit.empty() && columns.unit)
    unit = trim(row[*columns.unit].text);
  if (unit.empty())
    unit = layout.quantities[columns.value].unit;
  return make_quantity(quantity.name, unit, row[columns.metric]);
}

// The n-th value of a metric belongs to the n-th run of its benchmark.
Result<ForeignResults> read_long(std::span<const Row> rows, const Layout& layout,
                                 const LongColumns& columns) {
  ForeignResults results;
  std::map<std::string, std::vector<std::size_t>> runs_of;
  std::map<std::pair<std::string, std::string>, std::size_t> count;
  for (const auto& row : rows) {
    const std::string benchmark = TRY(benchmark_of(row, layout));
    const Quantity quantity = TRY(quantity_of(row, layout, columns));
    const double value = TRY(parse_value(row[columns.value], quantity));
    auto& runs = runs_of[benchmark];
    const std::size_t number = count[{benchmark, quantity.name}]++;
    if (number == runs.size()) {
      runs.push_back(results.runs.size());
      results.runs.push_back({benchmark, {}});
    }
    results.runs[runs[number]].samples[quantity.name] = value;
  }
  return results;
}

} // namespace

Result<ForeignResults> read_csv(std::string_view text) {
  const auto rows = TRY(parse_table(text));
  if (rows.empty())
    return Error{"line 1, column 1: the table is empty",
                 "the first line names the columns, such as: benchmark,wall [ms]"};
  const Layout layout = TRY(layout_of(rows.front()));
  const std::span<const Row> values(rows.begin() + 1, rows.end());
  if (values.empty())
    return error_at(rows.front().front(), "the table has a header, but no values");
  auto results =
      TRY(layout.columns ? read_long(values, layout, *layout.columns) : read_wide(values, layout));
  results.tool = "csv";
  return results;
}

} // namespace dragnet::formats
