#include "analysis/bisect/finding.h"

namespace dragnet::bisect {

int exit_status(const Finding& finding) {
  if (finding.named())
    return 0;
  return finding.effort.runs == 0 ? 4 : 3;
}

} // namespace dragnet::bisect
