// The stacks of many runs as trails: paths of functions that are the same in every run of a side,
// with what each run did at their end.
#pragma once

#include "analysis/explain/watched.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/stacks.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace dragnet::explain {

/// What a trail did for one metric.
struct TrailUse {
  std::vector<RunUse> runs;            ///< one for each run of the side
  std::map<std::string, double> files; ///< amount by file, per run
  std::vector<StackFrame> frames;      ///< of the stack that did most in a run
};

/// A path of functions, root first, as numbers of names.
struct Trail {
  std::vector<std::size_t> path;
  std::map<std::string, TrailUse> uses; ///< by metric
};

/// How much of a stack tells it apart from others.
enum class Detail {
  Complete, ///< every frame, with its binary
  Essential ///< functions of the build, or all where none is; without what compilers add to
            ///< names, and without repeats by recursion
};

/// Gives the functions of both sides common numbers; a function that a commit renamed is one
/// function.
class FunctionNumbers {
public:
  FunctionNumbers(Detail detail, const Difference& difference);

  std::size_t old_function(const FunctionId& function);
  std::size_t new_function(const FunctionId& function);
  const std::string& name(std::size_t number) const { return names_[number]; }
  Detail detail() const { return detail_; }

private:
  std::size_t number(const FunctionId& function);

  Detail detail_;
  std::map<FunctionId, std::string> new_names_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::string> names_;
};

enum class Age { Old, New };

/// The trails of a side's runs, each once, ordered by their paths; only those that did something
/// for one of the metrics.
std::vector<Trail> trails_of(std::span<const WatchedRun* const> runs, Age age,
                             std::span<const std::string> metrics, FunctionNumbers& numbers);

/// Whether a function belongs to the build rather than to the system.
bool is_of_build(const FunctionId& function);

} // namespace dragnet::explain
