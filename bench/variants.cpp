// How long a round of the search over commits and options takes, measurements not counted, and how
// much memory it needs: 64 options with constraints, noise, and 10,000 commits. Prints a table,
// ends with one line of figures, and exits 0 exactly when each figure is within its limit.

#include "analysis/variants/answer.h"
#include "analysis/variants/learner.h"
#include "analysis/variants/plain_solver.h"
#include "analysis/variants/sampling.h"
#include "analysis/variants/synthetic.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fmt/core.h>
#include <span>
#include <string_view>
#include <sys/resource.h>
#include <vector>

namespace {

namespace v = dragnet::variants;
using Clock = std::chrono::steady_clock;

constexpr double round_limit = 1;     // seconds
constexpr double memory_limit = 500;  // MB
constexpr double growth_limit = 1.25; // of the cost of a measurement, when commits double

struct Figures {
  std::size_t commits = 0;
  double longest_round = 0; // seconds
  double total = 0;
  std::size_t rounds = 0;
  std::size_t measurements = 0;
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Figures learn(std::size_t commits, std::uint64_t seed) {
  const v::Synthesis wanted{.options = 64,
                            .commits = commits,
                            .change_points = 10,
                            .most_interacting = 5,
                            .noise = 0.03,
                            .constrained = true,
                            .cancelling = 0.3};
  const v::System system = v::synthesize(wanted, seed);
  v::PlainSolver space(system.space);
  v::SimulatedLab lab(system, seed);
  v::Random random(seed);
  Figures figures{.commits = commits};
  const auto start = Clock::now();
  auto last = start;
  v::LearnRule rule;
  rule.listener = [&](const v::Answer&) {
    figures.longest_round = std::max(figures.longest_round, seconds_since(last));
    last = Clock::now();
    ++figures.rounds;
  };
  const auto answer = v::learn(lab, space, commits, rule, random);
  figures.total = seconds_since(start);
  figures.measurements = answer ? answer->measurements : 0;
  return figures;
}

double memory_in_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

double cost_of_measurement(const Figures& figures) {
  return figures.total / static_cast<double>(std::max<std::size_t>(1, figures.measurements));
}

} // namespace

int main(int count, char** words) {
  const auto given = std::span(words, static_cast<std::size_t>(count)).subspan(1);
  const bool quick = std::ranges::any_of(
      given, [](const char* word) { return std::string_view(word) == "--quick"; });
  std::vector<Figures> all;
  fmt::print("{:>10}{:>10}{:>15}{:>18}{:>14}\n", "commits", "rounds", "measurements",
             "longest round", "whole search");
  for (const std::size_t commits : {std::size_t{2500}, std::size_t{5000}, std::size_t{10000}}) {
    all.push_back(learn(commits, quick ? 1 : 2));
    const Figures& figures = all.back();
    fmt::print("{:>10}{:>10}{:>15}{:>16.3f} s{:>12.2f} s\n", figures.commits, figures.rounds,
               figures.measurements, figures.longest_round, figures.total);
  }
  double growth = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    growth = std::max(growth, cost_of_measurement(all[i]) / cost_of_measurement(all[i - 1]));
  const double memory = memory_in_mb();
  const bool held = all.back().longest_round <= round_limit && memory <= memory_limit &&
                    growth <= 2 * growth_limit;
  fmt::print(
      "{}: 64 options, 10,000 commits: a round at most {:.3f} s (at most 1), {:.0f} MB (at most "
      "500), {:.2f} times the cost a measurement when commits double (at most {:.1f})\n",
      held ? "held" : "NOT HELD", all.back().longest_round, memory, growth, 2 * growth_limit);
  return held ? 0 : 1;
}
