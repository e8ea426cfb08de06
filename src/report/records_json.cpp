#include "base/json.h"
#include "model/record.h"
#include "model/run.h"
#include "report/documents.h"
#include "report/records.h"
#include <span>

namespace dragnet::report {
namespace {

Json run_json(const Record& record) {
  Json json{{"run", record.run.id},
            {"commit", record.build.commit.id.text},
            {"benchmark", record.benchmark.name},
            {"definition", record.benchmark.key},
            {"command", record.benchmark.command},
            {"build", record.build.key},
            {"variant", record.build.variant},
            {"method", name(record.method)},
            {"machine", record.machine.key},
            {"host", record.machine.host_name},
            {"started_ms", record.run.started},
            {"outcome", name(record.run.outcome)},
            {"status", record.run.status},
            {"samples", record.run.samples}};
  if (!record.run.log.empty())
    json["log"] = record.run.log;
  return json;
}

Json runs_array(std::span<const Record> records) {
  Json runs = Json::array();
  for (const auto& record : records)
    runs.push_back(run_json(record));
  return runs;
}

} // namespace

std::string knowledge_json(const Knowledge& knowledge, const std::string& version) {
  Json document = new_document("commit", version);
  document["project"] = knowledge.project;
  document["commit"] = knowledge.commit.id.text;
  document["subject"] = knowledge.commit.subject;
  document["time"] = knowledge.commit.time;
  document["runs"] = runs_array(knowledge.records);
  return to_text(document);
}

std::string runs_json(std::span<const Record> records, const std::string& project,
                      const std::string& version) {
  Json document = new_document("runs", version);
  document["project"] = project;
  document["runs"] = runs_array(records);
  return to_text(document);
}

} // namespace dragnet::report
