// Stacks in the forms that other tools draw: folded stacks, speedscope, callgrind. docs/formats.md
// describes them.
#pragma once

#include "analysis/explain/watched.h"
#include "model/stacks.h"

#include <optional>
#include <string>

namespace dragnet::report {

/// One metric of a profile, or of a pair of them.
struct StackExport {
  std::string title; ///< benchmark and commit, for people
  std::string metric;
  explain::Quantity quantity = explain::Quantity::Amount;
  StackProfile profile;
  std::optional<StackProfile> before; ///< the old side of a pair
};

/// A line a stack, "main;run;write 4096"; of a pair "main;run;write 1024 4096", as difffolded.pl
/// writes it. Stacks without weight are left out.
std::string folded_stacks(const StackExport& stacks);

/// The file format of speedscope: a sampled profile, or two of a pair, the old one first.
std::string speedscope_json(const StackExport& stacks, const std::string& version);

/// Callgrind's profile format, for callgrind_annotate and KCachegrind; a pair has two events, the
/// old one first.
std::string callgrind_text(const StackExport& stacks, const std::string& version);

} // namespace dragnet::report
