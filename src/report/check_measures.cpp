// The new side's values in the forms of services that keep a history of benchmarks.
#include "report/check.h"

#include "base/json.h"
#include "model/check.h"
#include "model/metric.h"
#include "model/verdict.h"
#include "report/check_outcome.h"
#include "report/escape.h"
#include "report/summary.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <string>

namespace dragnet::report {
namespace {

constexpr double nanoseconds = 1e9;
constexpr std::size_t longest_name = 1024; // what Bencher takes
constexpr std::size_t longest_slug = 64;

// Bencher knows wall time as latency, in nanoseconds.
std::string measure_of(const Metric& metric) {
  if (metric.name == "wall")
    return "latency";
  std::string slug;
  for (const char c : metric.name) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (word || (c >= 'A' && c <= 'Z'))
      slug += word ? c : static_cast<char>(c - 'A' + 'a');
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  }
  slug.resize(std::min(slug.size(), longest_slug));
  while (slug.ends_with('-'))
    slug.pop_back();
  return slug.empty() ? "metric" : slug;
}

// Times are in nanoseconds, because that is the unit of Bencher's latency.
double scale_of(const Metric& metric) {
  return metric.unit == "s" ? nanoseconds : 1;
}

std::string unit_of(const Metric& metric) {
  if (metric.unit == "s")
    return "ns";
  return metric.unit.empty() ? "count" : plain(metric.unit);
}

bool has_values(const CheckedMetric& metric) {
  return !metric.new_values.empty() && std::isfinite(summarise(metric.new_values).median);
}

std::string name_of(const CheckedBenchmark& benchmark) {
  return shortened(plain(benchmark.name), longest_name);
}

Json benchmark_action_json(const CheckedBenchmark& benchmark, const CheckedMetric& metric) {
  const Summary summary = summarise(metric.new_values);
  const double scale = scale_of(metric.metric);
  return {{"name", fmt::format("{} ({})", name_of(benchmark), plain(metric.metric.name))},
          {"unit", unit_of(metric.metric)},
          {"value", scale * summary.median},
          {"range", fmt::format("± {:.6g}", scale * (summary.high - summary.low) / 2)},
          {"extra", fmt::format("{}; {}", name(metric.verdict), metric_text(metric))}};
}

} // namespace

std::string check_bencher(const CheckedCommit& checked) {
  Json document = Json::object();
  for (const CheckedBenchmark* benchmark : weightiest_first(checked))
    for (const CheckedMetric& metric : benchmark->metrics) {
      if (!has_values(metric))
        continue;
      const Summary summary = summarise(metric.new_values);
      const double scale = scale_of(metric.metric);
      document[name_of(*benchmark)][measure_of(metric.metric)] = {
          {"value", scale * summary.median},
          {"lower_value", scale * summary.low},
          {"upper_value", scale * summary.high}};
    }
  return to_text(document);
}

std::string check_github_benchmark(const CheckedCommit& checked) {
  Json document = Json::array();
  for (const CheckedBenchmark* benchmark : weightiest_first(checked))
    for (const CheckedMetric& metric : benchmark->metrics)
      if (has_values(metric) && metric.metric.better == Better::Lower)
        document.push_back(benchmark_action_json(*benchmark, metric));
  return to_text(document);
}

} // namespace dragnet::report
