#include "analysis/explain/change_test.h"
#include "analysis/explain/matching.h"
#include "analysis/explain/run_report.h"
#include "analysis/explain/similarity.h"
#include "analysis/explain/spectrum.h"
#include "analysis/explain/watched.h"
#include "base/function_name.h"
#include "base/json.h"
#include "model/commit.h"
#include "model/run.h"
#include "model/stacks.h"
#include "report/documents.h"
#include "report/escape.h"
#include "report/explanation.h"
#include "report/stack_wording.h"
#include "report/tree_json.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dragnet::report {
namespace {

Json commit_json(const Commit& commit) {
  return {{"commit", commit.id.text}, {"subject", commit.subject}, {"time", commit.time}};
}

Json frames_json(const std::vector<StackFrame>& frames) {
  Json json = Json::array();
  for (const StackFrame& frame : frames)
    json.push_back({{"function", frame.function.name},
                    {"demangled", demangled(frame.function.name)},
                    {"binary", frame.function.binary},
                    {"file", frame.place ? Json(frame.place->file) : Json()},
                    {"line", frame.place ? Json(frame.place->line) : Json()},
                    {"inlined", frame.inlined}});
  return json;
}

Json use_json(const explain::RunUse& use) {
  return {{"amount", use.amount}, {"calls", use.calls}, {"per_call", use.per_call()}};
}

Json change_json(const explain::Change& change) {
  return {{"old", change.before},      {"new", change.now},     {"share", change.share},
          {"p_value", change.p_value}, {"exact", change.exact}, {"counts", change.counts}};
}

Json row_json(const explain::SimilarityRow& row) {
  const explain::Spectrum& spectrum = row.spectrum;
  Json json{{"metric", row.metric},
            {"unit", stack_unit(row.metric)},
            {"similarity", row.similarity},
            {"finding", row.told},
            {"calls", spectrum.calls},
            {"calls_difference", spectrum.calls_difference},
            {"impact", spectrum.impact},
            {"total_impact", spectrum.total_impact},
            {"range", Json()},
            {"published_similarity", spectrum.similarity},
            {"runs", spectrum.runs},
            {"of_runs", spectrum.of},
            {"old", use_json(row.before)},
            {"new", use_json(row.now)},
            {"changes",
             {{"amount", change_json(row.judgement.amount)},
              {"calls", change_json(row.judgement.calls)},
              {"per_call", change_json(row.judgement.per_call)}}},
            {"effect", row.judgement.effect},
            {"cause", row.cause ? Json(*row.cause) : Json()},
            {"match", name(row.likeness)},
            {"stack", frames_json(row.frames)},
            {"old_stack", frames_json(row.old_frames)},
            {"files", Json::array()}};
  if (spectrum.range)
    json["range"] = {{"low", spectrum.range->low}, {"high", spectrum.range->high}};
  for (const explain::FileUse& file : row.files)
    json["files"].push_back({{"file", file.file}, {"old", file.before}, {"new", file.now}});
  return json;
}

Json unfinished_json(const std::vector<explain::UnfinishedRun>& runs) {
  constexpr std::size_t lines_of_log = 20;
  Json json = Json::array();
  for (const explain::UnfinishedRun& run : runs)
    json.push_back({{"commit", run.commit.text},
                    {"run", run.number},
                    {"outcome", name(run.outcome)},
                    {"status", run.status},
                    {"seconds", run.seconds},
                    {"log", end_of_log(run.log, lines_of_log)}});
  return json;
}

Json cause_json(const explain::Cause& cause) {
  return {{"function", cause.function.name},
          {"demangled", demangled(cause.function.name)},
          {"binary", cause.function.binary},
          {"file", cause.place ? Json(cause.place->file) : Json()},
          {"line", cause.place ? Json(cause.place->line) : Json()},
          {"code_changed", cause.code_changed},
          {"similarity", cause.similarity},
          {"effect", cause.effect},
          {"rows", cause.rows}};
}

Json similarity_json(const explain::SimilarityReport& report, std::size_t most_unchanged) {
  const std::size_t told = findings(report);
  const std::size_t rows = told + std::min(most_unchanged, report.rows.size() - told);
  Json json{{"method", name(report.yardstick)},
            {"old", Json::array()},
            {"new", commit_json(report.candidate)},
            {"old_runs", report.old_runs},
            {"new_runs", report.new_runs},
            {"old_seconds", report.old_seconds},
            {"new_seconds", report.new_seconds},
            {"findings", told},
            {"conclusive", report.conclusive},
            {"rows_in_all", report.rows.size()},
            {"totals", Json::array()},
            {"causes", Json::array()},
            {"rows", Json::array()},
            {"unfinished", unfinished_json(report.unfinished)},
            {"notes", report.notes}};
  for (const Commit& base : report.bases)
    json["old"].push_back(commit_json(base));
  for (const auto& [metric, total] : report.totals)
    json["totals"].push_back({{"metric", metric},
                              {"unit", stack_unit(metric)},
                              {"old", use_json(total.before)},
                              {"new", use_json(total.now)}});
  for (const explain::Cause& cause : report.causes)
    json["causes"].push_back(cause_json(cause));
  for (std::size_t i = 0; i < rows; ++i)
    json["rows"].push_back(row_json(report.rows[i]));
  return json;
}

Json totals_json(const std::vector<explain::StackTotal>& stacks) {
  Json json = Json::array();
  for (const explain::StackTotal& one : stacks) {
    Json entry = use_json(one.use);
    entry["runs"] = one.runs;
    entry["stack"] = frames_json(one.frames);
    json.push_back(std::move(entry));
  }
  return json;
}

Json metric_report_json(const explain::MetricReport& report) {
  Json json{{"metric", report.metric},
            {"unit", stack_unit(report.metric)},
            {"total", use_json(report.total)},
            {"accounted", report.accounted ? Json(*report.accounted) : Json()},
            {"stacks", report.stacks},
            {"most", totals_json(report.most)},
            {"most_per_call", totals_json(report.most_per_call)},
            {"files", Json::array()}};
  for (const explain::FileTotal& one : report.files) {
    Json entry = use_json(one.use);
    entry["file"] = one.file;
    json["files"].push_back(std::move(entry));
  }
  return json;
}

Json runs_json(const explain::RunReport& report) {
  Json json = commit_json(report.commit);
  json["runs"] = report.runs;
  json["seconds"] = report.seconds;
  json["lost"] = report.lost;
  json["notes"] = report.notes;
  json["unfinished"] = unfinished_json(report.unfinished);
  json["metrics"] = Json::array();
  for (const explain::MetricReport& metric : report.metrics)
    json["metrics"].push_back(metric_report_json(metric));
  return json;
}

Json point_json(const explain::OverviewPoint& point) {
  Json json = commit_json(point.commit);
  json["runs"] = point.runs;
  json["mean"] = use_json(point.mean);
  json["low"] = point.low;
  json["high"] = point.high;
  json["unfinished"] = point.unfinished;
  json["findings"] = point.findings;
  json["first"] = point.first ? row_json(*point.first) : Json();
  json["compared_with"] = Json::array();
  for (const CommitId& base : point.compared_with)
    json["compared_with"].push_back(base.text);
  return json;
}

Json overview_json(const explain::Overview& overview) {
  Json json{{"metric", overview.metric},
            {"unit", stack_unit(overview.metric)},
            {"method", name(overview.yardstick)},
            {"points", Json::array()}};
  for (const explain::OverviewPoint& point : overview.points)
    json["points"].push_back(point_json(point));
  return json;
}

Json hunks_json(const std::vector<SourceHunk>& hunks) {
  Json json = Json::array();
  for (const SourceHunk& hunk : hunks)
    json.push_back(
        {{"function", hunk.function.name}, {"binary", hunk.function.binary}, {"text", hunk.text}});
  return json;
}

Json trees_json(const std::vector<ExplainedTree>& trees) {
  Json json = Json::array();
  for (const ExplainedTree& one : trees) {
    const bool amounts = one.quantity == explain::Quantity::Amount;
    json.push_back({{"metric", one.metric},
                    {"quantity", amounts ? "amount" : "calls"},
                    {"unit", amounts ? stack_unit(one.metric) : ""},
                    {"tree", tree_json(one.root)}});
  }
  return json;
}

// A range has many steps, and most rows of each tell that nothing changed.
constexpr std::size_t most_unchanged_in_step = 20;

Json step_json(const ExplainedStep& step, std::size_t most_unchanged) {
  const std::size_t most = std::min(most_unchanged, most_unchanged_in_step);
  return {{"commit", step.commit.text},
          {"similarity", step.similarity ? similarity_json(*step.similarity, most) : Json()},
          {"runs", step.runs ? runs_json(*step.runs) : Json()},
          {"hunks", hunks_json(step.hunks)},
          {"trees", trees_json(step.trees)}};
}

Json benchmark_json(const ExplainedBenchmark& one, std::size_t most_unchanged) {
  Json json{
      {"benchmark", one.benchmark},
      {"similarity", one.similarity ? similarity_json(*one.similarity, most_unchanged) : Json()},
      {"runs", one.runs ? runs_json(*one.runs) : Json()},
      {"overview", one.overview ? overview_json(*one.overview) : Json()},
      {"hunks", hunks_json(one.hunks)},
      {"trees", trees_json(one.trees)},
      {"steps", Json::array()}};
  for (const ExplainedStep& step : one.steps)
    json["steps"].push_back(step_json(step, most_unchanged));
  return json;
}

// Whole lines, as many as fit.
std::string_view beginning_of(std::string_view text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, text.rfind('\n', most - 1) + 1);
}

Json diff_json(const SourceDiff& diff) {
  constexpr std::size_t most_bytes = 200'000;
  const std::string_view text = beginning_of(diff.text, most_bytes);
  return {{"old", diff.before.text},
          {"new", diff.now.text},
          {"text", text},
          {"left_out", diff.text.size() - text.size()}};
}

Json document_of(const Explanation& explanation, std::size_t most_unchanged) {
  Json document = new_document("explanation", explanation.version);
  document["project"] = explanation.project;
  document["notes"] = explanation.notes;
  document["benchmarks"] = Json::array();
  for (const ExplainedBenchmark& one : explanation.benchmarks)
    document["benchmarks"].push_back(benchmark_json(one, most_unchanged));
  document["diffs"] = Json::array();
  for (const SourceDiff& diff : explanation.diffs)
    document["diffs"].push_back(diff_json(diff));
  return document;
}

// The frames of all stacks of a document, each once: most stacks have most of their frames in
// common.
class FrameTable {
public:
  // Puts numbers in the place of frames, in all that the value holds.
  void take_from(Json& value) {
    if (value.is_array())
      for (Json& each : value)
        take_from(each);
    if (value.is_object())
      for (auto& [key, each] : value.get_ref<Json::object_t&>())
        take_member(key, each);
  }

  Json frames() && { return std::move(frames_); }

private:
  void take_member(const std::string& key, Json& value) {
    if (key == "stack" || key == "old_stack")
      take_stack(value);
    else
      take_from(value);
  }

  void take_stack(Json& stack) {
    for (Json& frame : stack) {
      const auto [at, is_new] = numbers_.try_emplace(to_text(frame), frames_.size());
      if (is_new)
        frames_.push_back(std::move(frame));
      frame = at->second;
    }
  }

  std::unordered_map<std::string, std::size_t> numbers_;
  Json frames_ = Json::array();
};

} // namespace

std::string explanation_json(const Explanation& explanation) {
  return to_text(document_of(explanation, std::numeric_limits<std::size_t>::max()));
}

std::string explanation_for_page(const Explanation& explanation, std::size_t most_unchanged) {
  Json document = document_of(explanation, most_unchanged);
  FrameTable table;
  table.take_from(document["benchmarks"]);
  document["frames"] = std::move(table).frames();
  return to_text(document);
}

} // namespace dragnet::report
