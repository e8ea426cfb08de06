#include "project/mistakes.h"

#include "base/ensure.h"
#include "base/result.h"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <ranges>
#include <string>
#include <utility>

namespace dragnet::project {
namespace {

constexpr std::size_t most_shown = 20;

} // namespace

void Mistakes::add(Position at, std::string what, std::string hint) {
  mistakes_.push_back({at, std::move(what), std::move(hint)});
}

std::string Mistakes::located(const Mistake& mistake) const {
  if (mistake.at.line == 0)
    return fmt::format("{}: {}", file_name_, mistake.what);
  return fmt::format("{}:{}:{}: {}", file_name_, mistake.at.line, mistake.at.column, mistake.what);
}

Error Mistakes::error() const {
  ensure(!mistakes_.empty(), "an Error is made only of mistakes");
  if (mistakes_.size() == 1)
    return Error{located(mistakes_.front()), mistakes_.front().hint};
  // What concerns the file as a whole comes last: it often follows from the others.
  std::multimap<std::pair<bool, Position>, const Mistake*> sorted;
  for (const auto& mistake : mistakes_)
    sorted.emplace(std::pair(mistake.at.line == 0, mistake.at), &mistake);
  std::string all;
  for (const auto& [place, mistake] : sorted | std::views::take(most_shown)) {
    all += (all.empty() ? "" : "\n") + located(*mistake);
    // A hint of several lines would tear the list apart.
    if (!mistake->hint.empty() && !mistake->hint.contains('\n'))
      all += fmt::format(" ({})", mistake->hint);
  }
  if (sorted.size() > most_shown)
    all += fmt::format("\nand {} more", sorted.size() - most_shown);
  return Error{all, {}};
}

} // namespace dragnet::project
