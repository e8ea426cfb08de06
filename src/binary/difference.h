// What differs between the functions of two builds.
#pragma once

#include "binary/outline.h"
#include "model/function.h"

#include <cstddef>
#include <functional>

namespace dragnet::binary {

/// A binary in one of two builds.
struct Side {
  const FunctionTable& table;
  std::function<Outline(std::size_t function)> outline; ///< asked for where code differs
};

/// The difference of one binary in two builds: functions are matched by name, then by content, then
/// by name without the number of a copy. In the order of the new binary, deleted functions last.
Difference difference(const Side& before, const Side& now);

} // namespace dragnet::binary
