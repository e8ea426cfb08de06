// Learns at which commits which configurations changed, by measuring where it decides most. Idea:
// look at a few configurations along the history; where the exact segmentation of one shows a step
// that no known change explains, find the commit by bisection and the condition by tests that halve
// what is possible, each repeated until the noise leaves no doubt; then look where an unknown
// change could still hide, until that is improbable.
#pragma once

#include "analysis/variants/answer.h"
#include "analysis/variants/sampling.h"
#include "base/result.h"
#include "model/variant_lab.h"

#include <cstddef>

namespace dragnet::variants {

/// Learns from commits 0 up to, but not including, `commits`. Fails where the laboratory does, or
/// where no configuration is valid.
Result<Answer> learn(VariantLab& lab, ValidConfigurations& space, std::size_t commits,
                     const LearnRule& rule, Random& random);

} // namespace dragnet::variants
