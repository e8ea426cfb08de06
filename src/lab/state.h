// The folder .dragnet at the project's root: the store, the builds, and what is only needed for a
// moment.
#pragma once

#include "base/result.h"
#include "build/builder.h"
#include "history/repository.h"

#include <filesystem>

namespace dragnet::lab {

struct State {
  std::filesystem::path folder;

  std::filesystem::path store() const { return folder / "store.sqlite"; }
  std::filesystem::path scratch() const { return folder / "scratch"; }
  /// What the monitor leaves for a moment, and what it found in the C library, for good.
  std::filesystem::path watching() const { return folder / "watching"; }
  /// Held while a commit is checked out and built.
  std::filesystem::path build_lock() const { return folder / "build.lock"; }
  /// Held while a pair is measured: two measurements at once would disturb each other.
  std::filesystem::path measure_lock() const { return folder / "measure.lock"; }
  build::Places places() const { return {folder / "checkout", folder / "builds", folder / "logs"}; }
};

/// Where the state of a project lies, made or not.
State state_of(const std::filesystem::path& root);

/// Makes the folder where it is missing; git is told to ignore it.
Result<State> prepare_state(const std::filesystem::path& root);

/// Removes what killed processes left behind: scratch folders and a checkout. What is in use stays.
Result<> sweep(const State& state, const history::Repository& repository);

} // namespace dragnet::lab
