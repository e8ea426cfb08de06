#include "hunt/blaming.h"

#include "analysis/blame/answer.h"
#include "analysis/blame/edited_code.h"
#include "analysis/blame/impact_sets.h"
#include "analysis/blame/paired_tree.h"
#include "analysis/blame/rank.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/text.h"
#include "hunt/candidates.h"
#include "hunt/gathered_trace.h"
#include "lab/laboratory.h"
#include "lab/tracing.h"
#include "model/function.h"
#include "model/profile.h"
#include "model/run.h"
#include "profile/call_tracer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::hunt {
namespace {

using blame::Answer;
using blame::Suspect;

class Blaming {
public:
  Blaming(lab::Laboratory& laboratory, const BlameRequest& request, Progress& progress)
      : laboratory_(laboratory), request_(request), progress_(progress) {}

  Result<Answer> answer() {
    candidates_ = TRY(find_candidates(laboratory_, request_.old_build, request_.new_build));
    if (candidates_.suspects.empty())
      return Error{fmt::format("no function differs between {} and {}",
                               request_.old_build.commit.id.brief(),
                               request_.new_build.commit.id.brief()),
                   "is the change in data that the program reads, or in a library?"};
    std::vector<std::uint32_t> changed;
    changed.reserve(candidates_.suspects.size());
    for (const Suspect& suspect : candidates_.suspects)
      changed.push_back(numbering_.of(suspect.function));
    auto executions = TRY(first_look());
    const bool counted = request_.cost != blame::Cost::Time && count();
    if (!counted && request_.cost == blame::Cost::Instructions)
      return Error{
          fmt::format("the calls of {} cannot be counted: it needs qemu-x86_64, one thread "
                      "and programs that run inside it",
                      request_.benchmark.name),
          "leave out --cost instructions"};
    if (!counted || !request_.cost)
      TRY(gather());
    choose(counted);
    return ranked(changed, executions);
  }

private:
  struct FirstLook {
    lab::TracedRun run; // of the new version
    std::vector<std::vector<std::uint32_t>> numbers;
  };

  Result<lab::TracedRun> traced(blame::Version version, profile::Noted noted,
                                lab::Clock clock = lab::Clock::Time) {
    const Build& build = version == blame::Old ? request_.old_build : request_.new_build;
    auto& tables = tables_.at(version);
    if (tables.empty())
      tables = TRY(laboratory_.functions(build));
    auto run = TRY(lab::trace(laboratory_, build, request_.benchmark, tables,
                              {noted, clock, request_.boundary}));
    if (!run.run.finished())
      return Error{fmt::format("{} {} on {} when it is traced (status {})\n{}",
                               request_.benchmark.name, name(run.run.outcome),
                               build.commit.id.brief(), run.run.status, trim(run.run.log)),
                   {}};
    for (const auto& process : run.processes)
      lost_ += process.header.lost;
    return run;
  }

  std::vector<std::vector<std::uint32_t>> numbers(const lab::TracedRun& run,
                                                  blame::Version version) {
    static const Renamed none;
    return numbers_of(run, version == blame::Old ? candidates_.renamed : none, numbering_);
  }

  // How much there is to trace, and the executions of the new version.
  Result<FirstLook> first_look() {
    progress_.now(fmt::format("tracing {}", request_.benchmark.name), 0);
    const auto before = TRY(traced(blame::Old, profile::Noted::Costs));
    numbers(before, blame::Old);
    auto now = TRY(traced(blame::New, profile::Noted::Costs));
    answer_.events = std::max(events_of(before), events_of(now));
    answer_.by_paths = answer_.events <= request_.most_events;
    auto of_processes = numbers(now, blame::New);
    return FirstLook{std::move(now), std::move(of_processes)};
  }

  profile::Noted noted() const {
    return answer_.by_paths ? profile::Noted::Events : profile::Noted::Costs;
  }

  Result<> take(const lab::TracedRun& run, blame::Version version, GatheredTrace& into) {
    const auto of_processes = numbers(run, version);
    if (answer_.by_paths)
      return into.add_events(run, of_processes);
    into.add_costs(run, of_processes);
    return success();
  }

  // One counted trace of each version says it all. False where the programs do not bear that.
  bool count() {
    return std::ranges::all_of(std::array{blame::Old, blame::New}, [this](blame::Version version) {
      progress_.now(fmt::format("counting the calls of {}", request_.benchmark.name), 0);
      const auto run = traced(version, noted(), lab::Clock::Instructions);
      return run && is_counted(*run) && take(*run, version, counted_.at(version));
    });
  }

  // Threads share the emulator's count.
  static bool is_counted(const lab::TracedRun& run) {
    return std::ranges::all_of(run.processes, [](const auto& process) {
      return process.header.counted != 0 && process.header.lane_count <= 1;
    });
  }

  // Versions take turns, so that what disturbs for a while disturbs both.
  Result<> gather() {
    for (std::size_t i = 0; i < request_.runs; ++i)
      for (const auto version : {blame::Old, blame::New}) {
        progress_.now(
            fmt::format("tracing {}: run {} of {}", request_.benchmark.name, i + 1, request_.runs),
            static_cast<double>(i) / static_cast<double>(request_.runs));
        const auto run = TRY(traced(version, noted()));
        seconds_.at(version).push_back(run.run.seconds);
        TRY(take(run, version, timed_.at(version)));
      }
    return success();
  }

  static double total(const GatheredTrace& gathered) {
    const auto tree = gathered.tree();
    double sum = 0;
    for (const auto& node : tree.nodes())
      sum += static_cast<double>(node.cost);
    return sum;
  }

  static double growth(const std::array<GatheredTrace, 2>& sides) {
    const double before = total(sides[blame::Old]);
    return before > 0 ? (total(sides[blame::New]) / before) - 1 : 0;
  }

  blame::TimeGrowth growth_in_time() const {
    const auto& [before, now] = seconds_;
    const bool in_every_run =
        !before.empty() && !now.empty() && std::ranges::min(now) > std::ranges::max(before);
    return {growth(timed_), in_every_run};
  }

  void choose(bool counted) {
    answer_.cost = blame::Cost::Time;
    if (counted)
      answer_.cost =
          request_.cost.value_or(blame::telling_cost(growth_in_time(), growth(counted_)));
    if (!counted)
      answer_.notes.emplace_back("the calls could not be counted, so that costs are time, and "
                                 "what disturbed the runs is in them");
  }

  Answer ranked(const std::vector<std::uint32_t>& changed, const FirstLook& look) {
    blame::ImpactSets impact(numbering_.functions().size(), changed);
    add_executions(look.run, look.numbers, impact);
    for (const auto& process : look.run.processes)
      answer_.executions += process.executions.size();
    const auto& gathered = answer_.cost == blame::Cost::Time ? timed_ : counted_;
    const blame::TracedSide old_side{numbering_.functions(), gathered[blame::Old].tree(), 1};
    const blame::TracedSide new_side{numbering_.functions(), gathered[blame::New].tree(), 1};
    answer_.old_cost = total(gathered[blame::Old]);
    const auto tree = blame::paired(old_side, new_side);
    answer_.ranking = blame::rank(tree, impact, request_.method, edits());
    fill(blame::rank(tree, impact, blame::Method::Published));
    return std::move(answer_);
  }

  // What the edited code of each suspect executed, as far as both versions can be profiled.
  std::vector<std::optional<blame::EditedCode>> edits() {
    std::vector<std::optional<blame::EditedCode>> edits(candidates_.suspects.size());
    if (answer_.cost == blame::Cost::Time)
      return edits;
    progress_.now(fmt::format("profiling {}", request_.benchmark.name), 0);
    const auto before = laboratory_.profile(request_.old_build, request_.benchmark);
    const auto now = laboratory_.profile(request_.new_build, request_.benchmark);
    if (!before || !now)
      return edits;
    const auto old_counts = counts_by_function(*before);
    const auto new_counts = counts_by_function(*now);
    for (std::size_t i = 0; i < edits.size(); ++i) {
      const auto& change = candidates_.changes.at(candidates_.suspects[i].function);
      const auto& old_name = change.old_name.empty() ? change.name : change.old_name;
      const auto then = old_counts.find({change.binary, old_name});
      const auto after = new_counts.find({change.binary, change.name});
      if (then != old_counts.end() && after != new_counts.end())
        edits[i] = blame::edited_code(*then->second, *after->second, change.hunks);
    }
    return edits;
  }

  static std::map<FunctionId, const FunctionCounts*> counts_by_function(const Profile& profile) {
    std::map<FunctionId, const FunctionCounts*> counts;
    for (const FunctionCounts& each : profile.functions)
      counts.emplace(each.function, &each);
    return counts;
  }

  void fill(const blame::Ranking& published) {
    answer_.benchmark = request_.benchmark.name;
    answer_.old_commit = request_.old_build.commit;
    answer_.new_commit = request_.new_build.commit;
    answer_.method = request_.method;
    answer_.runs = answer_.cost == blame::Cost::Time ? request_.runs : 1;
    std::set<std::string> executed;
    for (const auto& blame : answer_.ranking.blames)
      if (blame.executed)
        executed.insert(candidates_.suspects[blame.change].function.name);
    for (const auto& blame : answer_.ranking.blames) {
      Suspect suspect = candidates_.suspects[blame.change];
      // The same function may be in programs beside the one that ran.
      if (!blame.executed && executed.contains(suspect.function.name))
        continue;
      suspect.blame = blame;
      for (std::size_t i = 0; i < published.blames.size(); ++i)
        if (published.blames[i].change == blame.change)
          suspect.published_rank = i + 1;
      if (answer_.suspects.size() < request_.shown)
        suspect.commits =
            commits_at(laboratory_.repository(), answer_.old_commit, answer_.new_commit, suspect);
      answer_.suspects.push_back(std::move(suspect));
    }
    note();
  }

  void note() {
    if (!answer_.by_paths)
      answer_.notes.push_back(fmt::format("a run has {} events, too many for call paths: functions "
                                          "are ranked by what they do in all",
                                          answer_.events));
    if (lost_ > 0)
      answer_.notes.push_back(fmt::format("{} events were lost", lost_));
  }

  lab::Laboratory& laboratory_;
  const BlameRequest& request_;
  Progress& progress_;
  Candidates candidates_;
  Numbering numbering_;
  std::array<std::vector<FunctionTable>, 2> tables_;
  std::array<GatheredTrace, 2> timed_;
  std::array<std::vector<double>, 2> seconds_; // of each timed run
  std::array<GatheredTrace, 2> counted_;
  std::uint64_t lost_ = 0;
  Answer answer_;
};

} // namespace

Result<Answer> find_blame(lab::Laboratory& laboratory, const BlameRequest& request,
                          Progress& progress) {
  return Blaming(laboratory, request, progress).answer();
}

} // namespace dragnet::hunt
