// What a page of `dragnet explain` holds beside the answer: the reports, trees and diffs that its
// views lead to.
#pragma once

#include "base/result.h"
#include "check/stacks.h"
#include "cli/stack_answers.h"
#include "history/repository.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/run.h"
#include "model/stacks.h"
#include "report/explanation.h"

#include <span>
#include <string>
#include <vector>

namespace dragnet::cli {

/// A comparison with its trees, and with the run reports of both sides as steps.
report::ExplainedBenchmark compared_for_page(const check::ComparedStacks& compared,
                                             const std::string& benchmark,
                                             const StackRequest& request);

/// The runs of one commit with their trees, which have the same on both sides.
report::ExplainedBenchmark described_for_page(const WatchedCommit& watched,
                                              const std::string& benchmark,
                                              const StackRequest& request);

/// A benchmark along commits, for a page: what each commit that was watched did, and how it differs
/// from those that it is compared with.
class StepsForPage {
public:
  /// Borrows all of them; the builds are those of the commits that build.
  StepsForPage(const lab::Laboratory& lab, std::span<const Build> builds,
               const Benchmark& benchmark, const StackRequest& request)
      : lab_(lab), builds_(builds), benchmark_(benchmark), request_(request) {}

  /// Entries have an overview each, all of the same commits. Their points take their findings from
  /// the steps, which the first entry gets.
  void add(std::span<const WatchedCommit> watched,
           std::vector<report::ExplainedBenchmark>& entries) const;

private:
  report::ExplainedStep step(std::span<const WatchedCommit> watched, const WatchedCommit& commit,
                             const std::vector<CommitId>& bases) const;
  const Build& build_of(const CommitId& commit) const;

  const lab::Laboratory& lab_;
  std::span<const Build> builds_;
  const Benchmark& benchmark_;
  const StackRequest& request_;
};

/// How the source of all commits that an explanation compares differs, each pair once.
Result<std::vector<report::SourceDiff>> diffs_of(const history::Repository& repository,
                                                 const report::Explanation& explanation);

} // namespace dragnet::cli
