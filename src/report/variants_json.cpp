#include "analysis/variants/answer.h"
#include "analysis/variants/finding.h"
#include "base/json.h"
#include "model/configuration.h"
#include "model/verdict.h"
#include "report/documents.h"
#include "report/variants.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace dragnet::report {
namespace {

using variants::ChangePoint;
using variants::Disagreement;
using variants::Finding;

Json commit_json(const Finding& found, std::size_t commit) {
  return {{"position", commit},
          {"commit", found.commits[commit].id},
          {"subject", found.commits[commit].subject}};
}

Json names(const Finding& found, const std::vector<std::size_t>& options) {
  Json list = Json::array();
  for (const std::size_t option : options)
    list.push_back(found.space.options[option]);
  return list;
}

Json configuration_json(const Finding& found, const Configuration& configuration) {
  std::vector<std::size_t> on;
  for (std::size_t option = 0; option < configuration.size(); ++option)
    if (configuration.on(option))
      on.push_back(option);
  return names(found, on);
}

Json change_json(const Finding& found, const ChangePoint& change) {
  Json json{
      {"commits", Json::array()},
      {"condition", found.condition(change.condition)},
      {"on", names(found, change.condition.on)},
      {"off", names(found, change.condition.off)},
      {"change",
       {{"estimate", change.change}, {"low", change.interval.low}, {"high", change.interval.high}}},
      {"worse", found.worse(change)},
      {"shown_by", configuration_json(found, change.shown_by)},
      {"probability", change.probability()},
      {"commit_probability", change.commit_probability},
      {"condition_probability", change.condition_probability},
      {"options", Json::array()}};
  for (std::size_t commit = change.after + 1; commit <= change.commit; ++commit)
    json["commits"].push_back(commit_json(found, commit));
  for (const variants::OptionProbability& option : change.options)
    json["options"].push_back({{"option", found.space.options[option.literal.option]},
                               {"on", option.literal.on},
                               {"probability", option.probability}});
  return json;
}

Json disagreement_json(const Disagreement& one) {
  return {{"sentence", disagreement_sentence(one)},
          {"kind", one.kind == Disagreement::Kind::Refused ? "refused" : "accepted"},
          {"constraint", one.constraint},
          {"example", one.example},
          {"configurations", one.configurations},
          {"said", one.said}};
}

// What was searched, what came out, and what it took.
void add_search(Json& document, const Finding& found) {
  document["benchmark"] = found.benchmark;
  document["metric"] = found.metric.name;
  document["unit"] = found.metric.unit;
  document["better"] = found.metric.better == Better::Lower ? "lower" : "higher";
  document["measured"] = found.measured;
  document["status"] = variants::exit_status(found);
  document["sentence"] = variants_sentence(found);
  document["advice"] = variants_advice(found);
  document["threshold"] = found.rule.threshold;
  document["commits"] = found.commits.size();
  document["options"] = found.space.options;
  document["done_probability"] = found.answer.done;
  document["noise"] = found.answer.noise;
  document["effort"] = {{"measurements", found.answer.measurements},
                        {"cells", found.answer.cells},
                        {"configurations", found.answer.configurations},
                        {"builds", found.effort.builds},
                        {"seconds", found.effort.seconds},
                        {"budget_spent", found.effort.budget_spent}};
}

// The configurations, the commits at which any was measured, and the cells, which name both by
// number.
void add_cells(Json& document, const Finding& found) {
  std::set<std::size_t> visited;
  document["configurations"] = Json::array();
  document["cells"] = Json::array();
  for (const variants::MeasuredRow& row : found.answer.rows) {
    const std::size_t number = document["configurations"].size();
    document["configurations"].push_back(configuration_json(found, row.configuration));
    for (const variants::MeasuredCell& cell : row.cells) {
      visited.insert(cell.commit);
      document["cells"].push_back({{"configuration", number},
                                   {"position", cell.commit},
                                   {"value", cell.mean},
                                   {"runs", cell.count}});
    }
  }
  document["visited"] = Json::array();
  for (const std::size_t commit : visited)
    document["visited"].push_back(commit_json(found, commit));
}

} // namespace

std::string variants_json(const Finding& found, const std::string& project,
                          const std::string& version) {
  Json document = new_document("variants", version);
  document["project"] = project;
  add_search(document, found);
  document["changes"] = Json::array();
  for (const ChangePoint& change : found.answer.changes)
    document["changes"].push_back(change_json(found, change));
  document["disagreements"] = Json::array();
  for (const Disagreement& one : found.disagreements)
    document["disagreements"].push_back(disagreement_json(one));
  document["not_built"] = Json::array();
  for (const std::size_t commit : found.answer.broken)
    document["not_built"].push_back(commit_json(found, commit));
  document["notes"] = found.notes;
  add_cells(document, found);
  return to_text(document);
}

} // namespace dragnet::report
