// A run with all that is known about it, as it is shown and exported.
#pragma once

#include "model/machine.h"
#include "model/run.h"

#include <string>

namespace dragnet {

/// A benchmark as it was defined when it was measured.
struct Definition {
  std::string key; ///< names everything in it that determines a result
  std::string name;
  std::string command;
};

struct Record {
  Run run;
  Build build;
  Definition benchmark;
  Method method = Method::Timed;
  Machine machine;
};

} // namespace dragnet
