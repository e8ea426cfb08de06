// A result has one location, that of the changed function which explains most; the others are
// related, because mending one of them may be enough, and because readers show the first only.
// What was exonerated is a suppressed result, not an informational one: the numbers did move, the
// reason to accept that can be checked, and readers hide what is suppressed.
#include "report/check.h"

#include "base/function_name.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "model/check.h"
#include "model/verdict.h"
#include "report/check_outcome.h"
#include "report/escape.h"
#include "report/repository_uri.h"
#include "stats/quantiles.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

constexpr std::size_t most_related = 10;
constexpr std::size_t longest_message = 1000;
constexpr std::size_t longest_path = 4096;

struct RuleText {
  Verdict verdict;
  std::string_view name;
  std::string_view level;
  std::string_view brief;
  std::string_view full;
};

constexpr std::array<RuleText, 3> rules{
    {{Verdict::Regressed, "Regressed", "error", "A benchmark got worse.",
      "Paired, interleaved runs of the commit and its base differ by more than noise and more than "
      "the smallest effect that matters. The location is the changed function that explains most "
      "of it."},
     {Verdict::Failed, "Failed", "warning", "A benchmark did not run to its end.",
      "Its runs failed, crashed or took too long, so that nothing can be said about its speed."},
     {Verdict::Exonerated, "Exonerated", "note",
      "A benchmark's numbers moved, but not because of this commit.",
      "Nothing that the commit changed is executed by this benchmark. Its results are "
      "suppressed."}}};

// Something to report: a metric of a benchmark, or a benchmark as a whole.
struct Finding {
  const CheckedBenchmark* benchmark;
  const CheckedMetric* metric;
  Verdict verdict;
};

std::size_t rule_index(Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::find(rules, verdict, &RuleText::verdict) -
                                  rules.begin());
}

// Braces and links have a meaning in messages.
Json message(const std::string& text) {
  std::string safe = replace_all(shortened(plain(text), longest_message), "](", "] (");
  std::ranges::replace(safe, '{', '(');
  std::ranges::replace(safe, '}', ')');
  return {{"text", safe.empty() ? "-" : safe}};
}

Json rule_json(const RuleText& rule) {
  return {{"id", name(rule.verdict)},
          {"name", rule.name},
          {"shortDescription", {{"text", rule.brief}}},
          {"fullDescription", {{"text", rule.full}}},
          {"help", {{"text", rule.full}}},
          {"defaultConfiguration", {{"level", rule.level}}},
          {"properties", {{"tags", Json::array({"performance"})}, {"precision", "high"}}}};
}

Json driver_json(const std::string& version) {
  Json json{{"name", "Dragnet"}, {"version", version}, {"rules", Json::array()}};
  for (const RuleText& rule : rules)
    json["rules"].push_back(rule_json(rule));
  json["notifications"] = Json::array(
      {{{"id", "open"}, {"shortDescription", {{"text", "A benchmark was not decided."}}}}});
  return json;
}

// Where readers can look at a function. A deleted one has no place in the commit, and what lies
// outside of the project none that others have.
const SourcePlace* shown_place(const ChangedFunction& function) {
  if (!function.place || function.change == CodeChange::Deleted)
    return nullptr;
  const std::string& file = function.place->file;
  const bool inside = !file.empty() && file.size() <= longest_path && file.front() != '/' &&
                      !("/" + file + "/").contains("/../");
  return inside ? &*function.place : nullptr;
}

Json physical_json(const std::string& file, std::size_t line) {
  return {{"artifactLocation", {{"uri", path_in_uri(file)}, {"uriBaseId", "SRCROOT"}}},
          {"region", {{"startLine", std::max<std::size_t>(1, line)}}}};
}

Json logical_json(const ChangedFunction& function) {
  const std::string& mangled = function.function.name;
  Json json{{"name", readable(short_name(mangled))},
            {"fullyQualifiedName", shortened(plain(demangled(mangled)), longest_message)},
            {"kind", "function"}};
  // A part of it would name nothing.
  if (mangled.size() <= longest_message)
    json["decoratedName"] = plain(mangled);
  return json;
}

Json location_json(const ChangedFunction& function) {
  Json json = Json::object();
  if (const SourcePlace* place = shown_place(function); place != nullptr)
    json["physicalLocation"] = physical_json(place->file, place->line);
  json["logicalLocations"] = Json::array({logical_json(function)});
  json["message"] = message(function_text(function));
  return json;
}

// Those with a place first, and of these what the commit changed.
std::vector<const ChangedFunction*> by_use(const CheckedBenchmark& benchmark) {
  std::vector<const ChangedFunction*> functions;
  functions.reserve(benchmark.functions.size());
  for (const ChangedFunction& function : benchmark.functions)
    functions.push_back(&function);
  std::ranges::stable_sort(functions, {}, [](const ChangedFunction* function) {
    if (shown_place(*function) == nullptr)
      return 2;
    return function->change == CodeChange::None ? 1 : 0;
  });
  return functions;
}

// Without a place of a function, where the benchmark is described: every project has that file, and
// GitHub refuses a file of results as soon as one of them has no location.
Json described_json() {
  Json json{{"physicalLocation", physical_json("dragnet.toml", 1)}};
  json["message"] = message("where the benchmarks are described; the code behind it is not known");
  return json;
}

void add_locations(const CheckedBenchmark& benchmark, Json& result) {
  const auto functions = by_use(benchmark);
  const bool placed = !functions.empty() && shown_place(*functions.front()) != nullptr;
  result["locations"] =
      Json::array({placed ? location_json(*functions.front()) : described_json()});
  Json related = Json::array();
  for (std::size_t i = placed ? 1 : 0; i < functions.size() && related.size() < most_related; ++i) {
    related.push_back(location_json(*functions[i]));
    related.back()["id"] = related.size();
  }
  if (!related.empty())
    result["relatedLocations"] = related;
}

std::string text_of(const Finding& finding) {
  const std::string benchmark = readable(finding.benchmark->name);
  const std::string reason = main_reason(*finding.benchmark);
  const std::string because = reason.empty() ? "" : ". " + reason;
  if (finding.metric == nullptr)
    return fmt::format("{} {}{}", benchmark, name(finding.verdict), because);
  return fmt::format("{} {}: {} {}{}", benchmark, name(finding.verdict),
                     readable(finding.metric->metric.name), metric_text(*finding.metric), because);
}

// The same for the same benchmark and metric, whichever commit and place; so two benchmarks at one
// line stay two. GitHub looks at the first name only.
Json fingerprints_json(const Finding& finding) {
  KeyMaker maker;
  maker.add("rule", name(finding.verdict)).add("benchmark", finding.benchmark->name);
  if (finding.metric != nullptr)
    maker.add("metric", finding.metric->metric.name);
  const std::string key = maker.key();
  return {{"primaryLocationLineHash", key + ":1"}, {"dragnet/v1", key}};
}

double median_of(const std::vector<double>& values) {
  return values.empty() ? 0 : stats::median(values);
}

Json properties_json(const Finding& finding) {
  Json json{{"benchmark", finding.benchmark->name}, {"verdict", name(finding.verdict)}};
  if (finding.metric == nullptr)
    return json;
  const CheckedMetric& metric = *finding.metric;
  json.update({{"metric", metric.metric.name},
               {"unit", metric.metric.unit},
               {"pairs", pairs_of(metric)},
               {"old", median_of(metric.old_values)},
               {"new", median_of(metric.new_values)},
               {"change", metric.change},
               {"low", metric.low},
               {"high", metric.high},
               {"exact", metric.exact},
               {"pValue", metric.p_value}});
  return json;
}

Json result_json(const Finding& finding) {
  const std::size_t index = rule_index(finding.verdict);
  Json result{{"ruleId", name(finding.verdict)},
              {"ruleIndex", index},
              {"kind", "fail"},
              {"level", rules.at(index).level},
              {"message", message(text_of(finding))}};
  add_locations(*finding.benchmark, result);
  result["partialFingerprints"] = fingerprints_json(finding);
  if (finding.verdict == Verdict::Exonerated)
    result["suppressions"] =
        Json::array({{{"kind", "external"},
                      {"status", "accepted"},
                      {"justification", message(main_reason(*finding.benchmark))["text"]}}});
  result["properties"] = properties_json(finding);
  return result;
}

std::vector<Finding> findings_of(const CheckedBenchmark& benchmark) {
  std::vector<Finding> findings;
  if (benchmark.verdict == Verdict::Failed)
    findings.push_back({&benchmark, nullptr, Verdict::Failed});
  for (const CheckedMetric& metric : benchmark.metrics)
    if (metric.verdict == Verdict::Regressed || metric.verdict == Verdict::Exonerated)
      findings.push_back({&benchmark, &metric, metric.verdict});
  const bool known = rule_index(benchmark.verdict) < rules.size();
  if (known && findings.empty())
    findings.push_back({&benchmark, nullptr, benchmark.verdict});
  return findings;
}

Json notification_json(const CheckedBenchmark& benchmark) {
  const std::string text =
      benchmark.treatment == Treatment::NotReached
          ? fmt::format("not reached: {}", skip_reason(benchmark))
          : fmt::format("{}: {}", name(benchmark.verdict), main_reason(benchmark));
  return {{"descriptor", {{"id", "open"}, {"index", 0}}},
          {"level", "warning"},
          {"message", message(readable(benchmark.name) + " " + text)}};
}

Json invocation_json(const CheckedCommit& checked) {
  Json json{{"executionSuccessful", checked.complete},
            {"exitCode", exit_status(checked)},
            {"exitCodeDescription", check_sentence(checked)},
            {"toolExecutionNotifications", Json::array()}};
  for (const CheckedBenchmark* benchmark : weightiest_first(checked))
    if (is_open(*benchmark))
      json["toolExecutionNotifications"].push_back(notification_json(*benchmark));
  return json;
}

Json run_json(const CheckedCommit& checked, const std::string& version) {
  const std::string project = plain(checked.project);
  Json run{{"tool", {{"driver", driver_json(version)}}},
           {"automationDetails",
            {{"id", fmt::format("dragnet-check/{}/{}", project, checked.commit.commit.id.text)}}},
           {"originalUriBaseIds",
            {{"SRCROOT", {{"description", {{"text", "The root of the repository."}}}}}}},
           {"invocations", Json::array({invocation_json(checked)})},
           {"results", Json::array()}};
  if (const std::string uri = repository_uri(checked.repository); !uri.empty())
    run["versionControlProvenance"] = Json::array({{{"repositoryUri", uri},
                                                    {"revisionId", checked.commit.commit.id.text},
                                                    {"mappedTo", {{"uriBaseId", "SRCROOT"}}}}});
  for (const CheckedBenchmark* benchmark : weightiest_first(checked))
    for (const Finding& finding : findings_of(*benchmark))
      run["results"].push_back(result_json(finding));
  run["properties"] = {{"project", project},
                       {"revisionId", checked.commit.commit.id.text},
                       {"baseRevisionId", checked.base.commit.id.text}};
  return run;
}

} // namespace

std::string check_sarif(const CheckedCommit& checked, const std::string& version) {
  const Json document{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run_json(checked, version)})}};
  return to_text(document);
}

} // namespace dragnet::report
