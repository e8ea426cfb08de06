#include "report/check.h"

#include "base/function_name.h"
#include "base/json.h"
#include "model/check.h"
#include "model/prediction_record.h"
#include "model/run.h"
#include "model/verdict.h"
#include "report/check_outcome.h"
#include "report/documents.h"
#include "report/metric_json.h"
#include "report/tree_json.h"

#include <string>

namespace dragnet::report {
namespace {

Json built_json(const Build& build) {
  Json json = side_json(build);
  json["author"] = build.commit.author;
  json["build_seconds"] = build.seconds;
  json["log"] = build.log;
  return json;
}

Json rate_json(const KnownRate& rate) {
  Json json{{"rate", nullptr}, {"low", rate.low}, {"high", rate.high}, {"cases", rate.cases}};
  if (rate.cases > 0)
    json["rate"] = static_cast<double>(rate.good) / static_cast<double>(rate.cases);
  return json;
}

Json record_json(const PredictionRecord& record) {
  return {{"trained", record.trained},
          {"hit", rate_json(record.hit)},
          {"dismiss", rate_json(record.dismiss)},
          {"audits", record.audits},
          {"audits_missed", record.audits_missed}};
}

Json times_json(const CheckTimes& times) {
  return {{"building", times.building},
          {"predicting", times.predicting},
          {"measuring", times.measuring},
          {"explaining", times.explaining},
          {"total", times.total}};
}

Json cost_json(const FunctionCost& cost) {
  return {{"calls", cost.calls}, {"instructions", cost.instructions}, {"share", cost.share}};
}

Json function_json(const ChangedFunction& function) {
  Json json{{"function", function.function.name},
            {"demangled", demangled(function.function.name)},
            {"binary", function.function.binary},
            {"change", name(function.change)},
            {"old", cost_json(function.before)},
            {"new", cost_json(function.now)},
            {"explains", function.explains},
            {"inlined", Json::array()},
            {"file", nullptr},
            {"line", nullptr}};
  for (const std::string& callee : function.inlined)
    json["inlined"].push_back(short_name(callee));
  if (function.place) {
    json["file"] = function.place->file;
    json["line"] = function.place->line;
  }
  return json;
}

Json checked_metric_json(const CheckedMetric& metric) {
  Json json = metric_json(metric, pairs_of(metric));
  json["confirmed"] = metric.confirmed ? Json(*metric.confirmed) : Json();
  return json;
}

Json benchmark_json(const CheckedBenchmark& benchmark) {
  Json json{{"benchmark", benchmark.name},
            {"verdict", name(benchmark.verdict)},
            {"treatment", name(benchmark.treatment)},
            {"prediction",
             {{"probability", benchmark.probability},
              {"basis", benchmark.basis},
              {"reasons", benchmark.reasons}}},
            {"metrics", Json::array()},
            {"why", benchmark.why},
            {"functions", Json::array()},
            {"tree", benchmark.tree ? tree_json(*benchmark.tree) : Json()},
            {"log", benchmark.log}};
  for (const CheckedMetric& metric : benchmark.metrics)
    json["metrics"].push_back(checked_metric_json(metric));
  for (const ChangedFunction& function : benchmark.functions)
    json["functions"].push_back(function_json(function));
  return json;
}

} // namespace

std::string check_json(const CheckedCommit& checked, const std::string& version) {
  Json document = new_document("check", version);
  document["project"] = checked.project;
  document["machine"] = machine_json(checked.machine);
  document["old"] = built_json(checked.base);
  document["new"] = built_json(checked.commit);
  document["status"] = exit_status(checked);
  document["sentence"] = check_sentence(checked);
  document["budget_seconds"] = checked.budget;
  document["seconds"] = times_json(checked.times);
  document["pairs_measured"] = checked.pairs_measured;
  document["pairs_remembered"] = checked.pairs_kept;
  document["complete"] = checked.complete;
  document["notes"] = checked.notes;
  document["predictions"] = record_json(checked.record);
  document["benchmarks"] = Json::array();
  for (const CheckedBenchmark* benchmark : weightiest_first(checked))
    document["benchmarks"].push_back(benchmark_json(*benchmark));
  return to_text(document);
}

} // namespace dragnet::report
