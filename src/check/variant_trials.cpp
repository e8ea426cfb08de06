#include "check/variant_trials.h"

#include "analysis/variants/finding.h"
#include "base/result.h"
#include "base/text.h"
#include "model/configuration.h"
#include "model/rounds.h"
#include "model/run.h"
#include "model/variant_lab.h"
#include "project/space.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

constexpr std::size_t commands_that_tell = 2; // so many fail to build: it is the commit
constexpr std::size_t refusals_that_tell = 2; // one alone may have any reason
constexpr int most_detours = 24;

bool hold(const std::vector<Literal>& literals, const Configuration& configuration) {
  return std::ranges::all_of(literals, [&](const Literal& literal) {
    return configuration.on(literal.option) == literal.on;
  });
}

std::string last_line(const std::string& log) {
  std::string last;
  for (const std::string& line : lines(log))
    if (!trim(line).empty())
      last = trim(line);
  return last;
}

std::string words_of(const ConfigurationSpace& space, const std::vector<Literal>& literals) {
  std::string text;
  for (const Literal& literal : literals)
    text += fmt::format("{}{}{}", text.empty() ? "" : " and ", literal.on ? "" : "not ",
                        space.options[literal.option]);
  return text;
}

} // namespace

VariantTrials::VariantTrials(VariantQuestion question, ValidConfigurations& allowed)
    : question_(std::move(question)), allowed_(allowed) {}

void VariantTrials::note_time(double begin) {
  effort_.seconds += question_.seconds() - begin;
  effort_.budget_spent = effort_.seconds >= question_.budget.count();
}

bool VariantTrials::usable(const Run& run) const {
  const auto sample = run.samples.find(question_.metric);
  return run.finished() && sample != run.samples.end() && std::isfinite(sample->second);
}

Result<std::optional<Build>> VariantTrials::built(const Configuration& configuration,
                                                  std::size_t commit) {
  const project::Variant variant = question_.variant(configuration);
  if (unbuilt_[commit].contains(variant.build_command))
    return std::optional<Build>();
  SearchLab* lab = TRY(question_.lab(variant.build_command));
  const bool known = TRY(lab->known_build(question_.commits[commit])).has_value();
  Build build = TRY(lab->build(question_.commits[commit]));
  effort_.builds += known ? 0 : 1;
  if (build.outcome != BuildOutcome::Built) {
    unbuilt_[commit].insert(variant.build_command);
    return std::optional<Build>();
  }
  builds_.insert(commit);
  return std::optional(std::move(build));
}

// The run of a number on a build, from 0; what is kept is not run again.
Result<Run> VariantTrials::run(const Configuration& configuration, const Build& build,
                               std::size_t number) {
  const project::Variant variant = question_.variant(configuration);
  SearchLab* lab = TRY(question_.lab(variant.build_command));
  const auto runs = TRY(lab->runs(build, variant.benchmark, question_.method, number + 1));
  ++effort_.runs;
  return runs.size() > number ? runs[number] : runs.back();
}

Result<Cell> VariantTrials::measure(const Configuration& configuration, std::size_t commit) {
  const double begin = question_.seconds();
  const auto build = TRY(built(configuration, commit));
  if (!build) {
    note_time(begin);
    const bool commit_is_broken = !builds_.contains(commit) &&
                                  (unbuilt_[commit].size() >= commands_that_tell ||
                                   question_.variant(configuration).build_command ==
                                       question_.variant(Configuration(options())).build_command);
    return Cell{.outcome = commit_is_broken ? Cell::Outcome::NotBuildable : Cell::Outcome::Missing};
  }
  std::size_t& taken = taken_[{configuration, commit}];
  const Run done = TRY(run(configuration, *build, taken));
  note_time(begin);
  if (!usable(done))
    return failed(configuration, commit, done);
  ++taken;
  accept(configuration);
  return Cell{.value = done.samples.at(question_.metric)};
}

// An option that the oldest commits do not know yet is not one that the program refuses.
Result<Cell> VariantTrials::failed(const Configuration& configuration, std::size_t commit,
                                   const Run& run) {
  const bool newest = commit + 1 == question_.commits.size();
  if (accepted_.contains(configuration) || (!newest && TRY(works_at_the_end(configuration))))
    return Cell{.outcome = Cell::Outcome::Missing};
  refuse(configuration, run);
  return Cell{.outcome = Cell::Outcome::Invalid};
}

Result<bool> VariantTrials::works_at_the_end(const Configuration& configuration) {
  const double begin = question_.seconds();
  const auto build = TRY(built(configuration, question_.commits.size() - 1));
  const bool works = build && usable(TRY(run(configuration, *build, 0)));
  note_time(begin);
  if (works)
    accept(configuration);
  return works;
}

void VariantTrials::accept(const Configuration& configuration) {
  if (accepted_.insert(configuration).second && !refused_.empty())
    generalize();
}

void VariantTrials::refuse(const Configuration& configuration, const Run& run) {
  refused_.push_back({configuration, last_line(run.log)});
  generalize();
}

bool VariantTrials::was_refused(const Configuration& configuration) const {
  return std::ranges::find(refused_, configuration, &Refusal::configuration) != refused_.end();
}

// The fewest literals, one or two, that hold in most refused configurations and in no accepted one.
// Nothing where several would explain as much: then others are to be tried first.
std::optional<VariantTrials::Literals>
VariantTrials::common_cause(const Configuration& refused) const {
  std::vector<Literals> best;
  std::size_t most = refusals_that_tell;
  const auto offer = [&](const Literals& literals) {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(
        refused_, [&](const Refusal& one) { return hold(literals, one.configuration); }));
    if (count < most ||
        std::ranges::any_of(
            accepted_, [&](const Configuration& one) { return hold(literals, one); }))
      return;
    if (count > most)
      best.clear();
    most = count;
    best.push_back(literals);
  };
  for (std::size_t i = 0; i < refused.size(); ++i)
    offer({{i, refused.on(i)}});
  const bool one_is_enough = !best.empty();
  for (std::size_t i = 0; i < refused.size() && !one_is_enough; ++i)
    for (std::size_t j = i + 1; j < refused.size(); ++j)
      offer({{i, refused.on(i)}, {j, refused.on(j)}});
  return best.size() == 1 ? std::optional(best.front()) : std::nullopt;
}

void VariantTrials::generalize() {
  std::erase_if(learned_, [&](const Literals& literals) {
    return std::ranges::any_of(accepted_,
                               [&](const Configuration& one) { return hold(literals, one); });
  });
  for (const Refusal& one : refused_)
    if (forbidding(one.configuration) == nullptr)
      if (auto cause = common_cause(one.configuration); cause && !accepted_.empty())
        learned_.push_back(std::move(*cause));
}

const VariantTrials::Literals* VariantTrials::forbidding(const Configuration& configuration) const {
  const auto found = std::ranges::find_if(
      learned_, [&](const Literals& literals) { return hold(literals, configuration); });
  return found == learned_.end() ? nullptr : &*found;
}

bool VariantTrials::valid(const Configuration& configuration) {
  return allowed_.valid(configuration) && !was_refused(configuration) &&
         forbidding(configuration) == nullptr;
}

// Where the nearest one is refused, the nearest in which something is otherwise.
std::optional<Configuration> VariantTrials::near(const Configuration& wanted,
                                                 std::span<const Literal> fixed) {
  std::vector<Literal> all(fixed.begin(), fixed.end());
  const auto free = [&](const Literal& literal) {
    return std::ranges::find(all, literal.option, &Literal::option) == all.end();
  };
  std::size_t next = 0;
  for (int i = 0; i < most_detours; ++i) {
    auto found = allowed_.near(wanted, all);
    if (!found || valid(*found))
      return found;
    if (const Literals* literals = forbidding(*found)) {
      const auto loose = std::ranges::find_if(*literals, free);
      if (loose == literals->end())
        return std::nullopt;
      all.push_back({loose->option, !loose->on});
      continue;
    }
    all.assign(fixed.begin(), fixed.end());
    while (next < found->size() && !free({next, true}))
      ++next;
    if (next >= found->size())
      return std::nullopt;
    all.push_back({next, !found->on(next)});
    ++next;
  }
  return std::nullopt;
}

Result<> VariantTrials::try_forbidden(const std::string& constraint,
                                      const Configuration& configuration) {
  if (spent())
    return success();
  const double begin = question_.seconds();
  const auto build = TRY(built(configuration, question_.commits.size() - 1));
  if (build && usable(TRY(run(configuration, *build, 0))))
    accepted_against_.push_back({.kind = variants::Disagreement::Kind::Accepted,
                                 .constraint = constraint,
                                 .example = project::name_of(*question_.space, configuration),
                                 .configurations = 1,
                                 .said = {}});
  note_time(begin);
  return success();
}

std::vector<variants::Disagreement> VariantTrials::disagreements() const {
  std::vector<variants::Disagreement> all = accepted_against_;
  std::vector<const Literals*> told;
  for (const Refusal& one : refused_) {
    const Literals* cause = forbidding(one.configuration);
    if (cause != nullptr && std::ranges::find(told, cause) != told.end())
      continue;
    told.push_back(cause);
    const std::string example = project::name_of(*question_.space, one.configuration);
    const auto count = std::ranges::count_if(refused_, [&](const Refusal& other) {
      return cause != nullptr && hold(*cause, other.configuration);
    });
    all.push_back({.kind = variants::Disagreement::Kind::Refused,
                   .constraint = cause == nullptr ? "" : words_of(*question_.space, *cause),
                   .example = example,
                   .configurations = static_cast<std::size_t>(std::max<std::ptrdiff_t>(1, count)),
                   .said = one.said});
  }
  return all;
}

} // namespace dragnet::check
