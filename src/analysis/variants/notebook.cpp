#include "analysis/variants/notebook.h"

#include "analysis/variants/answer.h"
#include "base/result.h"
#include "model/configuration.h"
#include "model/variant_lab.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace dragnet::variants {

void CellSums::add(double value) {
  const double apart = count > 0 ? value - mean() : 0;
  ++count;
  sum += value;
  squares += apart * apart * (count - 1) / count;
}

std::size_t Notebook::number_of(const Configuration& configuration) {
  const auto [entry, is_new] = numbers_.try_emplace(configuration, rows_.size());
  if (is_new)
    rows_.push_back({.what = configuration, .cells = {}, .missing = {}});
  return entry->second;
}

std::optional<std::size_t> Notebook::find(const Configuration& configuration) const {
  const auto entry = numbers_.find(configuration);
  return entry == numbers_.end() ? std::nullopt : std::optional(entry->second);
}

Result<bool> Notebook::measure(std::size_t number, std::size_t commit) {
  Row& row = rows_[number];
  if (spent() || row.refused || hopeless(number, commit) ||
      (!repeats() && row.cells.contains(commit)))
    return false;
  const Cell cell = TRY(lab_.measure(row.what, commit));
  ++measurements_;
  if (cell.outcome == Cell::Outcome::Measured)
    row.cells[commit].add(cell.value);
  else if (cell.outcome == Cell::Outcome::NotBuildable)
    broken_.insert(commit);
  else if (cell.outcome == Cell::Outcome::Missing)
    row.missing.insert(commit);
  else {
    row.refused = true;
    ++refusals_;
  }
  return cell.outcome == Cell::Outcome::Measured;
}

std::size_t Notebook::measured_cells() const {
  std::size_t count = 0;
  for (const Row& row : rows_)
    count += row.cells.size();
  return count;
}

std::vector<MeasuredRow> Notebook::measured() const {
  std::vector<MeasuredRow> all;
  for (const Row& row : rows_) {
    if (row.cells.empty())
      continue;
    MeasuredRow one{.configuration = row.what, .cells = {}};
    one.cells.reserve(row.cells.size());
    for (const auto& [commit, cell] : row.cells)
      one.cells.push_back({commit, cell.mean(), static_cast<std::size_t>(cell.count)});
    all.push_back(std::move(one));
  }
  return all;
}

std::optional<std::size_t> Notebook::between(std::size_t number, std::size_t low,
                                             std::size_t high) const {
  const std::size_t middle = low + ((high - low) / 2);
  for (std::size_t away = 0; away < high - low; ++away)
    for (const std::size_t commit : {middle - std::min(away, middle), middle + away})
      if (commit > low && commit < high && !hopeless(number, commit))
        return commit;
  return std::nullopt;
}

double Notebook::level(std::size_t number) const {
  double sum = 0;
  for (const auto& [commit, cell] : rows_[number].cells)
    sum += std::abs(cell.mean());
  const auto count = static_cast<double>(rows_[number].cells.size());
  return count > 0 ? sum / count : 0;
}

} // namespace dragnet::variants
