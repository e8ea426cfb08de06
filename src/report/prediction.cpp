#include "report/prediction.h"
#include "analysis/select/reasons.h"
#include "analysis/select/select.h"
#include "base/json.h"
#include "report/documents.h"
#include "report/table.h"

#include <algorithm>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

using select::Basis;
using select::Choice;
using select::Decision;

bool runs(const PredictedRow& row) {
  return row.decision.choice == Choice::Run;
}

std::string advice(const Decision& decision) {
  if (decision.audited)
    return "audit";
  return decision.choice == Choice::Run ? "run" : "skip";
}

Colour colour_of(const Decision& decision) {
  return decision.choice == Choice::Skip ? Colour::Faint : Colour::Bold;
}

std::string summary(const PredictedCommit& predicted) {
  const auto running = std::ranges::count_if(predicted.rows, runs);
  std::string text =
      fmt::format("Run {} of {} benchmarks for {} ({}).\n", running, predicted.rows.size(),
                  predicted.commit.id.brief(), predicted.commit.subject);
  if (!predicted.trained)
    text +=
        "Untrained: everything that executes changed code is run. dragnet train COMMITS teaches "
        "it what is harmless.\n";
  return text + "\n";
}

std::string chance(const PredictedRow& row) {
  return row.decision.basis == Basis::Learned
             ? fmt::format("{:.1f} %", 100 * row.decision.probability)
             : "";
}

// What decided; that nothing is trained is said once, above.
std::string main_reason(const Decision& decision) {
  for (const select::Reason& reason : decision.reasons)
    if (reason.kind != select::ReasonKind::Untrained)
      return select::sentence(reason);
  return decision.reasons.empty() ? "" : select::sentence(decision.reasons.front());
}

std::string all_reasons(const PredictedCommit& predicted) {
  std::string text;
  for (const PredictedRow& row : predicted.rows) {
    text += fmt::format("\n{}: {}", row.decision.benchmark, advice(row.decision));
    if (row.base)
      text += fmt::format(", compared with {} ({} commit{} before)", row.base->id.brief(), row.hops,
                          row.hops == 1 ? "" : "s");
    text += "\n";
    for (const select::Reason& reason : row.decision.reasons)
      text += fmt::format("  {}\n", select::sentence(reason));
  }
  return text;
}

Json reason_json(const select::Reason& reason) {
  return {{"kind", select::name(reason.kind)},
          {"subject", reason.subject},
          {"share", reason.share},
          {"limit", reason.limit},
          {"count", reason.count},
          {"sentence", select::sentence(reason)}};
}

Json row_json(const PredictedRow& row) {
  Json json{{"benchmark", row.decision.benchmark},
            {"advice", advice(row.decision)},
            {"probability", row.decision.probability},
            {"basis", name(row.decision.basis)},
            {"hops", row.hops},
            {"reasons", Json::array()}};
  json["base"] = row.base ? Json(row.base->id.text) : Json();
  for (const select::Reason& reason : row.decision.reasons)
    json["reasons"].push_back(reason_json(reason));
  return json;
}

} // namespace

std::string prediction_text(const PredictedCommit& predicted, Detail detail, bool colours) {
  std::string text = summary(predicted);
  Table table({{"benchmark"}, {"advice"}, {"probability", Align::Right}, {"why"}});
  for (const PredictedRow& row : predicted.rows)
    table.add({{row.decision.benchmark},
               {advice(row.decision), colour_of(row.decision)},
               {chance(row)},
               {main_reason(row.decision)}});
  text += table.text(colours);
  return detail == Detail::Why ? text + all_reasons(predicted) : text;
}

std::string prediction_json(const PredictedCommit& predicted, const std::string& version) {
  Json document = new_document("prediction", version);
  document["project"] = predicted.project;
  document["commit"] = predicted.commit.id.text;
  document["subject"] = predicted.commit.subject;
  document["method"] = predicted.method;
  document["trained"] = predicted.trained;
  document["benchmarks"] = Json::array();
  for (const PredictedRow& row : predicted.rows)
    document["benchmarks"].push_back(row_json(row));
  return to_text(document);
}

} // namespace dragnet::report
