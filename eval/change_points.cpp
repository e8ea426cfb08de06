// Compares ways to find change points: ours, E-divisive, its form in Otava, and PELT with Gaussian
// costs, on the series that come with Otava's tests, on annotated series from a file, and on
// simulated ones. The raw results are what each found in each series (eval/results/
// change-points.csv), beside what people say; every figure of the table is computed from them.

#include "change_points_world.h"

#include "analysis/change_points/detector.h"
#include "analysis/change_points/divisive.h"
#include "analysis/change_points/gaussian.h"
#include "analysis/change_points/noise.h"
#include "tests/analysis/change_points/otava_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace change_points = dragnet::change_points;
using change_points::Differs;
using dragnet::eval::Agreement;
using dragnet::eval::Annotated;
using dragnet::eval::Indices;
using dragnet::eval::shapes;

constexpr std::array<std::string_view, 5> methods = {"ours", "E-divisive", "Otava", "PELT mean",
                                                     "PELT mean, variance"};
constexpr std::string_view otava_set = "Otava's tests";
constexpr std::size_t margin = 5;

// One series and what one method found in it: a line of the raw results.
struct Row {
  std::string set;
  std::string series;
  std::string method;
  Indices found;
  std::vector<Indices> annotators;
};

// For methods that know no gaps: the value before, as Otava does it.
std::vector<double> filled(std::vector<double> values) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      values[i] = values[i - 1];
  for (std::size_t i = values.size(); i-- > 1;)
    if (!std::isfinite(values[i - 1]))
      values[i - 1] = values[i];
  return values;
}

Indices ours(const std::vector<double>& values) {
  std::vector<change_points::Point> points;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isfinite(values[i]))
      points.push_back({.position = i, .value = values[i]});
  Indices found;
  for (const auto& change : change_points::find_changes(points, change_points::Rule{}))
    found.push_back(points[change.index].position);
  return found;
}

Indices find(const std::vector<double>& values, std::string_view method) {
  if (method == "ours")
    return ours(values);
  if (method == "E-divisive")
    return change_points::divisive(filled(values), {});
  if (method == "Otava")
    return change_points::windowed_divisive(filled(values), {});
  if (method == "PELT mean") // with the usual penalties, MBIC (Zhang and Siegmund 2007)
    return change_points::gaussian_changes(filled(values), Differs::Mean, 3);
  return change_points::gaussian_changes(filled(values), Differs::MeanAndVariance, 4);
}

// The series of Otava's tests. Of the long one its test says in words where it moves, and what
// Otava finds at its own significance: two opinions.
std::vector<Annotated> of_otava() {
  std::vector<Annotated> all;
  all.push_back({.set = std::string(otava_set),
                 .name = "tigerbeetle",
                 .values = change_points::tigerbeetle,
                 .annotators = {{15, 71, 95}}});
  for (const auto& expected : change_points::tigerbeetle_expected)
    if (expected.significance == 0.001)
      all.back().annotators.push_back(expected.changes);
  for (const auto& small : change_points::small_series)
    all.push_back({.set = std::string(otava_set),
                   .name = fmt::format("small {}", all.size()),
                   .values = small.values,
                   .annotators = {small.changes}});
  return all;
}

// Seeds from 1000 on: those below were used to choose the settings.
std::vector<Annotated> all_series(const std::string& annotated, std::size_t simulations) {
  std::vector<Annotated> all = of_otava();
  for (const Annotated& series : dragnet::eval::read_series(annotated))
    all.push_back(series);
  for (std::size_t shape = 0; shape < shapes.size(); ++shape)
    for (std::size_t seed = 1000; seed < 1000 + simulations; ++seed)
      all.push_back(dragnet::eval::simulated(shape, seed));
  return all;
}

std::vector<Row> find_all(const std::vector<Annotated>& all) {
  std::vector<Row> rows;
  for (const Annotated& series : all)
    for (const std::string_view method : methods)
      rows.push_back({series.set, series.name, std::string(method), find(series.values, method),
                      series.annotators});
  return rows;
}

bool write(const std::vector<Row>& rows, const std::string& path) {
  std::ofstream file(path);
  file << "set;series;method;found;annotators\n";
  for (const Row& row : rows) {
    file << fmt::format("{};{};{};{};", row.set, row.series, row.method, fmt::join(row.found, " "));
    for (std::size_t i = 0; i < row.annotators.size(); ++i)
      file << fmt::format("{}{}", i > 0 ? "|" : "", fmt::join(row.annotators[i], " "));
    file << '\n';
  }
  return file.flush().good();
}

std::vector<Row> read(const std::string& path) {
  std::vector<Row> rows;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::array<std::string, 5> field;
    for (std::string& text : field)
      std::getline(fields, text, ';');
    rows.push_back({field[0], field[1], field[2], dragnet::eval::read_indices(field[3]),
                    dragnet::eval::read_annotators(field[4])});
  }
  return rows;
}

// Means over the series of a set.
struct Mean {
  double series = 0;
  double precision = 0;
  double recall = 0;
  double f1 = 0;

  void add(const Agreement& agreement) {
    ++series;
    precision += (agreement.precision - precision) / series;
    recall += (agreement.recall - recall) / series;
    f1 += (agreement.f1() - f1) / series;
  }
};

using Table = std::map<std::string, std::map<std::string, Mean>>; // by set, then method

Table tabulate(const std::vector<Row>& rows) {
  Table table;
  for (const Row& row : rows) {
    const Agreement agreement = dragnet::eval::agreement(row.annotators, row.found, margin);
    table[row.set][row.method].add(agreement);
    if (row.set.starts_with("simulated"))
      table["simulated, all"][row.method].add(agreement);
  }
  return table;
}

void print(Table& table) {
  fmt::print(
      "F1 (precision, recall), each the mean over the series of a set; a change is met within "
      "{} points.\n\n{:<26}{:>7}",
      margin, "set", "series");
  for (const std::string_view method : methods)
    fmt::print("{:>22}", method);
  fmt::print("\n");
  for (auto& [set, means] : table) {
    fmt::print("{:<26}{:>7}", set, means["ours"].series);
    for (const std::string_view method : methods) {
      const Mean& mean = means[std::string(method)];
      fmt::print("{:>22}",
                 fmt::format("{:.3f} ({:.2f}, {:.2f})", mean.f1, mean.precision, mean.recall));
    }
    fmt::print("\n");
  }
}

// The best of the other methods on a set. The series of Otava's tests are annotated with what Otava
// finds: there it is no rival, but shown beside.
double best_rival(std::map<std::string, Mean>& means, std::string_view set) {
  double best = 0;
  for (const std::string_view method : methods)
    if (method != "ours" && (method != "Otava" || set != otava_set))
      best = std::max(best, means[std::string(method)].f1);
  return best;
}

// The last line; 0 exactly if ours is ahead on each kind of series that is there.
int conclude(Table& table) {
  bool held = true;
  std::string figures;
  for (const std::string_view name :
       {otava_set, std::string_view("TCPD, others"), std::string_view("simulated, all")}) {
    const std::string set(name);
    if (!table.contains(set))
      continue;
    const double best = best_rival(table[set], set);
    const double own = table[set]["ours"].f1;
    held = held && own > best;
    figures +=
        fmt::format("{}{} {:.3f} (best other {:.3f})", figures.empty() ? "" : "; ", set, own, best);
  }
  fmt::print("\nchange-points: F1 of ours: {}; Otava on what it finds itself: {:.3f}: {}\n",
             figures, table[std::string(otava_set)]["Otava"].f1, held ? "ahead" : "NOT AHEAD");
  return held ? 0 : 1;
}

int run(std::span<const std::string> arguments) {
  const auto given = [&](std::string_view option) {
    return std::ranges::find(arguments, option) != arguments.end();
  };
  const std::string path = "eval/results/change-points.csv";
  const bool series_given = !arguments.empty() && !arguments.back().starts_with("--");
  const std::string annotated = series_given ? arguments.back() : "";
  const bool quick = given("--quick");
  const std::vector<Row> rows =
      given("--recompute") ? read(path) : find_all(all_series(annotated, quick ? 20 : 200));
  if (rows.empty()) {
    fmt::print(stderr, "change-points: {} has no results\n", path);
    return 2;
  }
  if (!quick && !given("--recompute") && !write(rows, path)) {
    fmt::print(stderr, "change-points: cannot write {}\n", path);
    return 2;
  }
  Table table = tabulate(rows);
  print(table);
  return conclude(table);
}

} // namespace

int main(int count, char** values) {
  const auto given = std::span(values, static_cast<std::size_t>(count)).subspan(1);
  const std::vector<std::string> arguments(given.begin(), given.end());
  return run(arguments);
}
