// What a search over commits and options found, for people and for programs.
#pragma once

#include "analysis/variants/finding.h"

#include <string>

namespace dragnet::report {

/// The answer as one sentence, then the changes, what the program does against its constraints, and
/// what it took.
std::string variants_text(const variants::Finding& found, bool colours);

/// The document "variants", as docs/json.md describes it.
std::string variants_json(const variants::Finding& found, const std::string& project,
                          const std::string& version);

} // namespace dragnet::report
