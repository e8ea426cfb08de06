// What an HTML report shows: a check, the series along the history before it, what stacks did, and
// what a search over options found.
#pragma once

#include "analysis/change_points/timeline.h"
#include "model/machine.h"

#include <cstdint>
#include <string>

namespace dragnet::report {

struct Contents {
  std::string project;
  Machine machine;
  std::int64_t made = 0; ///< in milliseconds since 1970
  std::string check;     ///< a document "check"; empty for none
  change_points::Timeline timeline;
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::string explanation = {}; ///< a document "explanation"; empty for none
  // NOLINTNEXTLINE(readability-redundant-member-init): it may be left out
  std::string variants = {}; ///< a document "variants"; empty for none
};

/// The document "report", as docs/json.md describes it.
std::string contents_json(const Contents& contents, const std::string& version);

} // namespace dragnet::report
