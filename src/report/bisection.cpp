#include "report/bisection.h"

#include "analysis/bisect/finding.h"
#include "analysis/bisect/search.h"
#include "base/units.h"
#include "model/commit.h"
#include "report/table.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

using bisect::Finding;
using bisect::Outcome;
using bisect::Suspect;

std::string plural(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string titled(const Commit& commit) {
  return fmt::format("{} ({})", commit.id.brief(), commit.subject);
}

std::string effect_text(const Finding& found) {
  if (found.exact)
    return format_change(found.effect);
  return fmt::format("{} [{}, {}]", format_change(found.effect), format_change(found.interval.low),
                     format_change(found.interval.high));
}

// "one of 3 commits", or the commit.
std::string named_text(const Suspect& suspect) {
  return suspect.commits.size() == 1 ? titled(suspect.commits.front())
                                     : fmt::format("one of {} commits", suspect.commits.size());
}

std::string unnamed_text(const Finding& found) {
  switch (found.outcome) {
  case Outcome::EndsAlike:
    return fmt::format("No culprit: {} {} differs by less than {:.3g} % between the ends ({})",
                       found.benchmark, found.metric.name, found.smallest_effect * 100,
                       effect_text(found));
  case Outcome::EndsUnknown:
    if (found.effort.runs == 0)
      return "Nothing was measured: the budget was spent before the first round";
    return "Inconclusive: it is not known yet whether the ends differ";
  case Outcome::Undecided:
    return fmt::format("Inconclusive: the ends differ ({}), but no commit reaches {:.3g} %, and "
                       "more measuring would not help",
                       effect_text(found), found.confidence * 100);
  default:
    return fmt::format("Inconclusive: the ends differ ({}), but the budget was spent before a "
                       "commit reached {:.3g} %",
                       effect_text(found), found.confidence * 100);
  }
}

// The finding that tells most: the last that names somebody.
const Finding& decisive(const std::vector<Finding>& findings) {
  const auto named = std::ranges::find_if(findings.rbegin(), findings.rend(), &Finding::named);
  return named == findings.rend() ? findings.front() : *named;
}

std::string answer_text(const Finding& found) {
  if (!found.named())
    return unnamed_text(found);
  const Suspect& culprit = found.suspects.front();
  return fmt::format("Culprit: {}, probability {}: {}", named_text(culprit),
                     format_probability(culprit.probability), effect_text(found));
}

std::string question_text(const Finding& found) {
  return fmt::format("  {} of {}\n  good  {}\n  bad   {}, {} later\n", found.metric.name,
                     found.benchmark, titled(found.good), titled(found.bad),
                     plural(found.commits, "commit"));
}

// How a merge and the search of its branch belong together.
std::string merges_text(const std::vector<Finding>& findings) {
  std::string text;
  for (std::size_t i = 1; i < findings.size(); ++i) {
    if (!findings[i - 1].named())
      continue;
    const Suspect& merge = findings[i - 1].suspects.front();
    const std::string title = titled(merge.commits.front());
    text +=
        findings[i].named()
            ? fmt::format("It came with the merge {}, probability {}.\n", title,
                          format_probability(merge.probability))
            : fmt::format("{} is a merge. Its branch from {} to {} does not have it alone: {}.\n",
                          title, findings[i].good.id.brief(), findings[i].bad.id.brief(),
                          unnamed_text(findings[i]));
  }
  return text;
}

std::string why(const Finding& found, const Commit& commit) {
  const auto unusable = std::ranges::find_if(
      found.unusable, [&](const bisect::Unusable& one) { return one.commit.id == commit.id; });
  return unusable == found.unusable.end() ? std::string() : unusable->why;
}

// The members of a named group: of these, no measurement can tell which one it is.
std::string group_text(const Finding& found) {
  if (!found.named() || found.suspects.front().commits.size() == 1)
    return {};
  Table table({{"one of"}, {"subject"}, {"what is known"}});
  for (const Commit& commit : found.suspects.front().commits) {
    const std::string known = why(found, commit);
    table.add({{commit.id.brief()}, {commit.subject}, {known.empty() ? "has the change" : known}});
  }
  return table.text(false) + "No measurement tells them apart.\n\n";
}

std::string others_text(const Finding& found, bool colours) {
  constexpr std::size_t most = 5;
  constexpr double least = 0.001;
  Table table(
      {{found.named() ? "runner-up" : "suspect"}, {"probability", Align::Right}, {"subject"}});
  std::size_t shown = 0;
  for (std::size_t i = found.named() ? 1 : 0; i < found.suspects.size() && shown < most; ++i) {
    const Suspect& suspect = found.suspects[i];
    if (suspect.probability < least)
      continue;
    const Commit& last = suspect.commits.back();
    table.add(
        {{suspect.commits.size() == 1 ? last.id.brief()
                                      : fmt::format("{} or one of {} before it", last.id.brief(),
                                                    suspect.commits.size() - 1)},
         {format_probability(suspect.probability)},
         {last.subject}});
    ++shown;
  }
  return shown == 0 ? std::string() : table.text(colours) + "\n";
}

std::string unusable_text(const Finding& found) {
  std::string text;
  for (const auto& [commit, reason] : found.unusable)
    text += fmt::format("Not measured: {}: {}.\n", titled(commit), reason);
  return text;
}

std::string effort_text(const std::vector<Finding>& findings) {
  bisect::Effort all;
  for (const Finding& found : findings) {
    all.builds += found.effort.builds;
    all.builds_kept += found.effort.builds_kept;
    all.rounds += found.effort.rounds;
    all.rounds_kept += found.effort.rounds_kept;
    all.runs += found.effort.runs;
    all.seconds += found.effort.seconds;
  }
  return fmt::format("{} made, {} remembered; {} measured, {} remembered, {} in all; {} of a "
                     "budget of {}.\n",
                     plural(all.builds, "build"), all.builds_kept, plural(all.rounds, "round"),
                     all.rounds_kept, plural(all.runs, "run"),
                     format_duration(Seconds(all.seconds)),
                     format_duration(findings.front().budget));
}

std::string advice_text(const Finding& found) {
  if (found.named() || !found.effort.budget_spent)
    return {};
  return fmt::format("The same command goes on where it was; give more time with --budget "
                     "{:.0f}m, or search by what is less noisy with --metric instructions.\n",
                     std::max(1.0, found.budget.count() / 60 * 3));
}

} // namespace

std::string format_probability(double probability) {
  constexpr double near = 0.9995;
  if (probability >= near)
    return "> 99.9 %";
  return fmt::format("{:.1f} %", probability * 100);
}

std::string bisection_text(const Searched& searched, bool colours) {
  const Finding& found = decisive(searched.findings);
  std::string text =
      painted(answer_text(found), found.named() ? Colour::Red : Colour::Bold, colours) + "\n" +
      question_text(searched.findings.front()) + merges_text(searched.findings) + "\n";
  text += group_text(found) + others_text(found, colours);
  for (const Finding& one : searched.findings)
    text += unusable_text(one);
  return text + found.prior + "\n" + effort_text(searched.findings) + advice_text(found);
}

} // namespace dragnet::report
