#include "check/variants.h"

#include "analysis/variants/answer.h"
#include "analysis/variants/finding.h"
#include "analysis/variants/learner.h"
#include "analysis/variants/recorded.h"
#include "analysis/variants/sampling.h"
#include "base/progress.h"
#include "base/result.h"
#include "check/variant_trials.h"
#include "model/commit.h"
#include "model/configuration.h"
#include "model/metric.h"
#include "model/recorded_variants.h"
#include "model/variant_lab.h"
#include "project/space.h"

#include <cstdint>
#include <fmt/core.h>
#include <map>
#include <string>
#include <vector>

namespace dragnet::check {
namespace {

using variants::Answer;
using variants::Disagreement;
using variants::Finding;

// The same question is asked in the same way, so that what is kept answers it.
constexpr std::uint64_t seed = 1;

std::vector<variants::NamedCommit> named(const std::vector<Commit>& commits) {
  std::vector<variants::NamedCommit> all;
  all.reserve(commits.size());
  for (const Commit& commit : commits)
    all.push_back({commit.id.text, commit.id.brief(), commit.subject});
  return all;
}

std::string belief(const Finding& found, const Answer& answer) {
  std::string text = fmt::format("{} measurements, done with probability {:.2f}",
                                 answer.measurements, answer.done);
  for (const variants::ChangePoint& change : answer.changes)
    text += fmt::format("; {} {} {:+.0f} %", found.commits[change.commit].brief,
                        found.condition(change.condition), 100 * change.change);
  return text;
}

// Which configurations that were measured disobey a constraint that was declared.
std::vector<Disagreement> disobeyed(const variants::RecordedLab& lab,
                                    const std::vector<Clause>& constraints) {
  std::map<std::string, Disagreement> by_text;
  for (const Configuration& configuration : lab.all())
    for (const Clause& clause : constraints) {
      if (holds(clause, configuration))
        continue;
      Disagreement& one = by_text[clause.text];
      one.kind = Disagreement::Kind::Accepted;
      one.constraint = clause.text;
      if (one.configurations++ == 0)
        one.example = project::name_of(lab.space(), configuration);
    }
  std::vector<Disagreement> all;
  all.reserve(by_text.size());
  for (const auto& [text, one] : by_text)
    all.push_back(one);
  return all;
}

} // namespace

Result<Finding> search_variants(ValidConfigurations& allowed, const VariantsRequest& request,
                                Progress& progress) {
  VariantTrials trials(request.question, allowed);
  Finding found;
  found.benchmark = request.benchmark;
  found.metric = metric_named(request.question.metric);
  found.commits = named(request.question.commits);
  found.space = *request.question.space;
  found.rule = request.rule;
  found.rule.listener = [&](const Answer& answer) { progress.finished(belief(found, answer)); };
  variants::Random random(seed);
  found.answer = TRY(variants::learn(trials, trials, found.commits.size(), found.rule, random));
  for (const Forbidden& one : request.forbidden)
    TRY(trials.try_forbidden(one.constraint, one.configuration));
  found.disagreements = trials.disagreements();
  found.effort = trials.effort();
  found.rule.listener = {};
  return found;
}

Result<Finding> search_recorded(const RecordedVariants& recorded,
                                const std::vector<Clause>& constraints,
                                const variants::LearnRule& rule) {
  variants::RecordedLab lab(recorded);
  Finding found;
  found.measured = false;
  found.commits.reserve(recorded.commits.size());
  for (const std::string& commit : recorded.commits)
    found.commits.push_back({commit, commit, {}});
  found.space = lab.space();
  found.rule = rule;
  found.notes = recorded.notes;
  variants::Random random(seed);
  found.answer = TRY(variants::learn(lab, lab, lab.commits(), rule, random));
  found.disagreements = disobeyed(lab, constraints);
  return found;
}

} // namespace dragnet::check
