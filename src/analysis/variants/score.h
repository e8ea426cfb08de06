// How right an answer is: associations of a commit with an option, as in Mühlbauer et al. (2020,
// section 4.1.4).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace dragnet::variants {

/// A change at a commit that involves an option; without one, it affects all configurations.
struct Association {
  std::size_t commit = 0;
  std::optional<std::size_t> option;

  auto operator<=>(const Association&) const = default;
};

/// An association that was planted.
struct TrueAssociation {
  Association what;
  bool visible = true; ///< otherwise it is neither expected nor wrong to report it
};

/// What the share of right estimates is made of.
enum class Precision : std::uint8_t {
  OfEstimates, ///< an estimate is right if it is near a true one
  OfTruths     ///< as the authors' program counts: true ones that are hit, for each estimate
};

struct Scoring {
  std::size_t tolerance = 5; ///< commits
  Precision precision = Precision::OfEstimates;
};

struct Score {
  double precision = 1;
  double recall = 1;
  double f1 = 1; ///< 1 where nothing was planted and nothing is reported
};

/// Compares an answer with the truth.
Score score(std::span<const TrueAssociation> truth, std::span<const Association> estimates,
            const Scoring& scoring = {});

} // namespace dragnet::variants
