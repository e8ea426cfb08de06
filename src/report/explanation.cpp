#include "report/explanation.h"

#include "analysis/explain/change_test.h"
#include "analysis/explain/matching.h"
#include "analysis/explain/similarity.h"
#include "analysis/explain/watched.h"
#include "base/text.h"
#include "base/units.h"
#include "model/commit.h"
#include "model/run.h"
#include "model/stacks.h"
#include "report/escape.h"
#include "report/stack_wording.h"
#include "report/table.h"
#include "report/wording.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::report {
namespace {

using explain::Cause;
using explain::Change;
using explain::RunUse;
using explain::SimilarityReport;
using explain::SimilarityRow;

constexpr std::size_t frames_in_table = 4;
constexpr std::size_t longest_text = 200;

std::string readable(const std::string& text) {
  return shortened(plain(text), longest_text);
}

std::string without_blanks_at_end(std::string text) {
  text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

std::string place_of(const Cause& cause) {
  return cause.place ? fmt::format(" ({}:{})", readable(cause.place->file), cause.place->line) : "";
}

std::string first_sentence(const ExplainedBenchmark& one, const SimilarityReport& report) {
  const std::size_t told = findings(report);
  const std::string name = readable(one.benchmark);
  if (report.rows.empty())
    return name + ": no stack did anything that was watched";
  if (told == 0)
    return fmt::format("{}: no change in {} stack{}", name, report.rows.size(),
                       plural(report.rows.size()));
  std::string text = fmt::format("{}: {} of {} stack{} changed", name, told, report.rows.size(),
                                 plural(report.rows.size()));
  if (!report.causes.empty()) {
    const Cause& cause = report.causes.front();
    text += fmt::format("; {} arises in {}{}{}",
                        report.causes.size() == 1 ? "the change" : "most of the change",
                        function_name_text(cause.function), place_of(cause),
                        cause.code_changed ? ", whose code changed" : "");
  }
  return text;
}

std::string commit_line(std::string_view word, const Commit& commit) {
  return fmt::format("  {}  {} {}", word, commit.id.brief(), readable(commit.subject));
}

std::string runs_text(std::size_t runs, double seconds) {
  return fmt::format(", {} run{} of {}\n", runs, plural(runs), format_duration(Seconds(seconds)));
}

// Amounts only where there are any: some metrics only count calls.
std::string uses_text(const RunUse& before, const RunUse& now, const std::string& metric) {
  const bool amounts = before.amount > 0 || now.amount > 0;
  std::string calls = from_to_text(before.calls, now.calls, "", amounts ? "calls" : "calls a run");
  if (!amounts)
    return calls;
  return from_to_text(before.amount, now.amount, stack_unit(metric), "a run") + "; " + calls;
}

std::string heading(const SimilarityReport& report) {
  std::string text;
  for (std::size_t i = 0; i + 1 < report.bases.size(); ++i)
    text += commit_line("old", report.bases[i]) + "\n";
  if (!report.bases.empty())
    text +=
        commit_line("old", report.bases.back()) + runs_text(report.old_runs, report.old_seconds);
  text += commit_line("new", report.candidate) + runs_text(report.new_runs, report.new_seconds);
  for (const auto& [metric, total] : report.totals)
    text += fmt::format("  {}: {}\n", readable(metric), uses_text(total.before, total.now, metric));
  return text;
}

// The quantity that changed most, as a share of the run.
std::string share_text(const SimilarityRow& row) {
  if (!row.judgement.changed)
    return "~";
  const Change* largest = &row.judgement.amount;
  for (const Change* change :
       {&row.judgement.amount, &row.judgement.calls, &row.judgement.per_call})
    if (change->counts &&
        (!largest->counts || std::fabs(change->share) > std::fabs(largest->share)))
      largest = change;
  const bool calls = largest == &row.judgement.calls;
  return fmt::format("{} of {}", format_change(largest->share),
                     calls ? "calls" : readable(row.metric));
}

Colour colour_of(const SimilarityRow& row) {
  if (!row.told)
    return Colour::None;
  return row.now.amount < row.before.amount ? Colour::Green : Colour::Red;
}

void add_row(Table& table, std::size_t number, const SimilarityRow& row,
             const SimilarityReport& report) {
  const auto& spectrum = row.spectrum;
  const std::string range =
      spectrum.range ? amount_text(spectrum.range->high - spectrum.range->low, row.metric) : "-";
  std::vector<Table::Cell> cells{
      {fmt::to_string(number)},
      {fmt::format("{:.2f}", row.similarity), colour_of(row)},
      {format_quantity(spectrum.calls, "")},
      {(spectrum.calls_difference > 0 ? "+" : "") + format_quantity(spectrum.calls_difference, "")},
      {signed_amount_text(spectrum.impact, row.metric)},
      {signed_amount_text(spectrum.total_impact, row.metric)},
      {range},
      {fmt::format("{}/{}", spectrum.runs, spectrum.of)}};
  if (report.yardstick == explain::Yardstick::Tested)
    cells.push_back({share_text(row)});
  if (report.totals.size() > 1)
    cells.push_back({readable(row.metric)});
  cells.push_back({stack_text(row.frames, frames_in_table)});
  table.add(std::move(cells));
}

// Findings; of the published method, which has no line between them and the rest, all rows.
std::string table_text(const SimilarityReport& report, const ExplanationLook& look) {
  std::vector<Table::Column> columns{{"#", Align::Right},          {"SC", Align::Right},
                                     {"calls", Align::Right},      {"calls diff", Align::Right},
                                     {"impact", Align::Right},     {"total impact", Align::Right},
                                     {"range diff", Align::Right}, {"runs", Align::Right}};
  const bool tested = report.yardstick == explain::Yardstick::Tested;
  if (tested)
    columns.push_back({"of the run's total", Align::Right});
  if (report.totals.size() > 1)
    columns.push_back({"metric"});
  columns.push_back({"stack"});
  Table table(std::move(columns));
  const std::size_t rows = tested ? findings(report) : report.rows.size();
  const std::size_t shown = look.most == 0 ? rows : std::min(rows, look.most);
  for (std::size_t i = 0; i < shown; ++i)
    add_row(table, i + 1, report.rows[i], report);
  if (shown == 0)
    return "";
  std::string text = "\n" + table.text(look.colours);
  if (shown < rows)
    text += fmt::format("and {} more\n", rows - shown);
  return text;
}

std::string likeness_text(const SimilarityRow& row) {
  if (row.old_frames.empty())
    return "   new: no stack did this before\n";
  if (row.spectrum.runs == 0)
    return "   gone: no stack does this now\n";
  if (row.likeness == explain::Likeness::Same)
    return "";
  return fmt::format("   taken for what was: {}\n", stack_text(row.old_frames, frames_in_table));
}

std::string files_text(const SimilarityRow& row) {
  constexpr std::size_t most = 3;
  std::string text;
  for (const explain::FileUse& one : std::span(row.files).first(std::min(most, row.files.size()))) {
    text += "   file " + readable(one.file);
    if (one.before > 0 || one.now > 0)
      text += ": " + from_to_text(one.before, one.now, stack_unit(row.metric), "a run");
    text += "\n";
  }
  if (row.files.size() > most)
    text += fmt::format("   and {} more file{}\n", row.files.size() - most,
                        plural(row.files.size() - most));
  return text;
}

std::string hunk_text(const ExplainedBenchmark& one, const StackFrame& frame) {
  std::string text;
  for (const SourceHunk& hunk : one.hunks)
    if (hunk.function == frame.function)
      for (const std::string& line : lines(hunk.text))
        text += without_blanks_at_end("       | " + plain_source(line)) + "\n";
  return text;
}

std::string finding_text(const ExplainedBenchmark& one, const SimilarityReport& report,
                         std::size_t number) {
  const SimilarityRow& row = report.rows[number];
  std::string text = fmt::format("\n{}. {}: {}", number + 1, readable(row.metric),
                                 uses_text(row.before, row.now, row.metric));
  if (row.before.amount > 0 && row.now.amount > 0)
    text += "; " + from_to_text(row.before.per_call(), row.now.per_call(), stack_unit(row.metric),
                                "a call");
  text += "\n";
  const Cause* cause = row.cause ? &report.causes[*row.cause] : nullptr;
  for (const StackFrame& frame : row.frames) {
    const bool here = cause != nullptr && frame.function == cause->function;
    text += fmt::format("   {} {}{}{}\n", here ? ">" : " ", frame_text(frame),
                        here ? " <- the change arises here" : "",
                        here && cause->code_changed ? ", its code changed" : "");
    text += hunk_text(one, frame);
  }
  return text + likeness_text(row) + files_text(row);
}

// What the columns mean, once below all tables.
std::string legend_text(const Explanation& explanation) {
  const auto has_table = [](const ExplainedBenchmark& one) {
    return one.similarity && !one.similarity->rows.empty() &&
           (findings(*one.similarity) > 0 ||
            one.similarity->yardstick == explain::Yardstick::Published);
  };
  if (std::ranges::none_of(explanation.benchmarks, has_table))
    return "";
  return R"(
SC: 1 as before, 0 in no run as before. calls, calls diff: of a run, and against before.
impact: how far a call lies outside of what calls did before. total impact: that times calls.
range diff: how far apart calls were before. runs: in which the stack did anything, of all.
)";
}

} // namespace

std::string unfinished_text(const std::vector<explain::UnfinishedRun>& runs) {
  constexpr std::size_t lines_of_log = 5;
  std::string text;
  for (const explain::UnfinishedRun& run : runs) {
    const std::string_view what = run.outcome == RunOutcome::Crashed ? "signal" : "exit status";
    const std::string log = end_of_log(run.log, lines_of_log);
    text += fmt::format("Run {} of {} {} ({} {}) after {} and printed {}\n", run.number,
                        run.commit.brief(), name(run.outcome), what, run.status,
                        format_duration(Seconds(run.seconds)),
                        trim(log).empty() ? "nothing" : "at its end:");
    for (const std::string& line : lines(log))
      text += without_blanks_at_end("  | " + line) + "\n";
  }
  return text;
}

std::string similarity_text(const ExplainedBenchmark& one, const ExplanationLook& look) {
  if (!one.similarity)
    return "";
  const SimilarityReport& report = *one.similarity;
  const std::size_t told = findings(report);
  std::string text =
      painted(first_sentence(one, report), told > 0 ? Colour::Red : Colour::Bold, look.colours) +
      "\n" + heading(report) + table_text(report, look);
  for (std::size_t i = 0; i < std::min(told, look.stacks); ++i)
    text += finding_text(one, report, i);
  const std::string unfinished = unfinished_text(report.unfinished);
  text += unfinished.empty() ? "" : "\n" + unfinished;
  for (const std::string& note : report.notes)
    text += plain(note) + "\n";
  return text;
}

std::string explanation_text(const Explanation& explanation, const ExplanationLook& look) {
  std::string text;
  for (const ExplainedBenchmark& one : explanation.benchmarks)
    for (const std::string& part :
         {similarity_text(one, look), run_report_text(one, look), overview_text(one, look)})
      text += (text.empty() || part.empty() ? "" : "\n") + part;
  text += legend_text(explanation);
  for (const std::string& note : explanation.notes)
    text += plain(note) + "\n";
  return text;
}

} // namespace dragnet::report
