// The tree of calls as documents hold it.
#pragma once

#include "base/json.h"
#include "model/check.h"

namespace dragnet::report {

/// `name`, `old`, `new` and `callees`, which are the same again; what is deeper than 80 calls is
/// left out.
Json tree_json(const CallNode& root);

} // namespace dragnet::report
