#include "analysis/provoke/shrink.h"

#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/strategy.h"
#include "base/result.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace dragnet::provoke {
namespace {

struct Trial {
  Score effect;
  bool holds = false;
};

// The genes of one of several parts, or all others.
struct Partition {
  const Chromosome& whole;
  std::size_t parts;

  std::size_t begin(std::size_t part) const { return whole.size() * part / parts; }

  Chromosome only(std::size_t part) const {
    return {whole.begin() + static_cast<std::ptrdiff_t>(begin(part)),
            whole.begin() + static_cast<std::ptrdiff_t>(begin(part + 1))};
  }
  Chromosome without(std::size_t part) const {
    Chromosome rest(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(begin(part)));
    rest.insert(rest.end(), whole.begin() + static_cast<std::ptrdiff_t>(begin(part + 1)),
                whole.end());
    return rest;
  }
};

class Shrinking {
public:
  Shrinking(const Measure& measure, const ShrinkRule& rule) : measure_(measure), rule_(rule) {}

  Result<Shrunk> run(const Chromosome& chromosome) {
    accepted_.push_back(chromosome);
    std::size_t parts = 2;
    while (accepted_.back().size() >= 2) {
      const Chromosome current = accepted_.back();
      parts = std::min(parts, current.size());
      if (TRY(reduce({current, parts}, parts)))
        continue;
      if (parts == current.size())
        break;
      parts *= 2;
    }
    return confirm();
  }

private:
  // Takes the first smaller chromosome that shows the effect, and says in how many parts to cut it.
  Result<bool> reduce(const Partition& partition, std::size_t& parts) {
    for (std::size_t part = 0; parts > 2 && part < partition.parts; ++part)
      if (TRY(accept(partition.only(part)))) {
        parts = 2;
        return true;
      }
    for (std::size_t part = 0; part < partition.parts; ++part)
      if (TRY(accept(partition.without(part)))) {
        parts = std::max<std::size_t>(2, parts - 1);
        return true;
      }
    return false;
  }

  Result<bool> accept(Chromosome candidate) {
    if (candidate.empty())
      return false;
    // What was tried before was not accepted: it would be longer than what is.
    if (!tried_.insert(candidate).second)
      return false;
    const auto trial = TRY(test(candidate));
    if (trial.holds)
      accepted_.push_back(std::move(candidate));
    return trial.holds;
  }

  // From the shortest back to the whole, until fresh runs agree.
  Result<Shrunk> confirm() {
    for (;;) {
      const auto trial = TRY(test(accepted_.back()));
      if (trial.holds || accepted_.size() == 1)
        return Shrunk{.chromosome = accepted_.back(),
                      .effect = trial.effect,
                      .confirmed = trial.holds,
                      .tests = tests_,
                      .runs = runs_};
      accepted_.pop_back();
    }
  }

  Result<Trial> test(const Chromosome& candidate) {
    Trial trial;
    ++tests_;
    const std::size_t most = rule_.noise == Noise::Exact ? 1 : rule_.most_runs;
    while (trial.effect.runs < most) {
      ++runs_;
      const auto effect = TRY(measure_(candidate));
      if (!effect)
        return Trial{};
      trial.effect.add(*effect);
      if (decided(trial.effect))
        break;
    }
    trial.holds = trial.effect.mean >= rule_.least && decided(trial.effect);
    return trial;
  }

  bool decided(const Score& effect) const {
    if (rule_.noise == Noise::Exact)
      return true;
    if (effect.runs < rule_.least_runs)
      return false;
    const auto runs = static_cast<double>(effect.runs);
    const double error = std::sqrt(effect.squares / (runs - 1) / runs);
    return std::abs(effect.mean - rule_.least) > rule_.errors * error;
  }

  const Measure& measure_;
  const ShrinkRule& rule_;
  std::vector<Chromosome> accepted_; // ever shorter
  std::set<Chromosome> tried_;
  std::size_t tests_ = 0;
  std::size_t runs_ = 0;
};

} // namespace

Result<Shrunk> shrink(const Chromosome& chromosome, const Measure& measure,
                      const ShrinkRule& rule) {
  return Shrinking(measure, rule).run(chromosome);
}

} // namespace dragnet::provoke
