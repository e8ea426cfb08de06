// A comment must fit into what sites take: each part is given room of its own, the most telling
// first, and says what it had to leave out.
#include "report/check.h"

#include "base/text.h"
#include "model/check.h"
#include "model/run.h"
#include "model/verdict.h"
#include "report/check_outcome.h"
#include "report/escape.h"
#include "report/summary.h"
#include "report/wording.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

// In bytes: where the table ends at the latest, what the details take at most, and where they end,
// so that the whole stays below 60,000. The reasons have the room between.
constexpr std::size_t table_end = 28'000;
constexpr std::size_t details_room = 12'000;
constexpr std::size_t details_end = 58'000;
constexpr std::size_t longest_name = 120;
constexpr std::size_t longest_sentence = 240;
constexpr std::size_t log_lines = 20;

// Escaping makes a text longer, so that it is cut before.
std::string sentence(const std::string& text) {
  return in_markdown(shortened(plain(text), longest_sentence));
}

std::string code(const std::string& text) {
  return code_in_markdown(shortened(plain(text), longest_name));
}

// In a comment of HTML nothing may look like its end.
std::string marker(const CheckedCommit& checked) {
  const std::string project = path_in_uri(shortened(plain(checked.project), longest_name));
  return fmt::format("<!-- dragnet-check: {} -->\n", replace_all(project, "--", "-%2D"));
}

std::string commit_text(const Build& build) {
  return fmt::format("{} {}", code(build.commit.id.brief()), sentence(build.commit.subject));
}

// Adds what is not empty while it ends before a limit, and counts the rest. Once something did not
// fit, nothing else is asked for its text.
class Part {
public:
  Part(std::string& text, std::size_t end) : text_(text), end_(end) {}

  template <class Piece>
  void add(const Piece& piece_of, const CheckedBenchmark& benchmark) {
    const std::string piece = left_out_ == 0 ? piece_of(benchmark) : "";
    if (left_out_ == 0 && text_.size() + piece.size() <= end_)
      text_ += piece;
    else
      ++left_out_;
  }
  std::size_t left_out() const { return left_out_; }

private:
  std::string& text_;
  std::size_t end_;
  std::size_t left_out_ = 0;
};

// What the table shows. Those that were not reached may be many, and there is nothing to show.
bool is_telling(const CheckedBenchmark& benchmark) {
  return benchmark.verdict == Verdict::Regressed || benchmark.verdict == Verdict::Failed ||
         benchmark.verdict == Verdict::Exonerated || benchmark.verdict == Verdict::Improved ||
         (is_open(benchmark) && benchmark.treatment != Treatment::NotReached);
}

std::string row(const CheckedBenchmark& benchmark, const CheckedMetric& metric) {
  const std::size_t pairs = pairs_of(metric);
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", code(benchmark.name),
                     sentence(metric.metric.name),
                     in_markdown(describe(summarise(metric.old_values), metric.metric)),
                     in_markdown(describe(summarise(metric.new_values), metric.metric)),
                     in_markdown(change_text(metric, pairs)), pairs, name(metric.verdict));
}

std::string rows(const CheckedBenchmark& benchmark) {
  if (benchmark.metrics.empty())
    return fmt::format("| {} | | | | | | {} |\n", code(benchmark.name), name(benchmark.verdict));
  std::string text;
  for (const CheckedMetric& metric : benchmark.metrics)
    text += row(benchmark, metric);
  return text;
}

void add_table(const BenchmarkList& telling, std::string& text) {
  if (telling.empty())
    return;
  text += "| benchmark | metric | old | new | change | pairs | verdict |\n"
          "|---|---|--:|--:|--:|--:|---|\n";
  Part part(text, table_end);
  for (const CheckedBenchmark* benchmark : telling)
    part.add(rows, *benchmark);
  text += "\n";
  if (part.left_out() > 0)
    text += fmt::format("{} more benchmark{} left out here for want of room.\n\n", part.left_out(),
                        part.left_out() == 1 ? " is" : "s are");
}

std::string why(const CheckedBenchmark& benchmark) {
  std::vector<std::string> texts = explanation(benchmark);
  if (texts.empty() && !main_reason(benchmark).empty())
    texts.push_back(main_reason(benchmark));
  if (texts.empty())
    return "";
  std::string text = fmt::format("{} {}:\n", code(benchmark.name), name(benchmark.verdict));
  for (const std::string& line : texts)
    text += item_in_markdown(shortened(line, longest_sentence));
  return text + "\n";
}

void add_why(const BenchmarkList& telling, std::size_t end, std::string& text) {
  Part part(text, end);
  for (const CheckedBenchmark* benchmark : telling)
    part.add(why, *benchmark);
  if (part.left_out() > 0)
    text +=
        fmt::format("The reasons of {} more benchmark{} are left out here for want of room.\n\n",
                    part.left_out(), plural(part.left_out()));
}

// A block of code whose fence no line of it can close.
std::string block(const std::string& content) {
  std::string fence = "```";
  while (content.contains(fence))
    fence += '`';
  return fmt::format("\n{}\n{}{}\n\n", fence, content, fence);
}

// The table says all about the others.
bool has_detail(const CheckedBenchmark& benchmark) {
  return benchmark.treatment != Treatment::Measured || !is_telling(benchmark) ||
         (benchmark.verdict == Verdict::Failed && !benchmark.log.empty());
}

std::string detail(const CheckedBenchmark& benchmark) {
  if (benchmark.verdict == Verdict::Failed && !benchmark.log.empty())
    return fmt::format("{} printed at its end:\n{}", code(benchmark.name),
                       block(end_of_log(benchmark.log, log_lines)));
  if (benchmark.treatment == Treatment::Measured)
    return fmt::format("- {} {}\n", code(benchmark.name), name(benchmark.verdict));
  return fmt::format("- {} {}: {}\n", code(benchmark.name), name(benchmark.treatment),
                     sentence(skip_reason(benchmark)));
}

std::string notes_text(const CheckedCommit& checked) {
  constexpr std::size_t most = 3;
  std::string text = checked.notes.empty() ? "" : "\n";
  for (std::size_t i = 0; i < std::min(most, checked.notes.size()); ++i)
    text += item_in_markdown(shortened(plain(checked.notes[i]), longest_name));
  if (checked.notes.size() > most)
    text += fmt::format("- and {} more\n", checked.notes.size() - most);
  return text;
}

std::string details(const CheckedCommit& checked) {
  std::string text =
      fmt::format("<details>\n<summary>Details: {} unchanged, {} dismissed, {} not reached"
                  "</summary>\n\n",
                  with_verdict(checked, Verdict::Unchanged).size(),
                  count(checked, Treatment::Dismissed), count(checked, Treatment::NotReached));
  Part part(text, details_room);
  for (const CheckedBenchmark* benchmark : weightiest_first(checked))
    if (has_detail(*benchmark))
      part.add(detail, *benchmark);
  if (part.left_out() > 0)
    text += fmt::format("\nDetails of {} more benchmark{} are left out for want of room.\n",
                        part.left_out(), plural(part.left_out()));
  text +=
      "\n" + sentence(effort_text(checked)) + "\n" + sentence(record_text(checked.record)) + "\n";
  return text + notes_text(checked) + "\n</details>\n";
}

} // namespace

std::string check_markdown(const CheckedCommit& checked) {
  std::string text = marker(checked) + "### " +
                     in_markdown(shortened(check_sentence(checked), 2 * longest_sentence)) +
                     "\n\n" + commit_text(checked.base) + " → " + commit_text(checked.commit) +
                     "\n\n";
  BenchmarkList telling = weightiest_first(checked);
  std::erase_if(telling, [](const CheckedBenchmark* benchmark) { return !is_telling(*benchmark); });
  add_table(telling, text);
  const std::string folded = details(checked);
  add_why(telling, details_end - folded.size(), text);
  return text + folded;
}

} // namespace dragnet::report
