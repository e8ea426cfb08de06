#include "report/comparison.h"

#include "analysis/compare/compare.h"
#include "base/text.h"
#include "base/units.h"
#include "model/check.h"
#include "model/run.h"
#include "model/verdict.h"
#include "report/summary.h"
#include "report/table.h"
#include "report/wording.h"

#include <cstddef>
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

using compare::Comparison;
using compare::Row;

std::vector<std::string> benchmarks_with(const Comparison& comparison, Verdict verdict) {
  std::vector<std::string> names;
  for (const auto& row : comparison.rows)
    if (row.judgement.verdict == verdict && std::ranges::find(names, row.benchmark) == names.end())
      names.push_back(row.benchmark);
  return names;
}

std::size_t benchmark_count(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const auto& row : comparison.rows)
    if (std::ranges::find(names, row.benchmark) == names.end())
      names.push_back(row.benchmark);
  return names.size();
}

// What the first sentence begins with when there is nothing worse to tell.
std::string_view opening(Verdict verdict) {
  switch (verdict) {
  case Verdict::Regressed:
    return "Regressed";
  case Verdict::Failed:
    return "Failed";
  case Verdict::Inconclusive:
    return "Inconclusive";
  case Verdict::NotMeasured:
    return "Not measured";
  default:
    return "Nothing regressed; improved";
  }
}

std::string first_sentence(const Comparison& comparison) {
  const std::size_t all = benchmark_count(comparison);
  if (all == 0)
    return "Nothing was measured: there is no benchmark to compare";
  for (const Verdict verdict : {Verdict::Regressed, Verdict::Failed, Verdict::Inconclusive,
                                Verdict::NotMeasured, Verdict::Improved}) {
    const auto names = benchmarks_with(comparison, verdict);
    if (!names.empty())
      return fmt::format("{}: {} of {} benchmark{}: {}", opening(verdict), names.size(), all,
                         plural(all), some(names));
  }
  return fmt::format("Nothing regressed: {} benchmark{} unchanged", all, plural(all));
}

void add_row(Table& table, const Row& row) {
  table.add({{row.benchmark},
             {row.metric.name},
             {describe(summarise(row.evidence.old_values), row.metric)},
             {describe(summarise(row.evidence.new_values), row.metric)},
             {change_text(as_checked(row), row.assessment.pairs)},
             {fmt::to_string(row.assessment.pairs)},
             {std::string(name(row.judgement.verdict)), colour_of(row.judgement.verdict)}});
}

std::string commits_text(const Comparison& comparison) {
  const auto one = [](const Build& build) {
    return fmt::format("{} {}", build.commit.id.brief(), build.commit.subject);
  };
  return fmt::format("  old  {}\n  new  {}\n", one(comparison.base), one(comparison.candidate));
}

std::string reasons_text(const Comparison& comparison, bool all) {
  std::string text;
  for (const auto& row : comparison.rows) {
    const Verdict verdict = row.judgement.verdict;
    if (all || verdict == Verdict::Failed || verdict == Verdict::NotMeasured)
      text += fmt::format("{} {}: {}\n", row.benchmark, row.metric.name, row.judgement.rule);
    if (verdict == Verdict::Failed)
      for (const auto& line : lines(trim(row.log)))
        text += "  | " + line + "\n";
  }
  return text;
}

std::string measuring_text(const Comparison& comparison) {
  std::string text =
      fmt::format("{} pairs measured, {} remembered; {} of measuring in a budget of {}.\n",
                  comparison.pairs_measured, comparison.pairs_kept,
                  format_duration(Seconds(comparison.seconds)), format_duration(comparison.budget));
  const bool counted = std::ranges::any_of(
      comparison.rows, [](const Row& r) { return r.method == Method::Counted; });
  if (counted)
    text += "Instructions were counted by valgrind: this machine gives no hardware counters.\n";
  if (compare::count(comparison, Verdict::Inconclusive) > 0 && !comparison.stopped_by)
    text += fmt::format(
        "For the inconclusive ones: give more time (--budget {:.0f}m), or judge what is less noisy "
        "(--metric instructions).\n",
        std::max(1.0, comparison.budget.count() / 60 * 3));
  return text;
}

} // namespace

CheckedMetric as_checked(const Row& row) {
  return {.metric = row.metric,
          .method = row.method,
          .verdict = row.judgement.verdict,
          .rule = row.judgement.rule,
          .old_values = row.evidence.old_values,
          .new_values = row.evidence.new_values,
          .confirmed = {},
          .smallest_effect = row.evidence.smallest_effect,
          .change = row.assessment.change,
          .low = row.assessment.low,
          .high = row.assessment.high,
          .p_value = row.assessment.p_value,
          .exact = row.assessment.exact};
}

std::string comparison_text(const Comparison& comparison, const Heading& heading,
                            const Look& look) {
  const std::string sentence = first_sentence(comparison);
  const int status = compare::exit_status(comparison);
  std::string text =
      painted(sentence, status == 1 || status == 2 ? Colour::Red : Colour::Bold, look.colours) +
      "\n" + commits_text(comparison) + "\n";
  Table table({{"benchmark"},
               {"metric"},
               {"old", Align::Right},
               {"new", Align::Right},
               {"change", Align::Right},
               {"pairs", Align::Right},
               {"verdict"}});
  for (const auto& row : comparison.rows)
    add_row(table, row);
  text += table.text(look.colours) + "\n";
  const std::string reasons = reasons_text(comparison, look.reasons);
  text += reasons.empty() ? "" : reasons + "\n";
  text += measuring_text(comparison);
  for (const auto& note : heading.notes)
    text += note + "\n";
  return text;
}

} // namespace dragnet::report
