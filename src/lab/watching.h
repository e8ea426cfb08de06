// Watches a run of a benchmark by stacks.
#pragma once

#include "base/result.h"
#include "binary/open_code.h"
#include "lab/state.h"
#include "lab/trial.h"
#include "model/function.h"
#include "model/stacks.h"
#include "profile/stack_monitor.h"
#include "run/executor.h"

#include <span>
#include <string>

namespace dragnet::lab {

/// How to watch, and where what is read of programs is kept for the next run.
struct Watcher {
  profile::Way way = profile::Way::Auto;
  binary::OpenCode* code = nullptr;
};

/// Runs a trial once under the monitor, or twice where one way of watching does not see all. Files
/// in its scratch folder, its build or the project are named from there on, so that two runs are
/// alike. That the benchmark fails or crashes is an outcome.
Result<WatchedRun> watch_once(run::Executor& executor, const State& state, const Trial& trial,
                              std::span<const FunctionTable> tables, const Watcher& watcher);

/// The word for a way that is not left to Dragnet; empty where it is.
std::string chosen_word(profile::Way way);

} // namespace dragnet::lab
