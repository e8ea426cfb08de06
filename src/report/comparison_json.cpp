#include "report/comparison.h"

#include "analysis/compare/compare.h"
#include "base/json.h"
#include "report/documents.h"
#include "report/metric_json.h"

#include <string>

namespace dragnet::report {
namespace {

using compare::Comparison;
using compare::Row;

Json row_json(const Row& row) {
  Json json{{"benchmark", row.benchmark}};
  json.update(metric_json(as_checked(row), row.assessment.pairs));
  if (!row.log.empty())
    json["log"] = row.log;
  return json;
}

} // namespace

std::string comparison_json(const Comparison& comparison, const Heading& heading) {
  Json document = new_document("comparison", heading.version);
  document["project"] = heading.project;
  document["machine"] = machine_json(heading.machine);
  document["old"] = side_json(comparison.base);
  document["new"] = side_json(comparison.candidate);
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
