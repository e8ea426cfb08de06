#include "analysis/explain/causes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragnet::explain {
namespace {

// Nobody reads more, and each takes a look at all rows.
constexpr std::size_t most_suspects = 20;

struct Score {
  double changed = 0;    ///< effect of the open changed rows through the function
  double unchanged = 0;  ///< of the others, none counted for more than the largest change
  std::size_t depth = 0; ///< the largest
};

class Court {
public:
  Court(std::span<const SuspectPath> rows, const std::set<std::size_t>& code_changed)
      : rows_(rows), code_changed_(code_changed) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].changed)
        open_.insert(i);
      std::vector<std::size_t> functions = rows[i].path;
      std::ranges::sort(functions);
      const auto rest = std::ranges::unique(functions);
      functions.erase(rest.begin(), rest.end());
      functions_.push_back(std::move(functions));
    }
  }

  std::vector<Suspect> name_all() {
    std::vector<Suspect> named;
    while (!open_.empty() && named.size() < most_suspects)
      named.push_back(name_next());
    std::ranges::stable_sort(named, std::ranges::greater{}, &Suspect::effect);
    return named;
  }

private:
  Suspect name_next() {
    const auto scores = scores_now();
    double all = 0;
    for (const std::size_t row : open_)
      all += rows_[row].effect;
    const auto rank = [&](const auto& entry) {
      const auto& [function, score] = entry;
      return std::tuple(code_changed_.contains(function), similarity(score, all), score.depth,
                        function);
    };
    const auto best = std::ranges::max_element(scores, {}, rank);
    Suspect suspect;
    if (!scores.empty()) {
      suspect.function = best->first;
      suspect.similarity = similarity(best->second, all);
    }
    for (const std::size_t row : std::set<std::size_t>(open_))
      if (scores.empty() || leads_through(rows_[row], suspect.function)) {
        suspect.rows.push_back(row);
        suspect.effect += rows_[row].effect;
        open_.erase(row);
      }
    return suspect;
  }

  static bool leads_through(const SuspectPath& row, std::size_t function) {
    return std::ranges::find(row.path, function) != row.path.end();
  }

  // Rounded, so that equally suspect functions are so in spite of the order of sums.
  static double similarity(const Score& score, double all) {
    const double through = score.changed + score.unchanged;
    return all > 0 && through > 0 ? std::round(1e9 * score.changed / std::sqrt(all * through)) / 1e9
                                  : 0;
  }

  std::unordered_map<std::size_t, Score> scores_now() const {
    double largest = 0;
    std::unordered_map<std::size_t, Score> scores;
    for (const std::size_t row : open_) {
      largest = std::max(largest, rows_[row].effect);
      for (const std::size_t function : functions_[row])
        scores[function].changed += rows_[row].effect;
      for (std::size_t depth = 0; depth < rows_[row].path.size(); ++depth) {
        Score& score = scores[rows_[row].path[depth]];
        score.depth = std::max(score.depth, depth);
      }
    }
    for (std::size_t row = 0; row < rows_.size(); ++row)
      if (!rows_[row].changed)
        for (const std::size_t function : functions_[row])
          if (const auto found = scores.find(function); found != scores.end())
            found->second.unchanged += std::min(rows_[row].effect, largest);
    return scores;
  }

  std::span<const SuspectPath> rows_;
  const std::set<std::size_t>& code_changed_;
  std::vector<std::vector<std::size_t>> functions_; ///< of each row's path, each once
  std::set<std::size_t> open_;                      ///< changed rows that no suspect has yet
};

} // namespace

std::vector<Suspect> suspects(std::span<const SuspectPath> rows,
                              const std::set<std::size_t>& code_changed) {
  return Court(rows, code_changed).name_all();
}

} // namespace dragnet::explain
