// Verifies who is to blame: puts the change of one function at a time into the old version, leaves
// it out of the new one, and measures; where no single one explains the regression, delta debugging
// finds a small set that does.
#pragma once

#include "analysis/blame/answer.h"
#include "base/progress.h"
#include "base/result.h"
#include "hunt/change_parts.h"
#include "hunt/change_trials.h"
#include "lab/laboratory.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::hunt {

struct VerifyRequest {
  Measuring measuring;
  std::size_t tries = 5; ///< suspects that are tried one by one, in the order of their rank
};

/// The parts of a difference that belong together: to one function, or elsewhere in one file.
struct PartUnit {
  std::string name;
  std::vector<std::size_t> parts; ///< ascending
};

/// Divides the parts among units and tells each suspect its own, where it has source.
std::vector<PartUnit> divide(const ChangeParts& parts, std::vector<blame::Suspect>& suspects);

/// Adds what came of it to the answer; verified culprits come first then.
Result<> verify(lab::Laboratory& laboratory, const VerifyRequest& request, blame::Answer& answer,
                Progress& progress);

} // namespace dragnet::hunt
