// Which inputs make the new version slow, for people and for programs.
#pragma once

#include "analysis/provoke/answer.h"

#include <string>

namespace dragnet::report {

/// One sentence, how the search went, what could not be compared, and the shortest inputs.
std::string provocation_text(const provoke::Answer& answer, bool colours);

/// The document "provocation", as docs/json.md describes it.
std::string provocation_json(const provoke::Answer& answer, const std::string& version);

} // namespace dragnet::report
