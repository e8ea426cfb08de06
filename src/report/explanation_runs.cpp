#include "analysis/explain/run_report.h"
#include "analysis/explain/similarity.h"
#include "analysis/explain/watched.h"
#include "base/units.h"
#include "report/escape.h"
#include "report/explanation.h"
#include "report/stack_wording.h"
#include "report/table.h"
#include "report/wording.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::report {
namespace {

using explain::MetricReport;
using explain::Overview;
using explain::OverviewPoint;
using explain::RunUse;
using explain::StackTotal;

constexpr std::size_t frames_in_table = 5;

std::string share_text(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

// Some metrics only count calls.
bool has_amounts(const MetricReport& report) {
  return report.total.amount > 0;
}

std::string share_of(const RunUse& use, const MetricReport& report) {
  return has_amounts(report) ? share_text(use.amount, report.total.amount)
                             : share_text(use.calls, report.total.calls);
}

std::string stacks_table(const MetricReport& report, const std::vector<StackTotal>& stacks,
                         bool colours) {
  const bool amounts = has_amounts(report);
  std::vector<Table::Column> columns{{"share", Align::Right}};
  if (amounts)
    columns.push_back({"a run", Align::Right});
  columns.push_back({"calls", Align::Right});
  if (amounts)
    columns.push_back({"a call", Align::Right});
  columns.push_back({"runs", Align::Right});
  columns.push_back({"stack"});
  Table table(std::move(columns));
  for (const StackTotal& one : stacks) {
    std::vector<Table::Cell> cells{{share_of(one.use, report)}};
    if (amounts)
      cells.push_back({amount_text(one.use.amount, report.metric)});
    cells.push_back({format_quantity(one.use.calls, "")});
    if (amounts)
      cells.push_back({amount_text(one.use.per_call(), report.metric)});
    cells.push_back({fmt::to_string(one.runs)});
    cells.push_back({stack_text(one.frames, frames_in_table)});
    table.add(std::move(cells));
  }
  return table.text(colours);
}

std::string files_table(const MetricReport& report, bool colours) {
  const bool amounts = has_amounts(report);
  std::vector<Table::Column> columns{{"share", Align::Right}};
  if (amounts)
    columns.push_back({"a run", Align::Right});
  columns.push_back({"calls", Align::Right});
  columns.push_back({"file"});
  Table table(std::move(columns));
  for (const explain::FileTotal& one : report.files) {
    std::vector<Table::Cell> cells{{share_of(one.use, report)}};
    if (amounts)
      cells.push_back({amount_text(one.use.amount, report.metric)});
    cells.push_back({format_quantity(one.use.calls, "")});
    cells.push_back({shortened(plain(one.file), 200)});
    table.add(std::move(cells));
  }
  return table.text(colours);
}

// A gap between what was seen and what the kernel counted is told, never hidden.
std::string accounted_text(const MetricReport& report) {
  if (!report.accounted)
    return "";
  const double gap = *report.accounted - report.total.amount;
  if (std::fabs(gap) < 0.5)
    return "; the kernel counted the same";
  return fmt::format("; the kernel counted {}, {} {} than was seen",
                     amount_text(*report.accounted, report.metric),
                     amount_text(std::fabs(gap), report.metric), gap > 0 ? "more" : "less");
}

std::string metric_text(const MetricReport& report, bool colours) {
  const std::string calls = format_quantity(report.total.calls, "") + " calls";
  const std::string total =
      has_amounts(report)
          ? fmt::format("{} a run in {}", amount_text(report.total.amount, report.metric), calls)
          : calls + " a run";
  std::string text = fmt::format("\n{}: {}, by {} stack{}{}\n", plain(report.metric), total,
                                 report.stacks, plural(report.stacks), accounted_text(report));
  if (report.stacks == 0)
    return text;
  text += "\nstacks that did most\n" + stacks_table(report, report.most, colours);
  if (has_amounts(report))
    text +=
        "\nstacks that did most per call\n" + stacks_table(report, report.most_per_call, colours);
  if (!report.files.empty())
    text += "\nfiles with most\n" + files_table(report, colours);
  return text;
}

// A bar from 0 to the largest amount.
std::string bar_text(double amount, double largest) {
  constexpr double longest = 30;
  const double length = largest > 0 ? std::round(longest * amount / largest) : 0;
  std::string bar;
  bar.resize(static_cast<std::size_t>(std::max(length, 0.0)), '#');
  return bar;
}

// What bars are drawn of: amounts, or calls where no commit has amounts.
double bar_length(const RunUse& use, const RunUse& largest) {
  return largest.amount > 0 ? use.amount : use.calls;
}

void add_point(Table& table, const OverviewPoint& point, const std::string& metric,
               const RunUse& largest) {
  std::string what = point.runs == 0 ? "not watched" : "";
  if (point.findings > 0 && point.first)
    what = fmt::format("{} stack{} changed{}: {}", point.findings, plural(point.findings),
                       point.findings > 1 ? ", first" : "", stack_text(point.first->frames, 3));
  if (point.unfinished > 0)
    what +=
        fmt::format("{}{} of its runs did not finish", what.empty() ? "" : "; ", point.unfinished);
  const bool watched = point.runs > 0;
  table.add({{point.commit.id.brief()},
             {watched ? amount_text(point.mean.amount, metric) : "-"},
             {watched ? format_quantity(point.mean.calls, "") : "-"},
             {bar_text(bar_length(point.mean, largest), bar_length(largest, largest))},
             {what, point.findings > 0 ? Colour::Red : Colour::None},
             {shortened(plain(point.commit.subject), 60)}});
}

} // namespace

std::string run_report_text(const ExplainedBenchmark& one, const ExplanationLook& look) {
  if (!one.runs)
    return "";
  const explain::RunReport& report = *one.runs;
  std::string text =
      fmt::format("{} at {} {}: {} run{} of {}\n", plain(one.benchmark), report.commit.id.brief(),
                  shortened(plain(report.commit.subject), 200), report.runs, plural(report.runs),
                  format_duration(Seconds(report.seconds)));
  for (const MetricReport& metric : report.metrics)
    text += metric_text(metric, look.colours);
  for (const std::string& note : report.notes)
    text += fmt::format("\n{}\n", plain(note));
  const std::string unfinished = unfinished_text(report.unfinished);
  return text + (unfinished.empty() ? "" : "\n" + unfinished);
}

std::string overview_text(const ExplainedBenchmark& one, const ExplanationLook& look) {
  if (!one.overview)
    return "";
  const Overview& overview = *one.overview;
  RunUse largest;
  std::size_t changed = 0;
  for (const OverviewPoint& point : overview.points) {
    largest.amount = std::max(largest.amount, point.mean.amount);
    largest.calls = std::max(largest.calls, point.mean.calls);
    changed += point.findings > 0 ? 1 : 0;
  }
  const std::string sentence =
      changed == 0 ? fmt::format("no stack changed in {} commit{}", overview.points.size(),
                                 plural(overview.points.size()))
                   : fmt::format("{} of {} commit{} changed what stacks do", changed,
                                 overview.points.size(), plural(overview.points.size()));
  Table table({{"commit"},
               {plain(overview.metric), Align::Right},
               {"calls", Align::Right},
               {""},
               {"changes"},
               {"subject"}});
  for (const OverviewPoint& point : overview.points)
    add_point(table, point, overview.metric, largest);
  return fmt::format("{}: {}\n\n", plain(one.benchmark), sentence) + table.text(look.colours);
}

} // namespace dragnet::report
