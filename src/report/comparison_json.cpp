#include "analysis/compare/compare.h"
#include "model/run.h"
#include "model/verdict.h"
#include "report/comparison.h"

#include "base/json.h"
#include "report/documents.h"
#include "report/summary.h"

#include <cmath>
#include <vector>

namespace dragnet::report {
namespace {

using compare::Comparison;
using compare::Row;

Json side_json(const std::vector<double>& values) {
  const Summary summary = summarise(values);
  return {{"median", summary.median},
          {"low", summary.low},
          {"high", summary.high},
          {"samples", values}};
}

Json row_json(const Row& row) {
  Json json{{"benchmark", row.benchmark},
            {"metric", row.metric.name},
            {"unit", row.metric.unit},
            {"better", row.metric.better == Better::Lower ? "lower" : "higher"},
            {"method", name(row.method)},
            {"verdict", name(row.judgement.verdict)},
            {"rule", row.judgement.rule},
            {"smallest_effect", row.evidence.smallest_effect},
            {"pairs", row.assessment.pairs},
            {"old", side_json(row.evidence.old_values)},
            {"new", side_json(row.evidence.new_values)}};
  if (row.assessment.pairs > 0)
    json["change"] = {{"estimate", row.assessment.change},
                      {"low", row.assessment.low},
                      {"high", row.assessment.high},
                      {"exact", row.assessment.exact},
                      {"p_value", row.assessment.p_value}};
  if (!row.log.empty())
    json["log"] = row.log;
  return json;
}

Json commit_json(const Build& build) {
  return {{"commit", build.commit.id.text},
          {"subject", build.commit.subject},
          {"time", build.commit.time},
          {"build", build.key}};
}

} // namespace

std::string comparison_json(const Comparison& comparison, const Heading& heading) {
  Json document = new_document("comparison", heading.version);
  document["project"] = heading.project;
  document["machine"] = machine_json(heading.machine);
  document["old"] = commit_json(comparison.base);
  document["new"] = commit_json(comparison.candidate);
  document["status"] = compare::exit_status(comparison);
  document["budget_seconds"] = comparison.budget.count();
  document["measured_seconds"] = comparison.seconds;
  document["pairs_measured"] = comparison.pairs_measured;
  document["pairs_remembered"] = comparison.pairs_kept;
  document["complete"] = !comparison.stopped_by.has_value();
  document["notes"] = heading.notes;
  document["rows"] = Json::array();
  for (const auto& row : comparison.rows)
    document["rows"].push_back(row_json(row));
  return to_text(document);
}

} // namespace dragnet::report
