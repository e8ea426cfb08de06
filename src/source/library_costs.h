// What calls of the standard library cost on this machine, measured: the estimate needs it for
// functions whose source is not read. Mostafa, Wang and Xie (2017) took them from the DaCapo
// benchmarks.
#pragma once

#include "model/source.h"

namespace dragnet::source {

/// Costs by the names that facts give to functions of the library, in operations of the source; of
/// algorithms, for each element that they go through. Takes about a second.
LibraryCosts measured_library();

} // namespace dragnet::source
