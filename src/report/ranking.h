// In which order to run tests for a commit, for people and for programs.
#pragma once

#include "model/commit.h"
#include "model/ranking.h"

#include <string>

namespace dragnet::report {

struct RankedCommit {
  std::string project;
  Commit commit;
  Commit base;
  std::string method;
  Ranking ranking;
};

enum class Reasons { Short, All };

/// One sentence, then a line per test: its place, the estimated change and where that arises; with
/// Reasons::All the path to it with its frequencies.
std::string ranking_text(const RankedCommit& ranked, Reasons reasons, bool colours);

/// The document "ranking".
std::string ranking_json(const RankedCommit& ranked, const std::string& version);

} // namespace dragnet::report
