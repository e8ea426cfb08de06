#include "report/check.h"

#include "base/text.h"
#include "model/check.h"
#include "model/run.h"
#include "model/verdict.h"
#include "report/check_outcome.h"
#include "report/comparison.h"
#include "report/escape.h"
#include "report/table.h"
#include "report/wording.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

constexpr std::size_t log_lines = 10;

std::string commit_line(std::string_view side, const Build& build) {
  const std::string line =
      fmt::format("  {}  {} {}", side, build.commit.id.brief(), readable(build.commit.subject));
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string heading_line(const CheckedBenchmark& benchmark, const Look& look) {
  const std::string audited = benchmark.treatment == Treatment::Audited
                                  ? " (an audit: the prediction had dismissed it)"
                                  : "";
  return fmt::format("{} {}{}\n", readable(benchmark.name),
                     painted(name(benchmark.verdict), colour_of(benchmark.verdict), look.colours),
                     audited);
}

std::string metric_lines(const CheckedBenchmark& benchmark, const Look& look) {
  std::size_t longest = 0;
  for (const CheckedMetric& metric : benchmark.metrics)
    longest = std::max(longest, width(readable(metric.metric.name)));
  std::string text;
  for (const CheckedMetric& metric : benchmark.metrics) {
    const std::string shown = readable(metric.metric.name);
    text += fmt::format("  {}{}  {}\n", shown, std::string(longest - width(shown), ' '),
                        metric_text(metric));
    if (look.reasons && !metric.rule.empty())
      text += fmt::format("    {}\n", readable(metric.rule));
  }
  return text;
}

std::string explained_lines(const CheckedBenchmark& benchmark) {
  std::string text;
  for (const std::string& line : explanation(benchmark))
    text += "    " + line + "\n";
  return text;
}

// Those whose numbers moved, with the numbers and why.
std::string moved(const CheckedCommit& checked, Verdict verdict, const Look& look) {
  std::string text;
  for (const CheckedBenchmark* benchmark : with_verdict(checked, verdict)) {
    text += heading_line(*benchmark, look) + metric_lines(*benchmark, look);
    const std::string why = explained_lines(*benchmark);
    const std::string reason = main_reason(*benchmark);
    text += why.empty() && !reason.empty() ? "    " + reason + "\n" : why;
  }
  return text;
}

std::string failed(const CheckedCommit& checked, const Look& look) {
  std::string text;
  for (const CheckedBenchmark* benchmark : with_verdict(checked, Verdict::Failed)) {
    text += heading_line(*benchmark, look);
    const std::string reason = main_reason(*benchmark);
    text += reason.empty() ? "" : "    " + reason + "\n";
    for (const std::string& line : lines(end_of_log(benchmark->log, log_lines)))
      text += line.empty() ? "  |\n" : "  | " + line + "\n";
  }
  return text;
}

// What is known of a benchmark so far, in one line.
std::string brief_line(const CheckedBenchmark& benchmark, const Look& look) {
  std::vector<std::string> parts;
  for (const CheckedMetric& metric : benchmark.metrics) {
    const std::size_t pairs = pairs_of(metric);
    parts.push_back(pairs == 0 ? fmt::format("{} not measured", metric.metric.name)
                               : fmt::format("{} {} in {} pair{}", metric.metric.name,
                                             change_text(metric, pairs), pairs, plural(pairs)));
  }
  return fmt::format("{} {}: {}\n", readable(benchmark.name),
                     painted(name(benchmark.verdict), colour_of(benchmark.verdict), look.colours),
                     join(parts, ", "));
}

std::string open(const CheckedCommit& checked, const Look& look) {
  std::string text;
  for (const CheckedBenchmark* benchmark : weightiest_first(checked)) {
    const bool asked =
        benchmark->verdict == Verdict::Inconclusive || benchmark->verdict == Verdict::NotMeasured;
    if (!asked || benchmark->treatment == Treatment::Dismissed ||
        benchmark->treatment == Treatment::NotReached)
      continue;
    text += look.reasons ? heading_line(*benchmark, look) + metric_lines(*benchmark, look)
                         : brief_line(*benchmark, look);
  }
  return text;
}

// What more time would answer.
std::string advice(const CheckedCommit& checked) {
  if (!std::ranges::any_of(checked.benchmarks, is_open))
    return "";
  return fmt::format("For what is open: give more time (--budget {:.0f}m), or judge what is less "
                     "noisy (--metric instructions).\n",
                     std::max(1.0, checked.budget / 60 * 3));
}

std::vector<std::string> dismissed_names(const CheckedCommit& checked) {
  std::vector<std::string> names;
  for (const CheckedBenchmark& benchmark : checked.benchmarks)
    if (benchmark.treatment == Treatment::Dismissed)
      names.push_back(readable(benchmark.name));
  return names;
}

std::string rest_line(const CheckedCommit& checked) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view what, std::size_t count, const std::string& why) {
    if (count > 0)
      parts.push_back(fmt::format("{} {}{}", what, count, why.empty() ? "" : ": " + why));
  };
  add("not reached", count(checked, Treatment::NotReached), "the budget was spent before");
  add("unchanged", with_verdict(checked, Verdict::Unchanged).size(), "");
  const std::vector<std::string> skipped = dismissed_names(checked);
  if (!skipped.empty())
    parts.push_back(fmt::format("dismissed {} ({}): {}", skipped.size(), some(skipped),
                                commonest_dismissal(checked)));
  if (parts.empty())
    return "";
  return "The rest: " + join(parts, "; ") + "\n";
}

std::string skipped_lines(const CheckedCommit& checked) {
  std::string text;
  for (const CheckedBenchmark& benchmark : checked.benchmarks) {
    if (benchmark.treatment != Treatment::Dismissed && benchmark.treatment != Treatment::NotReached)
      continue;
    text += fmt::format("  {} {}: {}\n", readable(benchmark.name), name(benchmark.treatment),
                        skip_reason(benchmark));
  }
  return text;
}

std::string last_lines(const CheckedCommit& checked) {
  std::string text = effort_text(checked) + "\n" + record_text(checked.record) + "\n";
  for (const std::string& note : checked.notes)
    text += readable(note) + "\n";
  return text;
}

std::string paragraph(const std::string& text) {
  return text.empty() ? "" : text + "\n";
}

} // namespace

std::string check_text(const CheckedCommit& checked, const Look& look) {
  const int status = exit_status(checked);
  std::string text =
      painted(check_sentence(checked), status == 1 || status == 2 ? Colour::Red : Colour::Bold,
              look.colours) +
      "\n" + commit_line("old", checked.base) + commit_line("new", checked.commit) + "\n";
  text += paragraph(moved(checked, Verdict::Regressed, look));
  text += paragraph(moved(checked, Verdict::Improved, look));
  text += paragraph(moved(checked, Verdict::Exonerated, look));
  text += paragraph(failed(checked, look));
  text += paragraph(open(checked, look) + advice(checked));
  text += paragraph(rest_line(checked) + (look.reasons ? skipped_lines(checked) : ""));
  return text + last_lines(checked);
}

} // namespace dragnet::report
