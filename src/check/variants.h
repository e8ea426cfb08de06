// The search over commits and options: on what is measured as it goes, or on what was recorded.
#pragma once

#include "analysis/variants/finding.h"
#include "base/progress.h"
#include "base/result.h"
#include "check/variant_trials.h"
#include "model/benchmark.h"
#include "model/configuration.h"
#include "model/recorded_variants.h"
#include "model/variant_lab.h"

#include <string>
#include <vector>

namespace dragnet::check {

/// A configuration that disobeys one constraint and no other.
struct Forbidden {
  std::string constraint;
  Configuration configuration;
};

struct VariantsRequest {
  VariantQuestion question;
  std::string benchmark;
  variants::LearnRule rule;
  std::vector<Forbidden> forbidden; ///< to be tried at the end
};

/// Builds and measures until it is known what changed where, or the budget is spent.
Result<variants::Finding> search_variants(ValidConfigurations& allowed,
                                          const VariantsRequest& request, Progress& progress);

/// The same on recorded values, without measuring anything. The constraints, if any, are held
/// against the configurations that were measured.
Result<variants::Finding> search_recorded(const RecordedVariants& recorded,
                                          const std::vector<Clause>& constraints,
                                          const variants::LearnRule& rule);

} // namespace dragnet::check
