// The one exception of larder: something the user can read and act on.
#pragma once

#include <stdexcept>

namespace larder {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace larder
