#include "analysis/explain/similarity.h"

#include "analysis/explain/causes.h"
#include "analysis/explain/change_test.h"
#include "analysis/explain/matching.h"
#include "analysis/explain/spectrum.h"
#include "analysis/explain/trails.h"
#include "analysis/explain/watched.h"
#include "base/ensure.h"
#include "model/function.h"
#include "model/run.h"
#include "model/stacks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace dragnet::explain {
namespace {

constexpr double published_limit = 0.8; ///< rows below it are findings

// The runs that are compared, those of all bases one after the other.
struct Runs {
  std::vector<const WatchedRun*> before;
  std::vector<std::size_t> base_begins; ///< in `before`, and its end
  std::vector<const WatchedRun*> now;
};

// A row with what only its making needs.
struct Draft {
  SimilarityRow row;
  std::vector<std::size_t> path;
  std::vector<RunUse> before;
  std::vector<RunUse> now;
};

// The published method knows no unfinished runs.
std::vector<const WatchedRun*> compared(const WatchedCommit& commit, Yardstick yardstick) {
  if (yardstick == Yardstick::Tested)
    return telling_runs(commit);
  std::vector<const WatchedRun*> all;
  all.reserve(commit.runs.size());
  for (const WatchedRun& run : commit.runs)
    all.push_back(&run);
  return all;
}

Runs runs_of(const Comparison& comparison) {
  Runs runs;
  runs.base_begins.push_back(0);
  for (const WatchedCommit& base : comparison.bases) {
    const auto some = compared(base, comparison.yardstick);
    runs.before.insert(runs.before.end(), some.begin(), some.end());
    runs.base_begins.push_back(runs.before.size());
  }
  runs.now = compared(comparison.candidate, comparison.yardstick);
  return runs;
}

std::vector<std::string> metrics_of(const Comparison& comparison, const Runs& runs) {
  if (!comparison.metrics.empty())
    return comparison.metrics;
  std::set<std::string> metrics;
  for (const auto* side : {&runs.before, &runs.now})
    for (const WatchedRun* run : *side)
      for (const StackUse& use : run->profile.uses)
        metrics.insert(use.metric);
  return {metrics.begin(), metrics.end()};
}

class Comparer {
public:
  explicit Comparer(const Comparison& comparison)
      : comparison_(comparison), runs_(runs_of(comparison)),
        metrics_(metrics_of(comparison, runs_)), numbers_(numbers_for(comparison)) {}

  // The published method knows stacks by their names alone.
  static FunctionNumbers numbers_for(const Comparison& comparison) {
    return comparison.yardstick == Yardstick::Published
               ? FunctionNumbers(Detail::Complete, {})
               : FunctionNumbers(Detail::Essential, comparison.difference);
  }

  SimilarityReport compare() {
    draft_rows();
    add_totals();
    judge();
    rank();
    if (comparison_.yardstick == Yardstick::Tested)
      add_causes();
    for (Draft& draft : drafts_)
      report_.rows.push_back(std::move(draft.row));
    add_heading();
    return std::move(report_);
  }

private:
  void draft_rows() {
    const auto before = trails_of(runs_.before, Age::Old, metrics_, numbers_);
    const auto now = trails_of(runs_.now, Age::New, metrics_, numbers_);
    note_changed_functions(before, now);
    for (const Pairing& pairing : paired(before, now, numbers_))
      for (const std::string& metric : metrics_) {
        Draft draft;
        draft.before.resize(runs_.before.size());
        draft.now.resize(runs_.now.size());
        draft.row.metric = metric;
        draft.row.likeness = pairing.likeness;
        std::map<std::string, FileUse> files;
        const bool was = add_side(draft, before, pairing.before, Age::Old, files);
        const bool is = add_side(draft, now, pairing.now, Age::New, files);
        // The published report has a row for each stack of the new runs.
        if (is || (was && comparison_.yardstick == Yardstick::Tested))
          finish(std::move(draft), files);
      }
  }

  void note_changed_functions(std::span<const Trail> before, std::span<const Trail> now) {
    for (const FunctionChange& change : comparison_.difference.changes)
      if (change.kind != ChangeKind::Renamed || change.edited != 0) {
        code_changed_.insert(numbers_.new_function({change.binary, change.name}));
        for (const std::string& callee : change.inlined)
          code_changed_.insert(numbers_.new_function({change.binary, callee}));
      }
    const auto functions_of = [](std::span<const Trail> trails) {
      std::set<std::size_t> functions;
      for (const Trail& trail : trails)
        functions.insert(trail.path.begin(), trail.path.end());
      return functions;
    };
    telling_ = code_changed_;
    std::ranges::set_symmetric_difference(functions_of(before), functions_of(now),
                                          std::inserter(telling_, telling_.end()));
  }

  // How many functions of a stack changed, or are on stacks of one side only.
  std::size_t telling_functions(const Draft& draft) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        draft.path, [this](std::size_t function) { return telling_.contains(function); }));
  }

  // Whether one of the trails did anything for the metric.
  static bool add_side(Draft& draft, std::span<const Trail> trails,
                       std::span<const std::size_t> chosen, Age age,
                       std::map<std::string, FileUse>& files) {
    std::vector<RunUse>& runs = age == Age::Old ? draft.before : draft.now;
    double most = -1;
    for (const std::size_t number : chosen) {
      const Trail& trail = trails[number];
      const auto use = trail.uses.find(draft.row.metric);
      if (use == trail.uses.end())
        continue;
      for (std::size_t run = 0; run < runs.size(); ++run) {
        runs[run].calls += use->second.runs[run].calls;
        runs[run].amount += use->second.runs[run].amount;
      }
      for (const auto& [file, amount] : use->second.files)
        (age == Age::Old ? files[file].before : files[file].now) += amount;
      if (const double amount = mean_of(use->second.runs).amount; amount > most) {
        most = amount;
        draft.row.frames = use->second.frames;
        draft.path = trail.path;
        if (age == Age::Old)
          draft.row.old_frames = use->second.frames;
      }
    }
    return most >= 0;
  }

  void finish(Draft draft, const std::map<std::string, FileUse>& files) {
    for (const auto& [file, use] : files)
      draft.row.files.push_back({file, use.before, use.now});
    std::ranges::stable_sort(draft.row.files, {}, [](const FileUse& use) {
      return std::pair(-std::fabs(use.now - use.before), -use.now);
    });
    draft.row.before = mean_of(draft.before);
    draft.row.now = mean_of(draft.now);
    draft.row.spectrum = spectrum_of(draft.before, draft.now);
    drafts_.push_back(std::move(draft));
  }

  void add_totals() {
    const auto add = [](RunUse& sum, const RunUse& use) {
      sum.calls += use.calls;
      sum.amount += use.amount;
    };
    for (const std::string& metric : metrics_)
      report_.totals[metric];
    for (const Draft& draft : drafts_) {
      MetricTotal& total = report_.totals[draft.row.metric];
      add(total.before, draft.row.before);
      add(total.now, draft.row.now);
    }
  }

  RunUse larger_total(const std::string& metric) const {
    const MetricTotal& total = report_.totals.at(metric);
    return {.calls = std::max(total.before.calls, total.now.calls),
            .amount = std::max(total.before.amount, total.now.amount)};
  }

  // Against each base on its own; what counts is the one that it differs from least.
  void judge() {
    const std::size_t bases = comparison_.bases.size();
    std::vector<Evidence> evidence;
    for (const Draft& draft : drafts_)
      for (std::size_t base = 0; base < bases; ++base)
        evidence.push_back(
            {.before = {draft.before.begin() + static_cast<long>(runs_.base_begins[base]),
                        draft.before.begin() + static_cast<long>(runs_.base_begins[base + 1])},
             .now = draft.now,
             .total = larger_total(draft.row.metric)});
    const Judgements judgements = judged(evidence, comparison_.thresholds);
    report_.conclusive = judgements.repeats || judgements.enough;
    if (!report_.conclusive)
      report_.notes.emplace_back("Runs differ from each other, and there are too few to tell a "
                                 "change from chance: 4 of each commit are the least.");
    for (std::size_t i = 0; i < drafts_.size(); ++i) {
      const auto of_row = std::span(judgements.rows).subspan(i * bases, bases);
      SimilarityRow& row = drafts_[i].row;
      row.judgement = *std::ranges::min_element(of_row, {}, &Judgement::effect);
      const bool tested = comparison_.yardstick == Yardstick::Tested;
      row.similarity = tested ? row.judgement.similarity : row.spectrum.similarity;
      row.told = tested ? row.judgement.changed : row.similarity < published_limit;
    }
  }

  // The published order: by SC, then by total impact; of several metrics, as a share of each. Ours
  // is by effect: where a change moves work from one stack to another, both have the same, and
  // that with more changed code is first.
  void rank() {
    std::ranges::stable_sort(drafts_, {}, [this](const Draft& draft) {
      const SimilarityRow& row = draft.row;
      const double total = std::max(larger_total(row.metric).amount, 1.0);
      const double impact = std::fabs(row.spectrum.total_impact) / total;
      const bool tested = comparison_.yardstick == Yardstick::Tested;
      const bool by_effect = tested && row.told;
      return std::tuple(!row.told, by_effect ? -std::round(1e9 * row.judgement.effect) : 0.0,
                        by_effect ? -static_cast<double>(telling_functions(draft)) : 0.0,
                        row.similarity, -impact);
    });
  }

  void add_causes() {
    std::vector<SuspectPath> paths;
    for (const Draft& draft : drafts_) {
      const RunUse total = larger_total(draft.row.metric);
      const double share =
          std::max(draft.row.before.amount, draft.row.now.amount) / std::max(total.amount, 1.0);
      const Judgement& judgement = draft.row.judgement;
      paths.push_back({.path = draft.path,
                       .changed = draft.row.told,
                       .effect = draft.row.told ? judgement.effect : share});
    }
    order_by(suspects(paths, code_changed_));
  }

  // Findings of one cause stand together, the cause with the largest effect first.
  void order_by(const std::vector<Suspect>& all) {
    std::vector<Draft> ordered;
    std::set<std::size_t> moved;
    for (const Suspect& suspect : all) {
      Cause cause;
      cause.code_changed = code_changed_.contains(suspect.function);
      cause.similarity = suspect.similarity;
      cause.effect = suspect.effect;
      for (const std::size_t row : suspect.rows) {
        Draft& draft = drafts_[row];
        if (cause.rows.empty())
          name_cause(cause, draft, suspect.function);
        draft.row.cause = report_.causes.size();
        cause.rows.push_back(ordered.size());
        moved.insert(row);
        ordered.push_back(std::move(draft));
      }
      report_.causes.push_back(std::move(cause));
    }
    for (std::size_t i = 0; i < drafts_.size(); ++i)
      if (!moved.contains(i))
        ordered.push_back(std::move(drafts_[i]));
    drafts_ = std::move(ordered);
  }

  void name_cause(Cause& cause, const Draft& draft, std::size_t function) {
    for (const StackFrame& frame : draft.row.frames)
      if (numbers_.new_function(frame.function) == function ||
          numbers_.old_function(frame.function) == function) {
        cause.function = frame.function;
        cause.place = frame.place;
      }
  }

  void add_heading() {
    report_.yardstick = comparison_.yardstick;
    report_.candidate = comparison_.candidate.commit;
    for (const WatchedCommit& base : comparison_.bases)
      report_.bases.push_back(base.commit);
    report_.old_runs = runs_.before.size();
    report_.new_runs = runs_.now.size();
    report_.old_seconds = mean_seconds(runs_.before);
    report_.new_seconds = mean_seconds(runs_.now);
    for (const WatchedCommit& base : comparison_.bases)
      add_unfinished(base);
    add_unfinished(comparison_.candidate);
    add_notes();
  }

  static double mean_seconds(std::span<const WatchedRun* const> runs) {
    double sum = 0;
    for (const WatchedRun* run : runs)
      sum += run->run.seconds;
    return runs.empty() ? 0 : sum / static_cast<double>(runs.size());
  }

  void add_unfinished(const WatchedCommit& commit) {
    for (UnfinishedRun& run : unfinished_runs(commit))
      report_.unfinished.push_back(std::move(run));
  }

  void add_notes() {
    std::vector<const WatchedRun*> all = runs_.before;
    all.insert(all.end(), runs_.now.begin(), runs_.now.end());
    for (std::string& note : watching_notes(all))
      report_.notes.push_back(std::move(note));
    if (std::min(runs_.before.size(), runs_.now.size()) < 2)
      report_.notes.emplace_back("A side has one run only: what differs from run to run by itself "
                                 "cannot be told from a change.");
  }

  const Comparison& comparison_;
  Runs runs_;
  std::vector<std::string> metrics_;
  FunctionNumbers numbers_;
  std::set<std::size_t> code_changed_; ///< functions, as far as the difference of builds is known
  std::set<std::size_t> telling_;      ///< these, and functions on stacks of one side only
  std::vector<Draft> drafts_;
  SimilarityReport report_;
};

} // namespace

SimilarityReport compare_stacks(const Comparison& comparison) {
  ensure(!comparison.bases.empty(), "a comparison of stacks has a base");
  return Comparer(comparison).compare();
}

std::size_t findings(const SimilarityReport& report) {
  return static_cast<std::size_t>(std::ranges::count(report.rows, true, &SimilarityRow::told));
}

std::string_view name(Yardstick yardstick) {
  return yardstick == Yardstick::Published ? "published" : "tested";
}

} // namespace dragnet::explain
