// The command line: options anywhere, the command and its arguments in order.
#pragma once

#include "store.h"

#include <string>
#include <vector>

namespace larder {

struct Options {
  StoreOptions store;
  bool help = false;
  std::vector<std::string> words; ///< the command and its arguments
};

/// Throws Failure if an option is not known or has a wrong value.
Options parse_options(int count, char** arguments);

} // namespace larder
