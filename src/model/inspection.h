// One thing that `doctor` looked at on this machine.
#pragma once

#include <string>

namespace dragnet {

enum class Grade { Good, Fair, Poor };

struct Inspection {
  std::string what; ///< "hardware counters"
  Grade grade = Grade::Good;
  std::string finding; ///< what is the case, and what that means for measuring
  std::string
      advice; ///< the one command or step that improves it; empty where nothing is to improve
};

} // namespace dragnet
