#include "analysis/blame/answer.h"
#include "analysis/blame/rank.h"
#include "base/function_name.h"
#include "base/json.h"
#include "model/commit.h"
#include "report/blame.h"
#include "report/difference.h"
#include "report/documents.h"

#include <optional>
#include <string>
#include <string_view>

namespace dragnet::report {
namespace {

Json commit_json(const Commit& commit) {
  return {{"commit", commit.id.text}, {"subject", commit.subject}, {"time", commit.time}};
}

std::string_view name_of(blame::TrialOutcome outcome) {
  switch (outcome) {
  case blame::TrialOutcome::Measured:
    return "measured";
  case blame::TrialOutcome::DoesNotBuild:
    return "does not build";
  case blame::TrialOutcome::Fails:
    break;
  }
  return "fails";
}

Json trial_json(const std::optional<blame::Trial>& trial) {
  if (!trial)
    return {};
  const bool measured = trial->outcome == blame::TrialOutcome::Measured;
  return {{"outcome", name_of(trial->outcome)},
          {"effect", measured ? Json(trial->effect) : Json()},
          {"error", measured ? Json(trial->error) : Json()}};
}

Json suspect_json(const blame::Suspect& suspect) {
  Json json{{"function", suspect.function.name},
            {"demangled", demangled(suspect.function.name)},
            {"binary", suspect.function.binary},
            {"change", name(suspect.kind)},
            {"file", suspect.place ? Json(suspect.place->file) : Json()},
            {"line", suspect.place ? Json(suspect.place->line) : Json()},
            {"executed", suspect.blame.executed},
            {"affected", suspect.blame.affected},
            {"paths", suspect.blame.paths},
            {"credited", suspect.blame.credited},
            {"own", suspect.blame.own},
            {"subtree", suspect.blame.subtree},
            {"published", suspect.blame.published},
            {"published_rank", suspect.published_rank},
            {"unit", suspect.unit ? Json(*suspect.unit) : Json()},
            {"hunk", suspect.hunk},
            {"commits", Json::array()}};
  for (const Commit& commit : suspect.commits)
    json["commits"].push_back(commit_json(commit));
  return json;
}

Json verification_json(const std::optional<blame::Verification>& found) {
  if (!found)
    return {};
  Json json{{"metric", found->metric.name},
            {"unit", found->metric.unit},
            {"how", found->how},
            {"old", found->old_value},
            {"difference", found->difference},
            {"error", found->error},
            {"regressed", found->regressed},
            {"trials", found->builds},
            {"culprits", found->culprits},
            {"culprits_share", found->culprits_share ? Json(*found->culprits_share) : Json()},
            {"units", Json::array()}};
  for (const blame::Unit& unit : found->units)
    json["units"].push_back({{"name", unit.name},
                             {"alone", trial_json(unit.alone)},
                             {"without", trial_json(unit.without)},
                             {"share", unit.share ? Json(*unit.share) : Json()}});
  return json;
}

} // namespace

std::string blame_json(const blame::Answer& answer, const std::string& version) {
  Json json = new_document("blame", version);
  json["project"] = answer.project;
  json["benchmark"] = answer.benchmark;
  json["old"] = commit_json(answer.old_commit);
  json["new"] = commit_json(answer.new_commit);
  json["method"] = blame::name_of(answer.method);
  json["runs"] = answer.runs;
  json["executions"] = answer.executions;
  json["events"] = answer.events;
  json["by_paths"] = answer.by_paths;
  json["cost"] = blame::name_of(answer.cost);
  json["old_cost"] = answer.old_cost;
  json["difference"] = answer.ranking.difference;
  json["unexplained"] = answer.ranking.unexplained;
  json["suspects"] = Json::array();
  for (const blame::Suspect& suspect : answer.suspects)
    json["suspects"].push_back(suspect_json(suspect));
  json["verification"] = verification_json(answer.verification);
  json["notes"] = answer.notes;
  return to_text(json);
}

} // namespace dragnet::report
