// A laboratory without processes: runs take the time that a test says, and pairs are remembered as
// the real one does.
#pragma once

#include "model/lab.h"

#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace dragnet::fakes {

enum class Side { Base, Candidate };

class FakeLab final : public Lab {
public:
  /// What a run of a benchmark looks like on a side; `number` counts that side's runs from 0.
  std::function<Run(const Duel& duel, Side side, std::size_t number)> run =
      [](const Duel&, Side, std::size_t) { return Run{}; };
  std::set<std::string> counted;           ///< metrics that are counted, not timed
  std::optional<std::size_t> breaks_after; ///< so many pairs are measured, then comes an Error
  std::vector<Order> orders;               ///< of the pairs measured so far
  std::vector<std::string> measured;       ///< the benchmark of each of them

  Method method_for(const std::string& metric) const override {
    return counted.contains(metric) ? Method::Counted : Method::Timed;
  }

  Result<std::vector<Pair>> kept_pairs(const Duel& duel) override { return pairs_[key(duel)]; }

  Result<Pair> measure_pair(const Duel& duel, Order order) override {
    if (breaks_after && orders.size() >= *breaks_after)
      return Error{"the machine is on fire", "pour water"};
    auto& pairs = pairs_[key(duel)];
    const std::size_t number = pairs.size();
    pairs.push_back({number, run(duel, Side::Base, number), run(duel, Side::Candidate, number)});
    orders.push_back(order);
    measured.push_back(duel.benchmark.name);
    return pairs.back();
  }

private:
  static std::string key(const Duel& duel) {
    return duel.base.key + "|" + duel.candidate.key + "|" + duel.benchmark.name + "|" +
           std::string(name(duel.method));
  }
  std::map<std::string, std::vector<Pair>> pairs_;
};

/// A finished run that took so long and has so much of one metric.
inline Run finished_run(double seconds, const std::string& metric, double value) {
  Run run;
  run.seconds = seconds;
  run.samples[metric] = value;
  return run;
}

} // namespace dragnet::fakes
