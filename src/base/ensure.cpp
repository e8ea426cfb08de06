#include "base/ensure.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <string_view>

namespace dragnet {

void broken_invariant(std::string_view what, std::source_location where) {
  fmt::print(stderr, "dragnet: internal error: {} ({}:{})\nhint: please report this\n", what,
             where.file_name(), where.line());
  std::abort();
}

} // namespace dragnet
