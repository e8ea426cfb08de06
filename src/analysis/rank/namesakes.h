// Functions that a commit gave another signature or another file: they are the same ones, although
// their mangled names are not.
#pragma once

#include "model/source.h"

namespace dragnet::rank {

/// The next version with such functions, calls of them and collections in them under the names that
/// the base has. Taken for the same are two that only one version has: alone under their plain
/// name, or with the same body.
SourceFacts with_old_names(const SourceFacts& base, SourceFacts next);

} // namespace dragnet::rank
