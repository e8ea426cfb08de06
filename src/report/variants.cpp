#include "report/variants.h"

#include "analysis/variants/answer.h"
#include "analysis/variants/finding.h"
#include "base/units.h"
#include "report/bisection.h"
#include "report/table.h"
#include "report/wording.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::report {
namespace {

using variants::ChangePoint;
using variants::Disagreement;
using variants::Finding;

std::string percent(double share) {
  return fmt::format("{:.3g} %", share * 100);
}

// A change that lies behind commits that do not build is one of several.
std::string commit_text(const Finding& found, const ChangePoint& change) {
  const std::string& last = found.commits[change.commit].brief;
  const std::size_t count = change.commit - change.after;
  return count == 1 ? last : fmt::format("{} or one of {} before it", last, count - 1);
}

std::string counted(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, plural(count));
}

std::string question_text(const Finding& found) {
  return fmt::format("  {} of {}, {} and {} from {} to {}\n", found.metric.name, found.benchmark,
                     counted(found.space.options.size(), "option"),
                     counted(found.commits.size(), "commit"), found.commits.front().brief,
                     found.commits.back().brief);
}

std::string changes_text(const Finding& found, bool colours) {
  if (found.answer.changes.empty())
    return {};
  const bool subjects = std::ranges::any_of(
      found.commits, [](const variants::NamedCommit& one) { return !one.subject.empty(); });
  std::vector<Table::Column> columns = {{"commit"},
                                        {"options"},
                                        {"change", Align::Right},
                                        {"interval"},
                                        {"probability", Align::Right}};
  if (subjects)
    columns.push_back({"subject"});
  Table table(columns);
  for (const ChangePoint& change : found.answer.changes) {
    std::vector<Table::Cell> cells = {
        {commit_text(found, change)},
        {found.condition(change.condition)},
        {format_change(change.change), found.worse(change) ? Colour::Red : Colour::Green},
        {fmt::format("{} to {}", format_change(change.interval.low),
                     format_change(change.interval.high))},
        {format_probability(change.probability())}};
    if (subjects)
      cells.push_back({found.commits[change.commit].subject});
    table.add(std::move(cells));
  }
  return "\n" + table.text(colours);
}

std::string broken_text(const Finding& found) {
  std::string text;
  for (const std::size_t commit : found.answer.broken)
    text += fmt::format("Does not build: {} ({}); older commits were measured in its place.\n",
                        found.commits[commit].brief, found.commits[commit].subject);
  return text;
}

std::string effort_text(const Finding& found) {
  std::string text = fmt::format(
      "{} of {} in {}; noise {}", counted(found.answer.measurements, "measurement"),
      counted(found.answer.cells, "cell"), counted(found.answer.configurations, "configuration"),
      percent(found.answer.noise));
  if (found.measured)
    text += fmt::format("; {} made, {}", counted(found.effort.builds, "build"),
                        format_duration(Seconds(found.effort.seconds)));
  return text + ".\n";
}

} // namespace

std::string variants_sentence(const Finding& found) {
  const auto& changes = found.answer.changes;
  if (found.answer.cells == 0)
    return "Nothing was measured.";
  if (changes.empty())
    return fmt::format(
        "No change of {} or more was found; the probability that there is none is {}.",
        percent(found.rule.threshold), format_probability(found.answer.done));
  const auto worse = static_cast<std::size_t>(std::ranges::count_if(
      changes, [&](const ChangePoint& change) { return found.worse(change); }));
  return fmt::format("{}, {} for the worse; the probability that there is no other one is {}.",
                     counted(changes.size(), "change"),
                     worse == changes.size() ? "all"
                     : worse == 0            ? "none"
                                             : fmt::format("{}", worse),
                     format_probability(found.answer.done));
}

std::string disagreement_sentence(const Disagreement& one) {
  if (one.kind == Disagreement::Kind::Accepted)
    return fmt::format("The program accepts what '{}' forbids, as in {} of its configurations: {}.",
                       one.constraint, one.configurations, one.example);
  const std::string said = one.said.empty() ? "" : fmt::format(" ({})", one.said);
  if (one.constraint.empty())
    return fmt::format("The program refuses a configuration that the constraints allow: {}{}.",
                       one.example, said);
  return fmt::format("The program refuses all {} configurations with {}, which the constraints "
                     "allow{}.",
                     one.configurations, one.constraint, said);
}

std::string variants_advice(const Finding& found) {
  if (found.answer.done >= found.rule.confidence || found.answer.cells == 0)
    return {};
  if (found.effort.budget_spent)
    return "The time was over before it was done; the same command goes on where it was.";
  if (found.answer.measurements >= found.rule.measurements)
    return fmt::format("It was not done after {} measurements; give it more with --measurements "
                       "{}.",
                       found.answer.measurements, 2 * found.rule.measurements);
  return "Nothing that could be measured would tell more.";
}

std::string variants_text(const Finding& found, bool colours) {
  const bool bad = variants::exit_status(found) == 1;
  std::string text = painted(variants_sentence(found), bad ? Colour::Red : Colour::Bold, colours) +
                     "\n" + question_text(found) + changes_text(found, colours) + "\n";
  for (const Disagreement& one : found.disagreements)
    text += disagreement_sentence(one) + "\n";
  text += broken_text(found);
  for (const std::string& note : found.notes)
    text += "Note: " + note + ".\n";
  const std::string advice = variants_advice(found);
  return text + effort_text(found) + (advice.empty() ? "" : advice + "\n");
}

} // namespace dragnet::report
