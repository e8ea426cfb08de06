#include "report/metric_json.h"

#include "base/json.h"
#include "model/check.h"
#include "model/run.h"
#include "model/verdict.h"
#include "report/summary.h"

#include <cstddef>
#include <vector>

namespace dragnet::report {
namespace {

Json values_json(const std::vector<double>& values) {
  const Summary summary = summarise(values);
  return {{"median", summary.median},
          {"low", summary.low},
          {"high", summary.high},
          {"samples", values}};
}

} // namespace

Json metric_json(const CheckedMetric& metric, std::size_t pairs) {
  Json json{{"metric", metric.metric.name},
            {"unit", metric.metric.unit},
            {"better", metric.metric.better == Better::Lower ? "lower" : "higher"},
            {"method", name(metric.method)},
            {"verdict", name(metric.verdict)},
            {"rule", metric.rule},
            {"smallest_effect", metric.smallest_effect},
            {"pairs", pairs},
            {"old", values_json(metric.old_values)},
            {"new", values_json(metric.new_values)}};
  if (pairs > 0)
    json["change"] = {{"estimate", metric.change},
                      {"low", metric.low},
                      {"high", metric.high},
                      {"exact", metric.exact},
                      {"p_value", metric.p_value}};
  return json;
}

Json side_json(const Build& build) {
  return {{"commit", build.commit.id.text},
          {"subject", build.commit.subject},
          {"time", build.commit.time},
          {"build", build.key}};
}

} // namespace dragnet::report
