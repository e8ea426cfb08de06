// Programs that are made up at random, with planted changes: how often is the planted stack first,
// and how often is something told where nothing changed?
#include "analysis/explain/similarity.h"
#include "tests/analysis/explain/stack_samples.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace dragnet::explain {
namespace {

constexpr std::size_t runs = 5;

// A stack of the made-up program.
struct Writer {
  std::vector<std::string> path;
  double calls = 1;
  double size = 1;
  double noise_of_calls = 0; ///< relative
  double noise_of_size = 0;
  double present = 1; ///< probability that a run has it at all
  bool planted = false;
};

using Program = std::vector<Writer>;

enum class Plant {
  Nothing,
  MoreBytes,
  MoreCalls,
  NewFile,
  NoBuffer,
  TemporaryFiles,
  FewerBytes,
  Renamed,
  InNoise,
  Refactored,
  SharedFunction
};

constexpr std::array<std::pair<Plant, std::string_view>, 10> kinds{
    {{Plant::MoreBytes, "more bytes per call"},
     {Plant::MoreCalls, "more calls"},
     {Plant::NewFile, "new file"},
     {Plant::NoBuffer, "removed buffering"},
     {Plant::TemporaryFiles, "temporary files"},
     {Plant::FewerBytes, "fewer bytes"},
     {Plant::Renamed, "behind a renamed function"},
     {Plant::InNoise, "in the noise of another writer"},
     {Plant::Refactored, "with a refactoring on top"},
     {Plant::SharedFunction, "in a function with several callers"}}};

class Simulation {
public:
  Simulation(std::uint64_t seed, bool noisy) : random_(seed), noisy_(noisy) {
    for (std::size_t i = 0; i < 40; ++i)
      program_.push_back(writer(i));
  }

  SimilarityReport compare(Plant plant, Yardstick yardstick) {
    const std::mt19937_64 start = random_;
    Program changed = program_;
    Program base = program_;
    change(base, changed, plant);
    Comparison comparison;
    comparison.bases = {commit(base)};
    comparison.candidate = commit(changed);
    comparison.yardstick = yardstick;
    planted_.clear();
    for (const Writer& one : changed)
      if (one.planted)
        planted_.insert(one.path);
    random_ = start; // both yardsticks see the same runs
    return compare_stacks(comparison);
  }

  bool is_planted(const SimilarityRow& row) const {
    std::vector<std::string> path;
    for (const StackFrame& frame : row.frames)
      if (!frame.function.binary.starts_with('/'))
        path.push_back(frame.function.name);
    return planted_.contains(path);
  }

private:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  std::size_t below(std::size_t n) { return random_() % n; }

  Writer writer(std::size_t number) {
    Writer made;
    made.path = {"main", "stage" + std::to_string(below(4)), "step" + std::to_string(below(8))};
    if (below(2) == 0)
      made.path.push_back("part" + std::to_string(below(10)));
    made.path.push_back("writer" + std::to_string(below(3) == 0 ? below(6) : number + 6));
    made.calls = std::round(std::exp(uniform(0, 6)));
    made.size = std::round(std::exp(uniform(3, 8)));
    if (noisy_ && below(3) == 0)
      made.noise_of_calls = uniform(0.01, 0.3);
    if (noisy_ && below(4) == 0)
      made.noise_of_size = uniform(0.005, 0.1);
    if (noisy_ && below(8) == 0)
      made.present = uniform(0.2, 0.9);
    return made;
  }

  static double amount(const Writer& one) { return one.calls * one.size; }

  // Of the steady ones that are not tiny: between 2 and 40 % of the run.
  std::size_t target(const Program& program) {
    double total = 0;
    for (const Writer& one : program)
      total += amount(one);
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < program.size(); ++i) {
      const double share = amount(program[i]) / total;
      if (share > 0.02 && share < 0.4 && program[i].present == 1 && program[i].calls >= 4 &&
          program[i].noise_of_calls + program[i].noise_of_size < 0.05)
        fitting.push_back(i);
    }
    return fitting.empty() ? 0 : fitting[below(fitting.size())];
  }

  static void rename(Program& program, const std::string& from, const std::string& to) {
    for (Writer& one : program)
      std::ranges::replace(one.path, from, to);
  }

  void refactor(Program& program, const Writer& around) {
    rename(program, around.path[2], "stride_" + around.path[2].substr(4));
    for (Writer& one : program) {
      if (one.path[1] == "stage1")
        one.path.insert(one.path.begin() + 2, "guarded");
      if (one.path[1] == "stage2")
        one.path.erase(one.path.begin() + 1);
    }
  }

  void more_bytes(Writer& one) {
    one.size = std::round(one.size * uniform(1.5, 3));
    one.planted = true;
  }

  void add_file(Program& program, const Writer& like, const std::string& function) {
    Writer made = like;
    made.path.back() = "helper";
    made.path.push_back(function);
    made.size = std::round(like.size * uniform(0.5, 2)) + 1;
    made.planted = true;
    program.push_back(made);
  }

  void change(Program& before, Program& now, Plant plant) {
    if (plant == Plant::Nothing)
      return;
    const std::size_t at = target(now);
    Writer& one = now[at];
    const Writer copy = one;
    switch (plant) {
    case Plant::MoreCalls:
      one.calls = std::round(one.calls * uniform(1.5, 4));
      one.planted = true;
      break;
    case Plant::NewFile:
      add_file(now, copy, "write_index");
      break;
    case Plant::NoBuffer:
      one.calls *= 20;
      one.size /= 20;
      one.planted = true;
      break;
    case Plant::TemporaryFiles:
      add_file(now, copy, "spill");
      add_file(now, copy, "spill_header");
      break;
    case Plant::FewerBytes:
      one.size = std::round(one.size * uniform(0.2, 0.6));
      one.planted = true;
      break;
    case Plant::InNoise:
      add_noise(before, now);
      more_bytes(now[at]);
      break;
    case Plant::SharedFunction:
      for (Writer& other : now)
        if (other.path.back() == now[at].path.back())
          more_bytes(other);
      break;
    default:
      more_bytes(one);
    }
    if (plant == Plant::Renamed)
      rename(now, now[at].path[2], "new_name");
    if (plant == Plant::Refactored)
      refactor(now, Writer(now[at]));
  }

  // Another writer that writes as much as all others, and never twice the same.
  static void add_noise(Program& before, Program& now) {
    Writer loud{.path = {"main", "background", "journal"}, .calls = 200, .noise_of_calls = 0.3};
    loud.noise_of_size = 0.2;
    double total = 0;
    for (const Writer& one : before)
      total += amount(one);
    loud.size = total / loud.calls;
    before.push_back(loud);
    now.push_back(loud);
  }

  WatchedCommit commit(const Program& program) {
    std::vector<std::vector<Use>> made;
    for (std::size_t i = 0; i < runs; ++i)
      made.push_back(run(program));
    return commit_of(made);
  }

  std::vector<Use> run(const Program& program) {
    std::vector<Use> uses;
    std::normal_distribution<double> normal(0, 1);
    for (const Writer& one : program) {
      const double calls =
          std::max(1.0, std::round(one.calls * std::exp(one.noise_of_calls * normal(random_))));
      const double bytes = calls * one.size * std::exp(one.noise_of_size * normal(random_));
      if (uniform(0, 1) > one.present)
        continue;
      std::string stack;
      for (const std::string& function : one.path)
        stack += function + ";";
      uses.push_back({stack + "/lib/libc.so:write", static_cast<std::uint64_t>(calls),
                      static_cast<std::uint64_t>(std::round(bytes))});
    }
    return uses;
  }

  std::mt19937_64 random_;
  bool noisy_;
  Program program_;
  std::set<std::vector<std::string>> planted_;
};

constexpr std::size_t rounds = 100;

// In how many rounds the planted stack is a finding, and the first.
std::size_t hits(Plant plant, Yardstick yardstick, bool noisy) {
  std::size_t found = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    Simulation simulation(round, noisy);
    const auto report = simulation.compare(plant, yardstick);
    found += !report.rows.empty() && report.rows[0].told && simulation.is_planted(report.rows[0]);
  }
  return found;
}

std::size_t alarms(Yardstick yardstick, bool noisy) {
  std::size_t raised = 0;
  for (std::size_t round = 0; round < rounds; ++round)
    raised += findings(Simulation(round, noisy).compare(Plant::Nothing, yardstick)) > 0;
  return raised;
}

TEST(Simulations, name_the_planted_stack_first) {
  fmt::print("{:36} {:>18} {:>18}\n", "planted, first of 40 stacks", "steady runs", "noisy runs");
  fmt::print("{:36} {:>9} {:>8} {:>9} {:>8}\n", "", "published", "tested", "published", "tested");
  for (const auto& [plant, words] : kinds) {
    std::vector<double> rates;
    for (const bool noisy : {false, true})
      for (const Yardstick yardstick : {Yardstick::Published, Yardstick::Tested})
        rates.push_back(100.0 * static_cast<double>(hits(plant, yardstick, noisy)) / rounds);
    fmt::print("{:36} {:7.1f} % {:6.1f} % {:7.1f} % {:6.1f} %\n", words, rates[0], rates[1],
               rates[2], rates[3]);
    EXPECT_GE(rates[1], 95) << words;
    EXPECT_GE(rates[3], 95) << words;
  }
}

TEST(Simulations, tell_nothing_where_nothing_changed) {
  fmt::print("A/A comparisons with a finding, of {}: published {} and {}, tested {} and {}\n",
             rounds, alarms(Yardstick::Published, false), alarms(Yardstick::Published, true),
             alarms(Yardstick::Tested, false), alarms(Yardstick::Tested, true));
  EXPECT_EQ(alarms(Yardstick::Tested, false), 0U);
  EXPECT_LE(alarms(Yardstick::Tested, true), rounds / 100);
}

} // namespace
} // namespace dragnet::explain
