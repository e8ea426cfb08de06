#include "analysis/bisect/finding.h"
#include "analysis/bisect/search.h"
#include "base/json.h"
#include "model/commit.h"
#include "model/run.h"
#include "report/bisection.h"
#include "report/documents.h"

#include <string>
#include <string_view>
#include <utility>

namespace dragnet::report {
namespace {

using bisect::Finding;
using bisect::Outcome;

std::string_view word(Outcome outcome) {
  switch (outcome) {
  case Outcome::EndsAlike:
    return "ends_alike";
  case Outcome::Found:
    return "found";
  case Outcome::OneOf:
    return "one_of";
  case Outcome::Undecided:
    return "undecided";
  case Outcome::Searching:
    return "searching";
  case Outcome::EndsUnknown:
    break;
  }
  return "ends_unknown";
}

Json commit_json(const Commit& commit) {
  return {{"commit", commit.id.text}, {"subject", commit.subject}, {"time", commit.time}};
}

Json suspect_json(const bisect::Suspect& suspect) {
  Json json{{"probability", suspect.probability}, {"commits", Json::array()}};
  for (const Commit& commit : suspect.commits)
    json["commits"].push_back(commit_json(commit));
  return json;
}

Json effort_json(const bisect::Effort& effort) {
  return {{"builds", effort.builds},
          {"builds_remembered", effort.builds_kept},
          {"rounds_measured", effort.rounds},
          {"rounds_remembered", effort.rounds_kept},
          {"runs", effort.runs},
          {"seconds", effort.seconds},
          {"budget_spent", effort.budget_spent}};
}

Json finding_json(const Finding& found) {
  Json json{{"good", commit_json(found.good)},
            {"bad", commit_json(found.bad)},
            {"commits", found.commits},
            {"outcome", word(found.outcome)},
            {"ends_p_value", found.ends_p_value},
            {"prior", found.prior},
            {"complete", !found.stopped_by.has_value()},
            {"effort", effort_json(found.effort)},
            {"suspects", Json::array()},
            {"not_measured", Json::array()}};
  if (found.effort.runs > 0)
    json["effect"] = {{"estimate", found.effect},
                      {"low", found.interval.low},
                      {"high", found.interval.high},
                      {"exact", found.exact}};
  for (const bisect::Suspect& suspect : found.suspects)
    json["suspects"].push_back(suspect_json(suspect));
  for (const bisect::Unusable& one : found.unusable) {
    Json unusable = commit_json(one.commit);
    unusable["why"] = one.why;
    json["not_measured"].push_back(std::move(unusable));
  }
  return json;
}

} // namespace

std::string bisection_json(const Searched& searched) {
  const Finding& first = searched.findings.front();
  Json document = new_document("bisection", searched.version);
  document["project"] = searched.project;
  document["benchmark"] = first.benchmark;
  document["metric"] = first.metric.name;
  document["unit"] = first.metric.unit;
  document["method"] = name(first.method);
  document["confidence"] = first.confidence;
  document["smallest_effect"] = first.smallest_effect;
  document["budget_seconds"] = first.budget.count();
  document["status"] = bisect::exit_status(first);
  document["searches"] = Json::array();
  for (const Finding& found : searched.findings)
    document["searches"].push_back(finding_json(found));
  return to_text(document);
}

} // namespace dragnet::report
