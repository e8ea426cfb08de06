// What a commit changed of that which a benchmark executes, piece by piece, most weighty first.
// Features are sums over it, and reasons name its pieces.
#pragma once

#include "analysis/select/edit_costs.h"
#include "analysis/select/executed.h"
#include "model/function.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::select {

/// What may have changed beside the code of the build.
struct Circumstances {
  bool build_flags = false;
  bool compiler = false;
  bool benchmark = false;             ///< its definition
  bool inputs = false;                ///< the files that it reads
  std::vector<std::string> libraries; ///< paths, outside the build, whose content changed
};

/// A changed function that the benchmark executes.
struct Touched {
  const FunctionChange* change = nullptr;
  double share = 0;     ///< of the run's instructions, in itself
  double inclusive = 0; ///< the same with what it calls
  double calls = 0;     ///< 0 where the profile is sampled
  double edited = 0;    ///< the share of its code that changed, 0 to 1
  EditCost cost;        ///< instructions of the run
};

/// A library outside the build that the benchmark loads and that changed.
struct TouchedLibrary {
  std::string path;
  double share = 0; ///< of the run's instructions; above 0, because what is loaded is executed
};

struct Evidence {
  std::vector<Touched> code; ///< by share times edited share, largest first
  std::vector<Touched> data; ///< code is the same, data that it refers to is not; by share
  std::vector<const FunctionChange*> new_code; ///< that changed code may call; longest first
  std::vector<const FunctionChange*> start_up; ///< new code that starts without being called
  std::vector<TouchedLibrary> libraries;
  std::size_t changes = 0; ///< functions that differ, executed or not

  /// Whether anything that the benchmark executes changed.
  bool any() const {
    return !code.empty() || !data.empty() || !start_up.empty() || !libraries.empty();
  }
};

/// Borrows the changes of the difference, which must outlive it.
Evidence gather(const Difference& difference, const Executed& executed,
                const Circumstances& circumstances);

} // namespace dragnet::select
