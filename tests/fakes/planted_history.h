// A made-up program with benchmarks and commits whose effects are planted, as differences, profiles
// and counted instructions. An edit of a function changes a benchmark by about its share of the run
// times its edited share, often by nothing, because the edit is off the path that the benchmark
// takes, and rarely by more, because what it calls changes too.
#pragma once

#include "analysis/select/dataset.h"
#include "analysis/select/evidence.h"
#include "analysis/select/example.h"
#include "analysis/select/executed.h"
#include "model/function.h"
#include "model/profile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::fakes {

struct PlantedSize {
  std::size_t functions = 400;
  std::size_t benchmarks = 6;
  std::size_t commits = 200;
  std::size_t most_hops = 1; ///< pairs of commits up to this distance become examples
};

class PlantedHistory {
public:
  PlantedHistory(std::string subject, const PlantedSize& size, std::uint64_t seed)
      : subject_(std::move(subject)), size_(size), random_(seed) {
    for (std::size_t i = 0; i < size.functions; ++i)
      lengths_.push_back(static_cast<std::uint32_t>(10 + (60 * std::exp(normal()))));
    for (std::size_t i = 0; i < size.benchmarks; ++i)
      profiles_.push_back(make_profile());
    counts_.assign(1, std::vector<double>(size.benchmarks, 1e8));
    for (std::size_t i = 0; i < size.commits; ++i)
      make_commit();
  }

  const Profile& profile(std::size_t benchmark) const { return profiles_[benchmark]; }

  /// What differs from the build after `first` commits to that after `last`.
  Difference difference(std::size_t first, std::size_t last) const {
    std::map<std::size_t, FunctionChange> merged;
    for (std::size_t commit = first; commit < last; ++commit)
      for (const auto& [function, change] : commits_[commit])
        merge(change, merged[function]);
    Difference result{
        .changes = {}, .old_functions = size_.functions, .new_functions = size_.functions};
    for (auto& [function, change] : merged)
      result.changes.push_back(std::move(change));
    return result;
  }

  std::vector<select::Example> examples() const {
    std::vector<select::Example> all;
    for (std::size_t last = 1; last <= size_.commits; ++last)
      for (std::size_t hops = 1; hops <= std::min(last, size_.most_hops); ++hops) {
        const Difference changed = difference(last - hops, last);
        for (std::size_t benchmark = 0; benchmark < size_.benchmarks; ++benchmark)
          all.push_back(example(last, hops, benchmark, changed));
      }
    return all;
  }

private:
  using Changes = std::vector<std::pair<std::size_t, FunctionChange>>;

  double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  double normal() { return std::normal_distribution<double>(0, 1)(random_); }
  std::size_t below(std::size_t count) { return random_() % count; }

  static std::string name(std::size_t function) {
    return "f" + std::to_string(100000 + function); // so that names sort as numbers do
  }

  Profile make_profile() {
    Profile profile;
    std::vector<std::size_t> executed;
    for (std::size_t i = 0; i < size_.functions; ++i)
      if (uniform() < 0.4)
        executed.push_back(i);
    double sum = 0;
    for (const std::size_t function : executed) {
      const double calls = std::ceil(std::exp(4 + (2.5 * normal())));
      const double loops = uniform() < 0.3 ? std::exp(2 * uniform() * 2) : 1;
      const double length = lengths_[function];
      const auto instructions = static_cast<std::uint64_t>(
          calls * std::max(1.0, length * (0.3 + (0.6 * uniform()))) * loops);
      sum += static_cast<double>(instructions);
      profile.functions.push_back({.function = {.binary = "program", .name = name(function)},
                                   .calls = static_cast<std::uint64_t>(calls),
                                   .instructions = instructions});
    }
    for (std::size_t i = 1; i < profile.functions.size(); ++i)
      profile.edges.push_back({.caller = profile.functions[below(i)].function,
                               .callee = profile.functions[i].function,
                               .calls = profile.functions[i].calls});
    profile.instructions = static_cast<std::uint64_t>(sum * 1.15);
    return profile;
  }

  // Small commits are many, large ones few, and some change no code.
  std::size_t commit_size() {
    const double kind = uniform();
    if (kind < 0.25)
      return 0;
    return kind < 0.9 ? 1 + below(4) : 5 + below(size_.functions / 10);
  }

  void make_commit() {
    Changes changes;
    std::vector<double> counts = counts_.back();
    for (std::size_t i = commit_size(); i > 0; --i) {
      const std::size_t function = below(size_.functions);
      const auto edited =
          static_cast<std::uint32_t>(1 + (lengths_[function] * std::pow(uniform(), 3)));
      const auto length = static_cast<std::uint32_t>(
          std::max<double>(1, lengths_[function] + ((uniform() - 0.4) * edited)));
      changes.emplace_back(function, FunctionChange{.kind = ChangeKind::Changed,
                                                    .binary = "program",
                                                    .name = name(function),
                                                    .old_name = {},
                                                    .old_instructions = lengths_[function],
                                                    .new_instructions = length,
                                                    .edited = edited,
                                                    .hunks = {hunk_of(edited)}});
      for (std::size_t benchmark = 0; benchmark < counts.size(); ++benchmark)
        counts[benchmark] *= 1 + effect(changes.back().second, profiles_[benchmark]);
    }
    commits_.push_back(std::move(changes));
    counts_.push_back(std::move(counts));
  }

  // As many instructions taken away as put in, nearly.
  static Hunk hunk_of(std::uint32_t edited) {
    return {.old_first = 0, .old_count = edited / 2, .new_count = edited - (edited / 2)};
  }

  double effect(const FunctionChange& change, const Profile& profile) {
    const select::Executed executed(profile);
    const auto at = executed.find(change.binary, change.name);
    if (!at || uniform() < 0.5)
      return 0;
    if (uniform() < 0.03)
      return std::min(1.0, 20 * executed.share(*at)) * (uniform() - 0.5);
    return std::clamp(executed.share(*at) * change.share() * 0.8 * normal(), -0.9, 10.0);
  }

  static void merge(const FunctionChange& change, FunctionChange& into) {
    if (into.name.empty()) {
      into = change;
      return;
    }
    into.new_instructions = change.new_instructions;
    into.edited += change.edited;
    into.hunks.insert(into.hunks.end(), change.hunks.begin(), change.hunks.end());
  }

  select::Example example(std::size_t last, std::size_t hops, std::size_t benchmark,
                          const Difference& changed) const {
    return select::example_of({.subject = subject_,
                               .benchmark = "b" + std::to_string(benchmark),
                               .old_commit = "c" + std::to_string(last - hops),
                               .new_commit = "c" + std::to_string(last),
                               .position = last,
                               .hops = hops,
                               .old_instructions = counts_[last - hops][benchmark],
                               .new_instructions = counts_[last][benchmark]},
                              changed, profiles_[benchmark], select::Circumstances{});
  }

  std::string subject_;
  PlantedSize size_;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> lengths_;
  std::vector<Profile> profiles_;
  std::vector<Changes> commits_;
  std::vector<std::vector<double>> counts_; // of each benchmark, after each commit
};

} // namespace dragnet::fakes
