#include "check/culprit.h"

#include "analysis/bisect/finding.h"
#include "analysis/bisect/search.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/units.h"
#include "check/bisection.h"
#include "check/suspicion.h"
#include "lab/laboratory.h"
#include "model/commit.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

using bisect::Finding;

Error not_an_ancestor(const CulpritRequest& request, const std::optional<Commit>& shared) {
  const std::string good = request.good.id.brief();
  const std::string bad = request.bad.id.brief();
  const std::string& benchmark = request.how.benchmark.name;
  Error error{fmt::format("{} ({}) is not an ancestor of {} ({})", good, request.good.subject, bad,
                          request.bad.subject),
              "name two commits of one history: git log --oneline shows them"};
  if (shared && shared->id == request.bad.id)
    error.hint = fmt::format("the older one comes first, whichever is faster: dragnet bisect {} {} "
                             "-b {}",
                             bad, good, benchmark);
  else if (shared)
    error.hint = fmt::format("both come from {}: dragnet bisect {} {} -b {}", shared->id.brief(),
                             shared->id.brief(), bad, benchmark);
  return error;
}

class Hunter {
public:
  Hunter(lab::Laboratory& laboratory, const CulpritRequest& request, Progress& progress)
      : laboratory_(laboratory), request_(request), progress_(progress),
        budget_(request.how.budget) {}

  Result<std::vector<Finding>> hunt() {
    TRY(check_ends());
    TRY(search(request_.good, request_.bad));
    while (const auto merge = named_merge()) {
      const std::size_t before = findings_.size();
      TRY(search_branches(*merge));
      if (findings_.size() == before || !findings_.back().named())
        break;
    }
    return std::move(findings_);
  }

private:
  Result<> check_ends() const {
    if (request_.good.id == request_.bad.id)
      return Error{fmt::format("both ends are {}, so that there is nothing between them",
                               request_.good.id.brief()),
                   "name the last commit that was fast and one that is slow"};
    const auto shared = TRY(laboratory_.repository().merge_base(request_.good, request_.bad));
    if (!shared || shared->id != request_.good.id)
      return not_an_ancestor(request_, shared);
    return success();
  }

  Result<> search(const Commit& good, const Commit& bad) {
    BisectionRequest how = request_.how;
    how.commits = {good};
    std::ranges::move(
        TRY(laboratory_.repository().range(fmt::format("{}..{}", good.id.text, bad.id.text))),
        std::back_inserter(how.commits));
    if (how.commits.size() > 1 && how.commits[1].parents.front() != good.id)
      progress_.warn(fmt::format("{} is not on the first-parent line of {}: {}, which merged it, "
                                 "stands for all that came with it",
                                 good.id.brief(), bad.id.brief(), how.commits[1].id.brief()));
    auto suspected = TRY(suspicion(laboratory_, how.commits, how.benchmark));
    how.prior = std::move(suspected.weights);
    how.budget = budget_;
    auto found = TRY(bisect_line(laboratory_, how, progress_));
    found.prior = std::move(suspected.basis);
    budget_ = std::max(Seconds(0), budget_ - Seconds(found.effort.seconds));
    findings_.push_back(std::move(found));
    return success();
  }

  // The commit that the last finding names, if it is a merge.
  std::optional<Commit> named_merge() const {
    const Finding& last = findings_.back();
    if (last.stopped_by || last.outcome != bisect::Outcome::Found)
      return std::nullopt;
    const Commit& commit = last.suspects.front().commits.front();
    return commit.parents.size() > 1 ? std::optional(commit) : std::nullopt;
  }

  // Each merged branch from where it began, until one of them has the step.
  Result<> search_branches(const Commit& merge) {
    const auto& repository = laboratory_.repository();
    const auto trunk = TRY(repository.commit(merge.parents.front().text));
    for (std::size_t i = 1; i < merge.parents.size(); ++i) {
      const auto tip = TRY(repository.commit(merge.parents[i].text));
      const auto start = TRY(repository.merge_base(trunk, tip));
      if (!start || start->id == tip.id)
        continue;
      progress_.finished(fmt::format("{} is a merge: searching its branch, {} to {}",
                                     merge.id.brief(), start->id.brief(), tip.id.brief()));
      const auto searched = search(*start, tip);
      if (!searched)
        progress_.warn(fmt::format("the branch of the merge {} was not searched: {}",
                                   merge.id.brief(), searched.error().what));
      else if (findings_.back().named() || findings_.back().stopped_by)
        break;
    }
    return success();
  }

  lab::Laboratory& laboratory_;
  const CulpritRequest& request_;
  Progress& progress_;
  Seconds budget_;
  std::vector<Finding> findings_;
};

} // namespace

Result<std::vector<Finding>> find_culprit(lab::Laboratory& laboratory,
                                          const CulpritRequest& request, Progress& progress) {
  return Hunter(laboratory, request, progress).hunt();
}

// With a commit alone between the ends, either it is the culprit, or the bad end is.
Result<Likeness> compare_with_ends(lab::Laboratory& laboratory, const CulpritRequest& request,
                                   const Commit& commit, Progress& progress) {
  if (commit.id == request.good.id || commit.id == request.bad.id)
    return commit.id == request.good.id ? Likeness::Good : Likeness::Bad;
  BisectionRequest how = request.how;
  how.commits = {request.good, commit, request.bad};
  how.prior = {1, 1};
  auto found = TRY(bisect_line(laboratory, how, progress));
  if (found.stopped_by)
    return std::move(*found.stopped_by);
  if (found.outcome == bisect::Outcome::EndsAlike)
    return Error{fmt::format("{} does not differ between {} and {}", how.benchmark.name,
                             request.good.id.brief(), request.bad.id.brief()),
                 "name ends that differ; dragnet compare tells whether they do"};
  if (found.outcome != bisect::Outcome::Found)
    return Likeness::Unknown;
  return found.suspects.front().commits.front().id == commit.id ? Likeness::Bad : Likeness::Good;
}

} // namespace dragnet::check
