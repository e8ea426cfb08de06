// Three rounds, the surest first; each sees only what the rounds before left over. First equal
// paths. Then paths that are equal without the functions that only one side has: a wrapper put in
// between, a function that was inlined without a trace. Last the most alike pairs, by an alignment
// of their functions and by how much they did; at least least_likeness.
#include "analysis/explain/matching.h"

#include "analysis/explain/spectrum.h"
#include "analysis/explain/trails.h"
#include "analysis/explain/watched.h"
#include "base/function_name.h"
#include "base/text.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace dragnet::explain {
namespace {

constexpr double least_likeness = 0.7;
constexpr double weight_of_functions = 0.6;
constexpr std::size_t most_left_over = 400; ///< of each side, so that it stays fast

double ratio(double a, double b) {
  const double larger = std::max(a, b);
  return larger > 0 ? std::min(a, b) / larger : 1;
}

double work_of(const Trail& trail) {
  double sum = 0;
  for (const auto& [metric, use] : trail.uses)
    sum += mean_of(use.runs).amount + mean_of(use.runs).calls;
  return sum;
}

// How alike the work of two trails is, 0 to 1, over all metrics that one of them has.
double likeness_of_work(const Trail& a, const Trail& b) {
  double sum = 0;
  double parts = 0;
  const auto mean = [](const Trail& trail, const std::string& metric) {
    const auto found = trail.uses.find(metric);
    return found == trail.uses.end() ? RunUse() : mean_of(found->second.runs);
  };
  std::set<std::string> metrics;
  for (const auto* trail : {&a, &b})
    for (const auto& [metric, use] : trail->uses)
      metrics.insert(metric);
  for (const std::string& metric : metrics) {
    const RunUse left = mean(a, metric);
    const RunUse right = mean(b, metric);
    sum += ratio(left.amount, right.amount) + ratio(left.calls, right.calls);
    parts += 2;
  }
  return parts > 0 ? sum / parts : 0;
}

class Matcher {
public:
  Matcher(std::span<const Trail> before, std::span<const Trail> now, const FunctionNumbers& numbers)
      : before_(before), now_(now), numbers_(numbers) {
    for (const Trail& trail : before)
      old_functions_.insert(trail.path.begin(), trail.path.end());
    for (const Trail& trail : now)
      new_functions_.insert(trail.path.begin(), trail.path.end());
  }

  std::vector<Pairing> match() {
    join_by([](const Trail& trail) { return trail.path; }, Likeness::Same);
    if (numbers_.detail() == Detail::Essential) {
      join_by([this](const Trail& trail) { return common_part(trail.path); }, Likeness::Wrapped);
      join_similar();
    }
    for (const std::size_t i : left_over(before_, old_done_))
      pairings_.push_back({{i}, {}, Likeness::None});
    for (const std::size_t i : left_over(now_, new_done_))
      pairings_.push_back({{}, {i}, Likeness::None});
    return std::move(pairings_);
  }

private:
  using Path = std::vector<std::size_t>;

  static std::vector<std::size_t> left_over(std::span<const Trail> trails,
                                            const std::set<std::size_t>& done) {
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < trails.size(); ++i)
      if (!done.contains(i))
        rest.push_back(i);
    return rest;
  }

  void join_by(const std::function<Path(const Trail&)>& key, Likeness likeness) {
    std::map<Path, Pairing> groups;
    for (const std::size_t i : left_over(before_, old_done_))
      groups[key(before_[i])].before.push_back(i);
    for (const std::size_t i : left_over(now_, new_done_))
      groups[key(now_[i])].now.push_back(i);
    for (auto& [path, group] : groups)
      if (!path.empty() && !group.before.empty() && !group.now.empty())
        add({group.before, group.now, likeness});
  }

  void add(Pairing pairing) {
    old_done_.insert(pairing.before.begin(), pairing.before.end());
    new_done_.insert(pairing.now.begin(), pairing.now.end());
    pairings_.push_back(std::move(pairing));
  }

  bool on_both_sides(std::size_t function) const {
    return old_functions_.contains(function) && new_functions_.contains(function);
  }

  Path common_part(const Path& path) const {
    Path part;
    for (const std::size_t function : path)
      if (on_both_sides(function) && (part.empty() || part.back() != function))
        part.push_back(function);
    return part;
  }

  static std::vector<std::size_t> largest(std::span<const Trail> trails,
                                          std::vector<std::size_t> chosen) {
    if (chosen.size() <= most_left_over)
      return chosen;
    std::ranges::stable_sort(chosen, std::ranges::greater{},
                             [&](std::size_t i) { return work_of(trails[i]); });
    chosen.resize(most_left_over);
    return chosen;
  }

  void join_similar() {
    const auto olds = largest(before_, left_over(before_, old_done_));
    const auto news = largest(now_, left_over(now_, new_done_));
    std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
    for (const std::size_t i : olds)
      for (const std::size_t j : news)
        if (const double likeness = likeness_of(before_[i], now_[j]); likeness >= least_likeness)
          pairs.emplace_back(-likeness, i, j);
    std::ranges::sort(pairs);
    for (const auto& [likeness, i, j] : pairs)
      if (!old_done_.contains(i) && !new_done_.contains(j))
        add({{i}, {j}, Likeness::Similar});
  }

  double likeness_of(const Trail& a, const Trail& b) {
    const double work = likeness_of_work(a, b);
    if (weight_of_functions + ((1 - weight_of_functions) * work) < least_likeness)
      return 0;
    return (weight_of_functions * likeness_of_paths(a.path, b.path)) +
           ((1 - weight_of_functions) * work);
  }

  // The best alignment of both paths, as a share of their lengths.
  double likeness_of_paths(const Path& a, const Path& b) {
    std::vector<double> row(b.size() + 1, 0);
    for (const std::size_t left : a) {
      double diagonal = 0;
      for (std::size_t j = 0; j < b.size(); ++j) {
        const double above = row[j + 1];
        row[j + 1] = std::max({above, row[j], diagonal + likeness_of_functions(left, b[j])});
        diagonal = above;
      }
    }
    return 2 * row.back() / static_cast<double>(a.size() + b.size());
  }

  // One that only the old side has may be one that only the new side has, by another name.
  double likeness_of_functions(std::size_t left, std::size_t right) {
    if (left == right)
      return 1;
    if (on_both_sides(left) || on_both_sides(right))
      return 0;
    const auto [found, added] = names_alike_.emplace(std::pair(left, right), 0);
    if (added) {
      const std::string a = short_name(numbers_.name(left));
      const std::string b = short_name(numbers_.name(right));
      const auto longer = static_cast<double>(std::max({a.size(), b.size(), std::size_t{1}}));
      found->second = 0.5 + (0.5 * (1 - (static_cast<double>(edit_distance(a, b)) / longer)));
    }
    return found->second;
  }

  std::span<const Trail> before_;
  std::span<const Trail> now_;
  const FunctionNumbers& numbers_;
  std::set<std::size_t> old_functions_;
  std::set<std::size_t> new_functions_;
  std::set<std::size_t> old_done_;
  std::set<std::size_t> new_done_;
  std::map<std::pair<std::size_t, std::size_t>, double> names_alike_;
  std::vector<Pairing> pairings_;
};

} // namespace

std::vector<Pairing> paired(std::span<const Trail> before, std::span<const Trail> now,
                            const FunctionNumbers& numbers) {
  return Matcher(before, now, numbers).match();
}

std::string_view name(Likeness likeness) {
  switch (likeness) {
  case Likeness::Same:
    return "same";
  case Likeness::Wrapped:
    return "wrapped";
  case Likeness::Similar:
    return "similar";
  case Likeness::None:
    break;
  }
  return "none";
}

} // namespace dragnet::explain
