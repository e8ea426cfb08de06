// Raw results of a simulation as a histogram of verdicts, kept as lines of comma-separated values:
// noise, spread, effect, method, verdict, pairs, and how often just that came out.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace dragnet::eval {

/// A row of the raw results. Numbers are texts so that reading them back gives the same.
struct Key {
  std::string noise;
  std::string spread;
  std::string effect;
  std::string method;
  std::string verdict;
  std::size_t pairs;
  auto operator<=>(const Key&) const = default;
};

using Histogram = std::map<Key, std::size_t>;

/// A cell of a table: the rows of the histogram that agree with the texts that are not empty.
struct Cell {
  std::string noise;
  std::string spread;
  std::string effect;
  std::string method;
};

/// Whether a row counts in a cell.
inline bool belongs(const Key& key, const Cell& cell) {
  const auto agrees = [](const std::string& wanted, const std::string& found) {
    return wanted.empty() || wanted == found;
  };
  return agrees(cell.noise, key.noise) && agrees(cell.spread, key.spread) &&
         agrees(cell.effect, key.effect) && cell.method == key.method;
}

/// What came out in a cell.
struct Summary {
  double total = 0;
  double alarms = 0;
  double slower = 0; // alarms that say the right thing where new is slower
  double unchanged = 0;
  std::map<std::size_t, double> pairs; // how many comparisons ended after so many

  double rate(double part) const { return total > 0 ? part / total : 0; }
};

/// All rows of a cell together.
inline Summary summarize(const Histogram& histogram, const Cell& cell) {
  Summary summary;
  for (const auto& [key, count] : histogram) {
    if (!belongs(key, cell))
      continue;
    const auto weight = static_cast<double>(count);
    const bool slower = key.verdict == "regressed" || key.verdict == "alarm";
    summary.total += weight;
    summary.slower += slower ? weight : 0;
    summary.alarms += slower || key.verdict == "improved" ? weight : 0;
    summary.unchanged += key.verdict == "unchanged" ? weight : 0;
    summary.pairs[key.pairs] += weight;
  }
  return summary;
}

/// The number of pairs within which this part of the comparisons ended.
inline std::size_t pairs_at(const Summary& summary, double part) {
  double seen = 0;
  for (const auto& [pairs, weight] : summary.pairs) {
    seen += weight;
    if (seen >= part * summary.total)
      return pairs;
  }
  return 0;
}

/// Writes all rows; false if that fails.
inline bool write(const Histogram& histogram, const std::string& path) {
  std::ofstream file(path);
  file << "noise,spread,effect,method,verdict,pairs,count\n";
  for (const auto& [key, count] : histogram)
    file << key.noise << ',' << key.spread << ',' << key.effect << ',' << key.method << ','
         << key.verdict << ',' << key.pairs << ',' << count << '\n';
  return file.flush().good();
}

/// The rows of a file that write() made; none if there is no such file.
inline Histogram read(const std::string& path) {
  Histogram histogram;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::array<std::string, 7> field;
    for (std::string& text : field)
      std::getline(fields, text, ',');
    histogram[{field[0], field[1], field[2], field[3], field[4], std::stoul(field[5])}] =
        std::stoul(field[6]);
  }
  return histogram;
}

} // namespace dragnet::eval
