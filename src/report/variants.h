// What a search over commits and options found, for people and for programs.
#pragma once

#include "analysis/variants/finding.h"

#include <string>

namespace dragnet::report {

/// The answer as one sentence, then the changes, what the program does against its constraints, and
/// what it took.
std::string variants_text(const variants::Finding& found, bool colours);

/// The answer in one sentence.
std::string variants_sentence(const variants::Finding& found);

std::string disagreement_sentence(const variants::Disagreement& one);

/// How to learn more, as a sentence; empty where the search is done.
std::string variants_advice(const variants::Finding& found);

/// The document "variants", as docs/json.md describes it.
std::string variants_json(const variants::Finding& found, const std::string& project,
                          const std::string& version);

} // namespace dragnet::report
