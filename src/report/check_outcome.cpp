#include "report/check_outcome.h"

#include "base/function_name.h"
#include "base/units.h"
#include "model/check.h"
#include "model/prediction_record.h"
#include "model/verdict.h"
#include "report/escape.h"
#include "report/summary.h"
#include "report/wording.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace dragnet::report {
namespace {

constexpr std::size_t most_explained = 3;
constexpr std::size_t longest_text = 300;

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string_view change_word(CodeChange change) {
  switch (change) {
  case CodeChange::None:
    return "is not changed itself";
  case CodeChange::Data:
    return "has changed data";
  case CodeChange::New:
    return "is new";
  default:
    return name(change);
  }
}

std::string place_text(const ChangedFunction& function) {
  if (!function.place)
    return "";
  return fmt::format(" ({}:{})", readable(function.place->file), function.place->line);
}

std::string calls_text(const ChangedFunction& function) {
  if (function.before.calls == function.now.calls)
    return "";
  return fmt::format(", called {} -> {} times",
                     format_quantity(static_cast<double>(function.before.calls), ""),
                     format_quantity(static_cast<double>(function.now.calls), ""));
}

// The standard library's are everywhere and tell nothing.
std::string inlined_text(const ChangedFunction& function) {
  std::vector<std::string> names;
  for (const std::string& callee : function.inlined)
    if (const std::string shown = short_name(callee);
        !shown.starts_with("std::") && !shown.starts_with("__gnu_cxx::"))
      names.push_back(readable(shown));
  return names.empty() ? "" : fmt::format(" ({} inlined in it)", some(names));
}

double per_call(const FunctionCost& cost) {
  return static_cast<double>(cost.instructions) / static_cast<double>(cost.calls);
}

// A share of next to nothing says less than what a call costs.
std::string cost_text(const ChangedFunction& function) {
  constexpr double small = 0.005;
  const auto& [before, now] = std::tie(function.before, function.now);
  if (std::max(before.share, now.share) < small && before.calls > 0 && now.calls > 0)
    return fmt::format("{} -> {} instructions a call", format_quantity(per_call(before), ""),
                       format_quantity(per_call(now), ""));
  return fmt::format("{} -> {} of the instructions", percent(before.share), percent(now.share));
}

std::string rate_text(const KnownRate& rate) {
  if (rate.cases == 0)
    return "no cases";
  return fmt::format("{:.1f} % ({:.1f} to {:.1f}, n={})",
                     100 * static_cast<double>(rate.good) / static_cast<double>(rate.cases),
                     100 * rate.low, 100 * rate.high, rate.cases);
}

// The rule of the metric that gave the benchmark its verdict.
std::string deciding_rule(const CheckedBenchmark& benchmark) {
  for (const CheckedMetric& metric : benchmark.metrics)
    if (metric.verdict == benchmark.verdict && !metric.rule.empty())
      return fmt::format("{}: {}", metric.metric.name, metric.rule);
  return "";
}

std::string confirmed_text(const CheckedMetric& metric) {
  const std::size_t pairs = pairs_of(metric);
  if (!metric.confirmed || *metric.confirmed >= pairs)
    return "";
  const std::size_t confirming = pairs - *metric.confirmed;
  return confirming == 1 ? ", the last to confirm"
                         : fmt::format(", the last {} to confirm", confirming);
}

void count_rest(std::size_t all, std::string_view of_what, std::vector<std::string>& texts) {
  if (all > most_explained)
    texts.push_back(fmt::format("and {} more {}{}", all - most_explained, of_what,
                                plural(all - most_explained)));
}

} // namespace

BenchmarkList weightiest_first(const CheckedCommit& checked) {
  BenchmarkList list;
  list.reserve(checked.benchmarks.size());
  for (const CheckedBenchmark& benchmark : checked.benchmarks)
    list.push_back(&benchmark);
  std::ranges::stable_sort(
      list, {}, [](const CheckedBenchmark* benchmark) { return weight(benchmark->verdict); });
  return list;
}

BenchmarkList with_verdict(const CheckedCommit& checked, Verdict verdict) {
  BenchmarkList list;
  for (const CheckedBenchmark& benchmark : checked.benchmarks)
    if (benchmark.verdict == verdict)
      list.push_back(&benchmark);
  return list;
}

std::size_t count(const CheckedCommit& checked, Treatment treatment) {
  return static_cast<std::size_t>(
      std::ranges::count(checked.benchmarks, treatment, &CheckedBenchmark::treatment));
}

std::size_t pairs_of(const CheckedMetric& metric) {
  return std::min(metric.old_values.size(), metric.new_values.size());
}

std::string readable(const std::string& text) {
  return shortened(plain(text), longest_text);
}

std::string metric_text(const CheckedMetric& metric) {
  const std::size_t pairs = pairs_of(metric);
  if (pairs == 0)
    return "not measured";
  return fmt::format("{} -> {}, {}, {} pair{}{}",
                     describe(summarise(metric.old_values), metric.metric),
                     describe(summarise(metric.new_values), metric.metric),
                     change_text(metric, pairs), pairs, plural(pairs), confirmed_text(metric));
}

std::string function_text(const ChangedFunction& function) {
  constexpr double telling = 0.0005;
  const std::string explains = std::abs(function.explains) < telling
                                   ? ""
                                   : fmt::format(", explains {}", format_change(function.explains));
  return fmt::format("{}{} {}{}: {}{}{}", readable(short_name(function.function.name)),
                     place_text(function), change_word(function.change), inlined_text(function),
                     cost_text(function), calls_text(function), explains);
}

std::string main_reason(const CheckedBenchmark& benchmark) {
  if (!benchmark.why.empty())
    return readable(benchmark.why.front());
  const std::string rule = deciding_rule(benchmark);
  if (!rule.empty())
    return readable(rule);
  return benchmark.reasons.empty() ? "" : readable(benchmark.reasons.front());
}

std::string skip_reason(const CheckedBenchmark& benchmark) {
  const std::string predicted =
      benchmark.reasons.empty() ? "" : readable(benchmark.reasons.front());
  if (benchmark.treatment != Treatment::NotReached)
    return predicted.empty() ? "no reason is known" : predicted;
  return "the budget was spent before" + (predicted.empty() ? "" : "; " + predicted);
}

std::vector<std::string> explanation(const CheckedBenchmark& benchmark) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(most_explained, benchmark.why.size()); ++i)
    texts.push_back(readable(benchmark.why[i]));
  count_rest(benchmark.why.size(), "reason", texts);
  for (std::size_t i = 0; i < std::min(most_explained, benchmark.functions.size()); ++i)
    texts.push_back(function_text(benchmark.functions[i]));
  count_rest(benchmark.functions.size(), "function", texts);
  return texts;
}

std::string commonest_dismissal(const CheckedCommit& checked) {
  std::map<std::string, std::size_t> seen;
  std::string best;
  for (const CheckedBenchmark& benchmark : checked.benchmarks)
    if (benchmark.treatment == Treatment::Dismissed && !benchmark.reasons.empty() &&
        ++seen[benchmark.reasons.front()] > (best.empty() ? 0 : seen[best]))
      best = benchmark.reasons.front();
  return readable(best);
}

std::string effort_text(const CheckedCommit& checked) {
  return fmt::format("{} pair{} measured, {} remembered; {} of measuring in a budget of {}; {} in "
                     "all, {} of it building.",
                     checked.pairs_measured, plural(checked.pairs_measured), checked.pairs_kept,
                     format_duration(Seconds(checked.times.measuring)),
                     format_duration(Seconds(checked.budget)),
                     format_duration(Seconds(checked.times.total)),
                     format_duration(Seconds(checked.times.building)));
}

std::string record_text(const PredictionRecord& record) {
  std::string text = fmt::format("Predictions so far: hit rate {}, dismiss rate {}",
                                 rate_text(record.hit), rate_text(record.dismiss));
  if (record.audits > 0)
    text += fmt::format("; {} audit{}, {} changed after all", record.audits, plural(record.audits),
                        record.audits_missed);
  return text + (record.trained ? "." : "; untrained: whatever executes changed code is run.");
}

} // namespace dragnet::report
