#include "report/ranking.h"

#include "base/function_name.h"
#include "base/json.h"
#include "model/ranking.h"
#include "report/documents.h"
#include "report/table.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <string>

namespace dragnet::report {
namespace {

std::string percent(double share) {
  if (!std::isfinite(share))
    return "from nothing";
  return fmt::format("{:+.1f} %", 100 * share);
}

std::string estimate_of(const RankedTest& test) {
  if (!test.reached)
    return "none";
  return std::abs(test.share) < 0.0005 ? "~" : percent(test.share);
}

std::string main_origin(const RankedTest& test) {
  if (!test.reached)
    return "executes nothing that the commit changed";
  return test.origins.empty() ? "" : short_name(test.origins.front().function);
}

std::string summary(const RankedCommit& ranked) {
  const auto reached = std::ranges::count_if(ranked.ranking.tests, &RankedTest::reached);
  std::string text = fmt::format(
      "{} of {} tests execute what {} ({}) changed: {} functions added, {} revised, {} removed.\n",
      reached, ranked.ranking.tests.size(), ranked.commit.id.brief(), ranked.commit.subject,
      ranked.ranking.added, ranked.ranking.revised, ranked.ranking.removed);
  for (const std::string& warning : ranked.ranking.warnings)
    text += fmt::format("warning: {}\n", warning);
  return text + "\n";
}

std::string way(const RankedTest& test) {
  std::string text;
  for (const RankedStep& step : test.path)
    text += text.empty()
                ? short_name(step.function)
                : fmt::format(" -> {:.4g} x {}", step.frequency, short_name(step.function));
  return text;
}

std::string all_reasons(const Ranking& ranking) {
  std::string text;
  for (const RankedTest& test : ranking.tests) {
    if (!test.reached)
      continue;
    text += fmt::format("\n{}: {}\n", test.name, estimate_of(test));
    if (!test.path.empty())
      text += fmt::format("  {}\n", way(test));
    for (const RankedOrigin& origin : test.origins)
      text += fmt::format("  {} in {}\n", percent(origin.share), short_name(origin.function));
  }
  return text;
}

Json test_json(const RankedTest& test) {
  Json json{{"test", test.name},
            {"reached", test.reached},
            {"change", std::isfinite(test.share) ? Json(test.share) : Json()},
            {"path", Json::array()},
            {"origins", Json::array()}};
  for (const RankedStep& step : test.path)
    json["path"].push_back({{"function", demangled(step.function)}, {"frequency", step.frequency}});
  for (const RankedOrigin& origin : test.origins)
    json["origins"].push_back({{"function", demangled(origin.function)}, {"change", origin.share}});
  return json;
}

} // namespace

std::string ranking_text(const RankedCommit& ranked, Reasons reasons, bool colours) {
  std::string text = summary(ranked);
  Table table({{"", Align::Right}, {"test"}, {"estimated change", Align::Right}, {"where"}});
  std::size_t place = 0;
  for (const RankedTest& test : ranked.ranking.tests)
    table.add({{std::to_string(++place)},
               {test.name, test.reached ? Colour::Bold : Colour::Faint},
               {estimate_of(test)},
               {main_origin(test)}});
  text += table.text(colours);
  return reasons == Reasons::All ? text + all_reasons(ranked.ranking) : text;
}

std::string ranking_json(const RankedCommit& ranked, const std::string& version) {
  Json document = new_document("ranking", version);
  document["project"] = ranked.project;
  document["commit"] = ranked.commit.id.text;
  document["base"] = ranked.base.id.text;
  document["method"] = ranked.method;
  document["functions"] = {{"added", ranked.ranking.added},
                           {"revised", ranked.ranking.revised},
                           {"removed", ranked.ranking.removed}};
  document["warnings"] = ranked.ranking.warnings;
  document["tests"] = Json::array();
  for (const RankedTest& test : ranked.ranking.tests)
    document["tests"].push_back(test_json(test));
  return to_text(document);
}

} // namespace dragnet::report
