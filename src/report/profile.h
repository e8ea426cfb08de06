// What benchmarks execute, for people and for programs.
#pragma once

#include "model/commit.h"
#include "model/profile.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::report {

struct ProfiledBenchmark {
  std::string benchmark;
  Profile profile;
};

struct ProfiledCommit {
  std::string project;
  Commit commit;
  std::vector<ProfiledBenchmark> benchmarks;
};

/// Per benchmark one sentence and the functions that execute most; `most` of them, 0 for all.
std::string profiles_text(const ProfiledCommit& profiled, std::size_t most, bool colours);

/// The document "profiles", with all functions and calls.
std::string profiles_json(const ProfiledCommit& profiled, const std::string& version);

} // namespace dragnet::report
