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

/// How much a verdict weighs beside others: the smallest number is the weightiest.
constexpr int weight(Verdict verdict) {
  switch (verdict) {
  case Verdict::Regressed:
    return 0;
  case Verdict::Failed:
    return 1;
  case Verdict::Inconclusive:
    return 2;
  case Verdict::NotMeasured:
    return 3;
  case Verdict::Exonerated:
    return 4;
  case Verdict::Improved:
    return 5;
  case Verdict::Unchanged:
    break;
  }
  return 6;
}

/// Which direction of a metric is good for the user.
enum class Better { Lower, Higher };

} // namespace dragnet
