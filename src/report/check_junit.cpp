#include "report/check.h"

#include "model/check.h"
#include "model/verdict.h"
#include "report/check_outcome.h"
#include "report/escape.h"
#include "stats/quantiles.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>

namespace dragnet::report {
namespace {

constexpr std::size_t longest_name = 1000;
constexpr std::size_t log_lines = 100;

// An attribute has one line.
std::string attribute(std::string_view text) {
  return in_xml(shortened(plain(text), longest_name));
}

double seconds_of(const CheckedBenchmark& benchmark) {
  for (const CheckedMetric& metric : benchmark.metrics)
    if (metric.metric.name == "wall" && !metric.new_values.empty())
      if (const double median = stats::median(metric.new_values); std::isfinite(median))
        return median;
  return 0;
}

// Readers find a test by its name: there must be one.
std::string name_attribute(std::string_view text) {
  const std::string shown = attribute(text);
  return shown.empty() ? "-" : shown;
}

enum class Outcome : std::uint8_t { Passed, Failure, Error, Skipped };

// What could not be told has neither passed nor failed.
Outcome outcome_of(const CheckedBenchmark& benchmark) {
  switch (benchmark.verdict) {
  case Verdict::Regressed:
    return Outcome::Failure;
  case Verdict::Failed:
    return Outcome::Error;
  case Verdict::Inconclusive:
  case Verdict::NotMeasured:
    return Outcome::Skipped;
  default:
    return Outcome::Passed;
  }
}

std::string_view element(Outcome outcome) {
  switch (outcome) {
  case Outcome::Failure:
    return "failure";
  case Outcome::Error:
    return "error";
  case Outcome::Skipped:
    return "skipped";
  case Outcome::Passed:
    break;
  }
  return "system-out";
}

// "dismissed: nothing that it executes changed".
std::string in_short(const CheckedBenchmark& benchmark) {
  const bool skipped =
      benchmark.treatment == Treatment::Dismissed || benchmark.treatment == Treatment::NotReached;
  if (skipped)
    return fmt::format("{}: {}", name(benchmark.treatment), skip_reason(benchmark));
  const std::string reason = main_reason(benchmark);
  return std::string(name(benchmark.verdict)) + (reason.empty() ? "" : ": " + reason);
}

std::string text_of(const CheckedBenchmark& benchmark) {
  std::string text;
  for (const CheckedMetric& metric : benchmark.metrics)
    text += fmt::format("{} {}: {}\n", readable(metric.metric.name), name(metric.verdict),
                        metric_text(metric));
  for (const std::string& line : explanation(benchmark))
    text += line + "\n";
  for (const CheckedMetric& metric : benchmark.metrics)
    if (!metric.rule.empty())
      text += fmt::format("{}: {}\n", readable(metric.metric.name), readable(metric.rule));
  return text + end_of_log(benchmark.log, log_lines);
}

std::string message_of(const CheckedBenchmark& benchmark) {
  for (const CheckedMetric& metric : benchmark.metrics)
    if (metric.verdict == benchmark.verdict && pairs_of(metric) > 0)
      return fmt::format("{} {}: {}", readable(metric.metric.name), name(metric.verdict),
                         metric_text(metric));
  return in_short(benchmark);
}

std::string outcome_xml(const CheckedBenchmark& benchmark) {
  const Outcome outcome = outcome_of(benchmark);
  const std::string text = in_xml(text_of(benchmark));
  switch (outcome) {
  case Outcome::Passed:
    return text.empty() ? "" : fmt::format("      <system-out>{}</system-out>\n", text);
  case Outcome::Skipped:
    return fmt::format("      <skipped message=\"{}\"/>\n", attribute(in_short(benchmark)));
  default:
    return fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", element(outcome),
                       name(benchmark.verdict), attribute(message_of(benchmark)), text);
  }
}

std::string case_xml(const CheckedBenchmark& benchmark, const CheckedCommit& checked) {
  return fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.9f}\">\n{}"
                     "    </testcase>\n",
                     name_attribute(benchmark.name), attribute(checked.project),
                     seconds_of(benchmark), outcome_xml(benchmark));
}

std::size_t cases(const CheckedCommit& checked, Outcome outcome) {
  std::size_t count = 0;
  for (const CheckedBenchmark& benchmark : checked.benchmarks)
    count += outcome_of(benchmark) == outcome ? 1 : 0;
  return count;
}

// What both the whole and its one suite count; only a suite counts what was skipped.
std::string counts(const CheckedCommit& checked) {
  return fmt::format(R"(tests="{}" failures="{}" errors="{}" time="{:.3f}")",
                     checked.benchmarks.size(), cases(checked, Outcome::Failure),
                     cases(checked, Outcome::Error),
                     std::isfinite(checked.times.total) ? checked.times.total : 0);
}

std::string properties(const CheckedCommit& checked) {
  const std::array<std::pair<std::string_view, std::string>, 8> all{
      {{"base", checked.base.commit.id.text},
       {"commit", checked.commit.commit.id.text},
       {"subject", checked.commit.commit.subject},
       {"outcome", check_sentence(checked)},
       {"status", std::to_string(exit_status(checked))},
       {"processor", checked.machine.processor},
       {"effort", effort_text(checked)},
       {"predictions", record_text(checked.record)}}};
  std::string text = "    <properties>\n";
  for (const auto& [what, value] : all)
    text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", what, attribute(value));
  return text + "    </properties>\n";
}

} // namespace

std::string check_junit(const CheckedCommit& checked) {
  const std::string suite =
      name_attribute(fmt::format("{} {}", checked.project, checked.commit.commit.id.brief()));
  std::string text =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"dragnet check\" "
                  "{0}>\n  <testsuite name=\"{1}\" {0} skipped=\"{2}\" hostname=\"{3}\">\n",
                  counts(checked), suite, cases(checked, Outcome::Skipped),
                  attribute(checked.machine.host_name));
  text += properties(checked);
  for (const CheckedBenchmark* benchmark : weightiest_first(checked))
    text += case_xml(*benchmark, checked);
  return text + "  </testsuite>\n</testsuites>\n";
}

} // namespace dragnet::report
