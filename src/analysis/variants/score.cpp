#include "analysis/variants/score.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace dragnet::variants {
namespace {

bool near(const Association& one, const Association& other, std::size_t tolerance) {
  const std::size_t apart = std::max(one.commit, other.commit) - std::min(one.commit, other.commit);
  return one.option == other.option && apart <= tolerance;
}

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

Score score(std::span<const TrueAssociation> truth, std::span<const Association> estimates,
            const Scoring& scoring) {
  const auto hits = [&](const Association& estimate, bool visible) {
    return std::ranges::any_of(truth, [&](const TrueAssociation& one) {
      return one.visible == visible && near(one.what, estimate, scoring.tolerance);
    });
  };
  std::size_t right = 0;
  std::size_t counted = 0;
  for (const Association& estimate : estimates) {
    right += hits(estimate, true) ? 1 : 0;
    counted += hits(estimate, true) || !hits(estimate, false) ? 1 : 0;
  }
  std::size_t expected = 0;
  std::size_t found = 0;
  for (const TrueAssociation& one : truth) {
    expected += one.visible ? 1 : 0;
    found +=
        one.visible && std::ranges::any_of(estimates,
                                           [&](const Association& estimate) {
                                             return near(one.what, estimate, scoring.tolerance);
                                           })
            ? 1
            : 0;
  }
  Score result;
  const std::size_t hit = scoring.precision == Precision::OfTruths ? found : right;
  result.precision = counted == 0 ? (expected == 0 ? 1 : 0) : ratio(hit, counted);
  result.recall = ratio(found, expected);
  if (expected == 0 && counted > 0)
    result.recall = result.precision;
  const double sum = result.precision + result.recall;
  result.f1 = sum > 0 ? 2 * result.precision * result.recall / sum : 0;
  return result;
}

} // namespace dragnet::variants
