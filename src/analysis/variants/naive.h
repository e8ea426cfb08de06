// What anybody would do: bisect the configuration with everything on, then switch its options off
// one by one. Without noise and constraints it is hard to beat.
#pragma once

#include "analysis/variants/likelihood.h"
#include "analysis/variants/score.h"
#include "base/result.h"
#include "model/variant_lab.h"

#include <cstddef>
#include <vector>

namespace dragnet::variants {

struct NaiveAnswer {
  std::vector<Association> associations;
  std::size_t measurements = 0; ///< distinct cells
};

/// Fails where the laboratory does.
Result<NaiveAnswer> learn_naively(VariantLab& lab, ValidConfigurations& space, std::size_t commits,
                                  const ChangeThreshold& threshold);

} // namespace dragnet::variants
