// Simulates searches for the commit that made a program slower, in histories of 1,000 commits on
// noisy machines: ours beside bisection by a threshold and the rule of `asv find`. The raw results
// are how often each outcome came out; every figure of the tables is computed from them.

#include "bisect_world.h"
#include "noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using dragnet::eval::Found;
using dragnet::eval::noises;
using dragnet::eval::Scenario;
using dragnet::eval::World;

constexpr std::array<double, 3> steps = {0.02, 0.05, 0.1};
constexpr std::array<double, 3> spreads = {0.01, 0.03, 0.05};
constexpr std::size_t drifting = 2;
constexpr std::array<std::string_view, 4> methods = {"ours", "threshold", "asv 1", "asv 10"};

constexpr double right_bar = 0.93;
constexpr double builds_bar = 15;
constexpr double saving_bar = 0.4;

// One outcome; a line of the raw results, with how often it came out.
struct Row {
  std::string scenario;
  std::string method;
  char verdict = 'n';
  bool covered = false;
  std::size_t builds = 0;
  std::size_t runs = 0;
  auto operator<=>(const Row&) const = default;
};
using Raw = std::map<Row, std::size_t>;

std::vector<Scenario> bar_scenarios() {
  std::vector<Scenario> scenarios;
  for (const double broken : {0.0, 0.1})
    for (const std::size_t noise : {std::size_t{0}, drifting})
      for (const double step : steps)
        for (const double spread : spreads)
          scenarios.push_back({.step = step, .spread = spread, .noise = noise, .broken = broken});
  return scenarios;
}

std::vector<Scenario> prior_scenarios() {
  std::vector<Scenario> scenarios;
  for (const char* prior : {"two-valued", "graded", "graded 93"})
    scenarios.push_back({.prior = prior});
  return scenarios;
}

// What the model does not foresee, or only as a rare thing.
std::vector<Scenario> odd_scenarios() {
  std::vector<Scenario> scenarios;
  for (const std::size_t noise : {1U, 3U, 4U})
    for (const double step : {0.05, 0.1})
      scenarios.push_back({.step = step, .noise = noise});
  scenarios.push_back({.layout = 0.01});
  scenarios.push_back({.step = 0.05, .layout = 0.01});
  scenarios.push_back({.another = 0.02});
  scenarios.push_back({.another = 0.04});
  return scenarios;
}

Found search(World& world, std::size_t method, std::uint64_t seed) {
  switch (method) {
  case 0:
    return search_ours(world, seed);
  case 1:
    return search_by_threshold(world);
  case 2:
    return search_by_rise(world, 1);
  default:
    return search_by_rise(world, 10);
  }
}

void simulate(const Scenario& scenario, std::size_t runs, Raw& raw) {
  for (std::size_t run = 0; run < runs; ++run)
    for (std::size_t method = 0; method < methods.size(); ++method) {
      const std::uint64_t seed = 20261115 + run;
      World world(scenario, seed); // the same history for all methods
      const Found found = search(world, method, seed);
      ++raw[{scenario.name(), std::string(methods.at(method)), found.verdict, found.covered,
             found.builds, found.runs}];
    }
}

Raw simulate_all(std::size_t runs) {
  Raw raw;
  for (const auto& scenarios : {bar_scenarios(), prior_scenarios(), odd_scenarios()})
    for (const Scenario& scenario : scenarios)
      simulate(scenario, runs, raw);
  return raw;
}

bool write(const Raw& raw, const std::string& path) {
  std::ofstream file(path);
  file << "scenario,method,verdict,covered,builds,runs,count\n";
  for (const auto& [row, count] : raw)
    file << row.scenario << ',' << row.method << ',' << row.verdict << ',' << row.covered << ','
         << row.builds << ',' << row.runs << ',' << count << '\n';
  return file.flush().good();
}

Raw read(const std::string& path) {
  Raw raw;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::array<std::string, 7> field;
    for (std::string& text : field)
      std::getline(fields, text, ',');
    raw[{field[0], field[1], field[2].at(0), field[3] == "1", std::stoul(field[4]),
         std::stoul(field[5])}] = std::stoul(field[6]);
  }
  return raw;
}

// All outcomes of a method in a scenario.
struct Summary {
  double total = 0;
  double right = 0;
  double named = 0;
  double covered = 0;
  double builds = 0;
  double runs = 0;
  std::map<std::size_t, double> by_builds;

  double share(double part) const { return total > 0 ? part / total : 0; }
  std::size_t builds_at(double part) const {
    double seen = 0;
    for (const auto& [needed, weight] : by_builds) {
      seen += weight;
      if (seen >= part * total)
        return needed;
    }
    return 0;
  }
};

Summary summarize(const Raw& raw, const Scenario& scenario, std::string_view method) {
  Summary summary;
  const std::string name = scenario.name();
  for (auto at = raw.lower_bound({name, std::string(method)}); at != raw.end(); ++at) {
    const auto& [row, count] = *at;
    if (row.scenario != name || row.method != method)
      break;
    const auto weight = static_cast<double>(count);
    summary.total += weight;
    summary.right += row.verdict == 'r' ? weight : 0;
    summary.named += row.verdict != 'n' ? weight : 0;
    summary.covered += row.covered ? weight : 0;
    summary.builds += weight * static_cast<double>(row.builds);
    summary.runs += weight * static_cast<double>(row.runs);
    summary.by_builds[row.builds] += weight;
  }
  return summary;
}

void print_head(std::string_view title) {
  fmt::print("\n{}\n\n{:<6}{:<8}{:<14}{:<8}{:>7}{:>7}{:>8}{:>5}{:>8}{:>9}", title, "step", "spread",
             "noise", "broken", "right", "named", "builds", "90%", "runs", "covered");
  for (const std::string_view method : methods)
    if (method != "ours")
      fmt::print("{:>11}{:>8}{:>7}", method, "builds", "runs");
  fmt::print("\n");
}

void print_row(const Raw& raw, const Scenario& scenario) {
  const Summary ours = summarize(raw, scenario, "ours");
  fmt::print("{:<6}{:<8}{:<14}{:<8}", fmt::format("{:g} %", 100 * scenario.step),
             fmt::format("{:g} %", 100 * scenario.spread), noises.at(scenario.noise),
             fmt::format("{:g} %", 100 * scenario.broken));
  fmt::print("{:>7.1f}{:>7.1f}{:>8.1f}{:>5}{:>8.0f}{:>9.1f}", 100 * ours.share(ours.right),
             100 * ours.share(ours.named), ours.share(ours.builds), ours.builds_at(0.9),
             ours.share(ours.runs), 100 * ours.share(ours.covered));
  for (const std::string_view method : methods) {
    if (method == "ours")
      continue;
    const Summary peer = summarize(raw, scenario, method);
    fmt::print("{:>11.1f}{:>8.1f}{:>7.0f}", 100 * peer.share(peer.right), peer.share(peer.builds),
               peer.share(peer.runs));
  }
  std::string odd;
  if (scenario.prior != "flat")
    odd = fmt::format("  prior: {}", scenario.prior);
  if (scenario.layout > 0)
    odd = fmt::format("  each build off by {:g} %", 100 * scenario.layout);
  if (scenario.another > 0)
    odd = fmt::format("  another step of {:g} %", 100 * scenario.another);
  fmt::print("{}\n", odd);
}

void print_tables(const Raw& raw) {
  fmt::print(
      "1,000 commits. right: the culprit is named, in % of searches (one of a group that cannot "
      "be told apart,\nwhere commits do not build); named: anybody is; builds: both ends and "
      "failures included, mean and 90 %;\nruns: single measurements, mean; covered: the step "
      "is in its interval. threshold: as with git bisect run,\none run a commit; asv 1, asv "
      "10: the rule of asv find on one run and on the median of 10.\n");
  print_head("The bar: at least 93 % right at a stated confidence of 95 %");
  for (const Scenario& scenario : bar_scenarios())
    print_row(raw, scenario);
  print_head("With a prior");
  print_row(raw, Scenario{});
  for (const Scenario& scenario : prior_scenarios())
    print_row(raw, scenario);
  print_head("Other noise and other histories, without a bar");
  for (const Scenario& scenario : odd_scenarios())
    print_row(raw, scenario);
}

// The last line; 0 exactly if all is held. A small simulation is forgiven three standard errors.
int conclude(const Raw& raw, bool small) {
  double least_right = 1;
  double most_builds = 0;
  double total = 0;
  for (const Scenario& scenario : bar_scenarios()) {
    const Summary ours = summarize(raw, scenario, "ours");
    least_right = std::min(least_right, ours.share(ours.right));
    total = ours.total;
    if (scenario.step == 0.1 && scenario.spread == 0.03)
      most_builds = std::max(most_builds, ours.share(ours.builds));
  }
  const Summary flat = summarize(raw, Scenario{}, "ours");
  const auto saving = [&](const char* prior) {
    const Summary with = summarize(raw, Scenario{.prior = prior}, "ours");
    return 1 - (with.share(with.builds) / flat.share(flat.builds));
  };
  const double error = total > 0 ? std::sqrt(right_bar * (1 - right_bar) / total) : 0;
  const double slack = small ? 3 * error : 0;
  const bool held = total > 0 && least_right >= right_bar - slack && most_builds <= builds_bar &&
                    saving("graded 93") >= saving_bar - (small ? 0.1 : 0);
  fmt::print(
      "\nbisect: {} searches in each of {} scenarios: right in at least {:.1f} % (at least 93); "
      "10 % step at 3 % spread: at most {:.1f} builds on average (at most 15); with a prior "
      "{:.1f} % fewer builds (at least 40; {:.1f} % with a weaker one, {:.1f} % with a "
      "two-valued one): {}\n",
      total, bar_scenarios().size(), 100 * least_right, most_builds, 100 * saving("graded 93"),
      100 * saving("graded"), 100 * saving("two-valued"), held ? "held" : "NOT HELD");
  return held ? 0 : 1;
}

int run(std::span<const std::string> arguments) {
  const auto given = [&](std::string_view option) {
    return std::ranges::find(arguments, option) != arguments.end();
  };
  const bool path_given = !arguments.empty() && !arguments.back().starts_with("--");
  const std::string path = path_given ? arguments.back() : "build/eval/bisect.csv";
  const bool quick = given("--quick");
  const Raw raw = given("--recompute") ? read(path) : simulate_all(quick ? 20 : 1000);
  if (raw.empty()) {
    fmt::print(stderr, "bisect: {} has no results\n", path);
    return 2;
  }
  if (!quick && !given("--recompute") && !write(raw, path)) {
    fmt::print(stderr, "bisect: cannot write {}\n", path);
    return 2;
  }
  print_tables(raw);
  return conclude(raw, quick);
}

} // namespace

int main(int count, char** values) {
  const auto given = std::span(values, static_cast<std::size_t>(count)).subspan(1);
  const std::vector<std::string> arguments(given.begin(), given.end());
  return run(arguments);
}
