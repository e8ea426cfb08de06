// What a comparison of two builds on one benchmark and metric concluded.
#pragma once

#include <string_view>

namespace dragnet {

enum class Verdict {
  Regressed,
  Improved,
  Unchanged,
  Inconclusive,
  Exonerated,
  Failed,
  NotMeasured
};

/// The word that users see: "regressed", "not measured", ...
constexpr std::string_view name(Verdict verdict) {
  switch (verdict) {
  case Verdict::Regressed:
    return "regressed";
  case Verdict::Improved:
    return "improved";
  case Verdict::Unchanged:
    return "unchanged";
  case Verdict::Inconclusive:
    return "inconclusive";
  case Verdict::Exonerated:
    return "exonerated";
  case Verdict::Failed:
    return "failed";
  case Verdict::NotMeasured:
    return "not measured";
  }
  return "unknown";
}

/// Which direction of a metric is good for the user.
enum class Better { Lower, Higher };

} // namespace dragnet
