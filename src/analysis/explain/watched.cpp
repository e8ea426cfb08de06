#include "analysis/explain/watched.h"

#include "model/run.h"
#include "model/stacks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace dragnet::explain {
namespace {

// Joins profiles whose frames and stacks have numbers of their own.
class Joiner {
public:
  void add(const StackProfile& profile) {
    std::vector<std::size_t> frames;
    frames.reserve(profile.frames.size());
    for (const StackFrame& frame : profile.frames)
      frames.push_back(number(frames_, frame));
    std::vector<std::size_t> stacks;
    stacks.reserve(profile.stacks.size());
    for (const auto& stack : profile.stacks) {
      std::vector<std::size_t> path;
      path.reserve(stack.size());
      for (const std::size_t frame : stack)
        path.push_back(frames[frame]);
      stacks.push_back(number(stacks_, path));
    }
    for (const StackUse& use : profile.uses) {
      RunUse& sum = uses_[{stacks[use.stack], use.metric, use.file}];
      sum.calls += static_cast<double>(use.calls);
      sum.amount += static_cast<double>(use.amount);
    }
    for (const auto& [metric, amount] : profile.accounted)
      accounted_[metric] += static_cast<double>(amount);
    lost_ += profile.lost;
  }

  StackProfile mean(std::size_t runs) const {
    const auto share = [&](double sum) {
      return static_cast<std::uint64_t>(std::llround(sum / static_cast<double>(runs)));
    };
    StackProfile made;
    made.frames.resize(frames_.size());
    for (const auto& [frame, number] : frames_)
      made.frames[number] = frame;
    made.stacks.resize(stacks_.size());
    for (const auto& [stack, number] : stacks_)
      made.stacks[number] = stack;
    for (const auto& [key, sum] : uses_)
      if (share(sum.calls) > 0 || share(sum.amount) > 0)
        made.uses.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), share(sum.calls),
                             share(sum.amount)});
    for (const auto& [metric, sum] : accounted_)
      made.accounted[metric] = share(sum);
    made.lost = lost_;
    return made;
  }

private:
  template <class Key>
  static std::size_t number(std::map<Key, std::size_t>& numbers, const Key& key) {
    return numbers.emplace(key, numbers.size()).first->second;
  }

  std::map<StackFrame, std::size_t> frames_;
  std::map<std::vector<std::size_t>, std::size_t> stacks_;
  std::map<std::tuple<std::size_t, std::string, std::string>, RunUse> uses_;
  std::map<std::string, double> accounted_;
  std::uint64_t lost_ = 0;
};

} // namespace

std::vector<UnfinishedRun> unfinished_runs(const WatchedCommit& commit) {
  std::vector<UnfinishedRun> found;
  for (std::size_t i = 0; i < commit.runs.size(); ++i) {
    const Run& run = commit.runs[i].run;
    if (!run.finished())
      found.push_back({.commit = commit.commit.id,
                       .number = i + 1,
                       .outcome = run.outcome,
                       .status = run.status,
                       .seconds = run.seconds,
                       .log = run.log});
  }
  return found;
}

std::vector<const WatchedRun*> telling_runs(const WatchedCommit& commit) {
  const bool some =
      std::ranges::any_of(commit.runs, [](const WatchedRun& run) { return run.run.finished(); });
  std::vector<const WatchedRun*> chosen;
  for (const WatchedRun& run : commit.runs)
    if (!some || run.run.finished())
      chosen.push_back(&run);
  return chosen;
}

std::vector<std::string> watching_notes(std::span<const WatchedRun* const> runs) {
  std::set<std::string> gaps;
  std::set<std::string> ways;
  std::uint64_t lost = 0;
  for (const WatchedRun* run : runs) {
    gaps.insert(run->gaps.begin(), run->gaps.end());
    if (!run->way.empty())
      ways.insert(run->way);
    lost += run->profile.lost;
  }
  std::vector<std::string> notes;
  notes.reserve(gaps.size() + ways.size() + 1);
  for (const std::string& gap : gaps)
    notes.push_back(fmt::format("Not all was seen: {}.", gap));
  for (const std::string& way : ways)
    notes.push_back(fmt::format("Watched {}.", way));
  if (lost > 0)
    notes.push_back(fmt::format("{} records were lost: amounts are too small.", lost));
  return notes;
}

StackProfile mean_profile(std::span<const WatchedRun* const> runs) {
  Joiner joiner;
  for (const WatchedRun* run : runs)
    joiner.add(run->profile);
  return joiner.mean(std::max<std::size_t>(runs.size(), 1));
}

} // namespace dragnet::explain
