// What a counted run executed, joined with the facts of its source: regions of source with how
// often they were executed become counts of blocks, calls and costs.
#pragma once

#include "base/result.h"
#include "model/source.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::facts {

/// A stretch of a file, from its first to behind its last character.
struct CountedRegion {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t end_line = 0;
  std::uint32_t end_column = 0;
  double count = 0;
};

/// The regions of one function; the first is its body.
struct CountedFunction {
  std::string name; ///< as facts call it; lambdas are found by their place
  std::string file;
  std::vector<CountedRegion> regions;
};

/// What a call of a function without source is taken to cost, in operations.
inline constexpr double library_operations = 20;

/// The profile of a test. A block is reached as often as the innermost region that it begins in; a
/// part of a branch that is not written takes what the others leave. Costs are operations of the
/// source. Calls with several possible targets are divided by how often the targets were executed.
/// Functions without source are in the profile as far as they were called. Executions that no call
/// in the source explains, such as those of destructors and of what libraries call, count as calls
/// of main.
SourceProfile joined(const SourceFacts& facts, const std::vector<CountedFunction>& counted);

/// Gives functions without source the costs that were measured, where they were.
void set_prices(SourceProfile& profile, const LibraryCosts& library);

/// Profiles as a file. The first line is "dragnet counts 2", then tab-separated lines:
///   P test root cost
///   I instructions                   of the whole test, where they were counted
///   F name calls own blocks...       a function, and how often each of its blocks was reached
///   E caller callee calls
std::string to_text(const SourceProfile& profile);
Result<SourceProfile> parse_profile(std::string_view text);

} // namespace dragnet::facts
