#include "analysis/variants/recorded.h"

#include "base/result.h"
#include "model/configuration.h"
#include "model/recorded_variants.h"
#include "model/variant_lab.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::variants {
namespace {

constexpr std::size_t least_alternatives = 3; // two that exclude each other may do so by chance

std::set<Configuration> configurations_of(const RecordedVariants& recorded) {
  std::set<Configuration> all;
  for (const RecordedValue& value : recorded.values)
    all.insert(value.configuration);
  return all;
}

bool ever_together(const std::set<Configuration>& all, std::size_t one, std::size_t other) {
  return std::ranges::any_of(
      all, [&](const Configuration& each) { return each.on(one) && each.on(other); });
}

bool any_on(const Configuration& configuration, const std::vector<std::size_t>& options) {
  return std::ranges::any_of(options, [&](std::size_t option) { return configuration.on(option); });
}

std::string none_of(const std::vector<std::string>& names,
                    const std::vector<std::size_t>& options) {
  std::string text = "no-";
  for (const std::size_t option : options)
    text += (text == "no-" ? "" : "/") + names[option];
  return text;
}

using Options = std::vector<std::size_t>;

bool never_with(const std::set<Configuration>& all, const Options& members, std::size_t option) {
  return std::ranges::none_of(
      members, [&](std::size_t member) { return ever_together(all, member, option); });
}

// Greedy: each option joins the first group with none of which it was ever on.
std::vector<Options> never_together(const std::set<Configuration>& all, std::size_t options) {
  std::vector<Options> groups;
  for (std::size_t option = 0; option < options; ++option) {
    const auto group = std::ranges::find_if(
        groups, [&](const Options& members) { return never_with(all, members, option); });
    if (group == groups.end())
      groups.push_back({option});
    else
      group->push_back(option);
  }
  return groups;
}

} // namespace

void RecordedLab::find_alternatives(const RecordedVariants& recorded) {
  const std::set<Configuration> all = configurations_of(recorded);
  for (const auto& members : never_together(all, recorded.options.size())) {
    const bool always =
        std::ranges::all_of(all, [&](const Configuration& each) { return any_on(each, members); });
    if (members.size() < least_alternatives)
      continue;
    std::string name = none_of(space_.options, members);
    space_.groups.push_back(
        {.name = name, .choice = Choice::ExactlyOne, .options = members, .levels = {}});
    if (always)
      continue;
    space_.groups.back().options.push_back(space_.options.size());
    space_.options.push_back(std::move(name));
  }
}

RecordedLab::RecordedLab(const RecordedVariants& recorded) : commits_(recorded.commits.size()) {
  space_.options = recorded.options;
  find_alternatives(recorded);
  std::map<std::pair<Configuration, std::size_t>, std::pair<double, double>> sums;
  for (const RecordedValue& value : recorded.values) {
    Configuration whole(space_.options.size());
    for (std::size_t option = 0; option < recorded.options.size(); ++option)
      whole.set(option, value.configuration.on(option));
    for (const OptionGroup& group : space_.groups)
      if (group.options.back() >= recorded.options.size() && !any_on(whole, group.options))
        whole.set(group.options.back(), true);
    auto& [sum, count] = sums[{whole, value.commit}];
    sum += value.value;
    ++count;
  }
  for (const auto& [cell, sum] : sums)
    rows_[cell.first][cell.second] = sum.first / sum.second;
}

std::vector<Configuration> RecordedLab::all() const {
  std::vector<Configuration> all;
  all.reserve(rows_.size());
  for (const auto& [configuration, row] : rows_)
    all.push_back(configuration);
  return all;
}

Result<Cell> RecordedLab::measure(const Configuration& configuration, std::size_t commit) {
  const auto row = rows_.find(configuration);
  if (row == rows_.end())
    return Cell{.outcome = Cell::Outcome::Invalid};
  const auto cell = row->second.find(commit);
  if (cell == row->second.end())
    return Cell{.outcome = Cell::Outcome::Missing};
  seen_.insert({configuration, commit});
  return Cell{.value = cell->second};
}

std::optional<Configuration> RecordedLab::near(const Configuration& wanted,
                                               std::span<const Literal> fixed) {
  std::optional<Configuration> best;
  for (const auto& [configuration, row] : rows_) {
    const bool fits = std::ranges::all_of(
        fixed, [&](const Literal& l) { return configuration.on(l.option) == l.on; });
    if (fits && (!best || configuration.distance(wanted) < best->distance(wanted)))
      best = configuration;
  }
  return best;
}

} // namespace dragnet::variants
