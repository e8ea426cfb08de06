#include "analysis/change_points/detector.h"
#include "analysis/change_points/timeline.h"
#include "base/json.h"
#include "model/verdict.h"
#include "report/documents.h"
#include "report/timeline.h"
#include "report/timeline_series.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <string>

namespace dragnet::report {
namespace {

using change_points::Change;
using change_points::Nature;
using change_points::Series;
using change_points::Timeline;

// JSON has no infinity: a change from 0 has no relative size.
Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json gaps_json(const Timeline& timeline, const std::map<std::size_t, std::string>& gaps) {
  Json json = Json::array();
  for (const auto& [position, why] : gaps)
    json.push_back(
        {{"position", position}, {"commit", timeline.commits[position].id.text}, {"why", why}});
  return json;
}

Json change_json(const Timeline& timeline, const Series& series, const Change& change) {
  const std::size_t at = series.points[change.index].position;
  Json json{{"position", at},
            {"commit", timeline.commits[at].id.text},
            {"subject", timeline.commits[at].subject},
            {"before", change.before},
            {"after", change.after},
            {"size",
             {{"estimate", finite(change.size)},
              {"low", finite(change.interval.low)},
              {"high", finite(change.interval.high)}}},
            {"p_value", change.p_value},
            {"worse", is_worse(series, change)},
            {"equally", Json::array()}};
  for (std::size_t i = change.first_position; i <= change.last_position; ++i)
    json["equally"].push_back(timeline.commits[i].id.text);
  return json;
}

} // namespace

Json series_json(const Timeline& timeline, const Series& series) {
  Json json{{"benchmark", series.benchmark},
            {"metric", series.metric.name},
            {"unit", series.metric.unit},
            {"better", series.metric.better == Better::Lower ? "lower" : "higher"},
            {"source", series.source},
            {"exact", series.nature == Nature::Exact},
            {"smallest_effect", series.smallest_effect},
            {"points", Json::array()},
            {"gaps", gaps_json(timeline, series.gaps)},
            {"changes", Json::array()}};
  for (const auto& point : series.points)
    json["points"].push_back({{"position", point.position},
                              {"commit", timeline.commits[point.position].id.text},
                              {"value", point.value},
                              {"runs", point.runs},
                              {"deviation", point.deviation}});
  for (const Change& change : series.changes)
    json["changes"].push_back(change_json(timeline, series, change));
  return json;
}

std::string timeline_json(const Timeline& timeline, const TimelineHeading& heading) {
  Json document = new_document("history", heading.version);
  document["project"] = heading.project;
  document["order"] = timeline.order;
  document["from"] = timeline.commits.front().id.text;
  document["to"] = timeline.commits.back().id.text;
  document["commits"] = timeline.commits.size();
  document["visited"] = timeline.visited;
  document["builds"] = timeline.builds;
  document["runs_measured"] = timeline.runs;
  document["runs_remembered"] = timeline.runs_kept;
  document["seconds"] = timeline.seconds;
  document["budget_seconds"] = timeline.budget.count();
  document["budget_spent"] = timeline.budget_spent;
  document["complete"] = !timeline.stopped_by.has_value();
  document["status"] = change_points::exit_status(timeline);
  document["gaps"] = gaps_json(timeline, timeline.gaps);
  document["series"] = Json::array();
  for (const Series& series : timeline.series)
    document["series"].push_back(series_json(timeline, series));
  return to_text(document);
}

} // namespace dragnet::report
