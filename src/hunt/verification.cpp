#include "hunt/verification.h"

#include "analysis/blame/answer.h"
#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/shrink.h"
#include "analysis/provoke/strategy.h"
#include "base/function_name.h"
#include "base/progress.h"
#include "base/result.h"
#include "check/source_hunks.h"
#include "hunt/change_parts.h"
#include "hunt/change_trials.h"
#include "lab/laboratory.h"
#include "model/metric.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::hunt {
namespace {

using blame::Answer;
using blame::Suspect;
using blame::Trial;
using blame::TrialOutcome;
using blame::Unit;
using blame::Verification;

constexpr double culprit_share = 0.5;
constexpr double smallest_regression = 0.001;

bool lies_in(const ChangePart& part, const Suspect& suspect) {
  if (!suspect.place || suspect.place->file != part.name)
    return false;
  if (part.new_first == 0 && part.old_count == 0)
    return true;
  return std::ranges::any_of(check::parse_hunks(suspect.hunk), [&](const auto& hunk) {
    return part.new_first >= hunk.new_first && part.new_first <= hunk.new_first + hunk.new_count;
  });
}

// Where hunks of neighbours run together, lines belong to the function that begins last before
// them.
std::size_t owner_of(const ChangePart& part, const std::vector<Suspect>& suspects) {
  std::size_t owner = suspects.size();
  std::size_t line = 0; // where the owner begins
  const auto begins_before = [&](std::size_t here) {
    return here <= part.new_first + part.new_count;
  };
  for (std::size_t i = 0; i < suspects.size(); ++i) {
    if (!lies_in(part, suspects[i]))
      continue;
    const std::size_t here = suspects[i].place.value_or(SourcePlace{}).line;
    const bool alike = begins_before(line) == begins_before(here);
    if (owner == suspects.size() || (alike ? here > line : begins_before(here))) {
      owner = i;
      line = here;
    }
  }
  return owner;
}

class Verifying {
public:
  Verifying(const VerifyRequest& request, Answer& answer, const ChangeParts& parts,
            ChangeTrials& trials)
      : request_(request), answer_(answer), parts_(parts), trials_(trials),
        units_(divide(parts, answer.suspects)) {
    for (const PartUnit& unit : units_)
      found_.units.emplace_back().name = unit.name;
  }

  Result<Verification> result() {
    const auto whole = TRY(trials_.of(all()));
    if (whole.outcome != TrialOutcome::Measured)
      return Error{whole.outcome == TrialOutcome::DoesNotBuild
                       ? "a version does not build without hooks"
                       : fmt::format("{} does not tell its {}", answer_.benchmark,
                                     request_.measuring.metric),
                   "dragnet run shows what fails"};
    note_whole(whole);
    if (found_.regressed) {
      TRY(try_suspects());
      if (found_.culprits.empty())
        TRY(search_sets());
    }
    found_.builds = trials_.builds();
    return std::move(found_);
  }

private:
  std::vector<std::size_t> all() const {
    std::vector<std::size_t> numbers(parts_.parts().size());
    std::ranges::copy(std::views::iota(std::size_t{0}, numbers.size()), numbers.begin());
    return numbers;
  }

  void note_whole(const Trial& whole) {
    found_.metric = metric_named(request_.measuring.metric);
    found_.how =
        trials_.exact() ? "counted once" : fmt::format("{} pairs", request_.measuring.pairs);
    found_.old_value = trials_.old_value();
    found_.difference = whole.effect;
    found_.error = whole.error;
    // Where it is noisy, three standard errors leave little doubt that there is something to find.
    found_.regressed = whole.effect > 3 * whole.error &&
                       whole.effect > smallest_regression * std::abs(found_.old_value);
  }

  std::vector<std::size_t> parts_of(const provoke::Chromosome& units) const {
    std::vector<std::size_t> numbers;
    for (const auto unit : units)
      numbers.insert(numbers.end(), units_[unit].parts.begin(), units_[unit].parts.end());
    std::ranges::sort(numbers);
    return numbers;
  }

  Result<> try_unit(std::size_t number) {
    Unit& unit = found_.units[number];
    if (unit.alone)
      return success();
    unit.alone = TRY(trials_.of(units_[number].parts));
    std::vector<std::size_t> others;
    std::ranges::set_difference(all(), units_[number].parts, std::back_inserter(others));
    Trial rest = others.empty() ? Trial{} : TRY(trials_.of(others));
    rest.effect = found_.difference - rest.effect;
    unit.without = rest;
    if (unit.alone->outcome == TrialOutcome::Measured)
      unit.share = unit.alone->effect / found_.difference;
    if (rest.outcome == TrialOutcome::Measured)
      unit.share = std::max(unit.share.value_or(-1e300), rest.effect / found_.difference);
    return success();
  }

  Result<> try_suspects() {
    std::size_t tried = 0;
    for (const Suspect& suspect : answer_.suspects) {
      if (!suspect.unit || found_.units[*suspect.unit].alone)
        continue;
      if (tried++ == request_.tries)
        break;
      TRY(try_unit(*suspect.unit));
      const auto share = found_.units[*suspect.unit].share;
      if (!share || *share < culprit_share)
        continue;
      found_.culprits = {*suspect.unit};
      found_.culprits_share = share;
      // What is left is less than a culprit's share.
      break;
    }
    return success();
  }

  Result<> search_sets() {
    provoke::Chromosome units(units_.size());
    std::ranges::copy(std::views::iota(0U, static_cast<provoke::Gene>(units.size())),
                      units.begin());
    const provoke::Measure measure =
        [&](const provoke::Chromosome& chosen) -> Result<std::optional<double>> {
      const auto trial = TRY(trials_.of(parts_of(chosen)));
      if (trial.outcome != TrialOutcome::Measured)
        return std::optional<double>();
      return std::optional(trial.effect);
    };
    const auto shrunk = TRY(provoke::shrink(
        units, measure,
        {.least = culprit_share * found_.difference, .noise = provoke::Noise::Exact}));
    if (!shrunk.confirmed)
      return success();
    found_.culprits.assign(shrunk.chromosome.begin(), shrunk.chromosome.end());
    found_.culprits_share = shrunk.effect.mean / found_.difference;
    return success();
  }

  const VerifyRequest& request_;
  Answer& answer_;
  const ChangeParts& parts_;
  ChangeTrials& trials_;
  std::vector<PartUnit> units_;
  Verification found_;
};

void put_first(const std::vector<std::size_t>& culprits, Answer& answer) {
  std::ranges::stable_partition(answer.suspects, [&](const Suspect& suspect) {
    return suspect.unit && std::ranges::find(culprits, *suspect.unit) != culprits.end();
  });
}

} // namespace

std::vector<PartUnit> divide(const ChangeParts& parts, std::vector<Suspect>& suspects) {
  std::vector<PartUnit> units;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < parts.parts().size(); ++i) {
    const ChangePart& part = parts.parts()[i];
    const bool whole_file = part.new_first == 0 && part.old_count == 0;
    const std::size_t owner = whole_file ? suspects.size() : owner_of(part, suspects);
    const bool owned = owner < suspects.size();
    const std::string name = owned        ? short_name(suspects[owner].function.name)
                             : whole_file ? part.name
                                          : "elsewhere in " + part.name;
    const auto [found, added] =
        known.emplace(owned ? fmt::format("{} {}", owner, name) : name, units.size());
    if (added)
      units.push_back({name, {}});
    units[found->second].parts.push_back(i);
    for (std::size_t j = 0; j < suspects.size(); ++j)
      if (owner == j || (whole_file && lies_in(part, suspects[j])))
        suspects[j].unit = found->second;
  }
  return units;
}

Result<> verify(lab::Laboratory& laboratory, const VerifyRequest& request, Answer& answer,
                Progress& progress) {
  const auto parts =
      TRY(ChangeParts::between(laboratory.repository(), answer.old_commit, answer.new_commit));
  ChangeTrials trials(laboratory, parts, answer.old_commit, request.measuring, progress);
  auto found = TRY(Verifying(request, answer, parts, trials).result());
  put_first(found.culprits, answer);
  answer.verification = std::move(found);
  return success();
}

} // namespace dragnet::hunt
