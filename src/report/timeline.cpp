#include "report/timeline.h"

#include "analysis/change_points/detector.h"
#include "analysis/change_points/timeline.h"
#include "base/text.h"
#include "base/units.h"
#include "model/commit.h"
#include "report/table.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

using change_points::Change;
using change_points::Nature;
using change_points::Series;
using change_points::Timeline;

std::string plural(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::size_t change_count(const Timeline& timeline) {
  std::size_t count = 0;
  for (const Series& series : timeline.series)
    count += series.changes.size();
  return count;
}

// "3 changes in 2 of 8 benchmarks"
std::string sentence(const Timeline& timeline) {
  std::set<std::string> all;
  std::set<std::string> changed;
  bool measured = false;
  for (const Series& series : timeline.series) {
    all.insert(series.benchmark);
    measured = measured || !series.points.empty();
    if (!series.changes.empty())
      changed.insert(series.benchmark);
  }
  const std::size_t changes = change_count(timeline);
  if (!measured)
    return "Nothing was measured";
  if (changes == 0)
    return fmt::format("No change: {} over {}", plural(all.size(), "benchmark"),
                       plural(timeline.commits.size(), "commit"));
  return fmt::format("{} in {} of {} over {}", plural(changes, "change"), changed.size(),
                     plural(all.size(), "benchmark"), plural(timeline.commits.size(), "commit"));
}

std::string order_text(const Timeline& timeline) {
  const Commit& first = timeline.commits.front();
  const Commit& last = timeline.commits.back();
  return fmt::format("  from  {} ({})\n  to    {} ({})\n  order: {}\n", first.id.brief(),
                     first.subject, last.id.brief(), last.subject, timeline.order);
}

std::string size_text(const Series& series, const Change& change) {
  if (series.nature == Nature::Exact)
    return format_change(change.size);
  return fmt::format("{} [{}, {}]", format_change(change.size), format_change(change.interval.low),
                     format_change(change.interval.high));
}

// Why a position that could equally be it was not told apart.
std::string reason(const Timeline& timeline, const Series& series, std::size_t position) {
  if (const auto gap = timeline.gaps.find(position); gap != timeline.gaps.end())
    return gap->second;
  if (const auto gap = series.gaps.find(position); gap != series.gaps.end())
    return gap->second;
  const bool measured = std::ranges::any_of(
      series.points, [&](const auto& point) { return point.position == position; });
  return measured ? "too noisy to tell" : "not measured";
}

// The commit of a change, then those that could equally be it.
void add_change(Table& table, const Timeline& timeline, const Series& series,
                const Change& change) {
  constexpr std::size_t most = 4;
  const std::size_t at = series.points[change.index].position;
  table.add({{series.benchmark},
             {series.metric.name},
             {size_text(series, change), is_worse(series, change) ? Colour::Red : Colour::Green},
             {timeline.commits[at].id.brief()},
             {timeline.commits[at].subject}});
  std::size_t shown = 0;
  for (std::size_t i = change.first_position; i <= change.last_position; ++i) {
    if (i == at)
      continue;
    if (++shown > most)
      continue;
    table.add({{""},
               {""},
               {"or"},
               {timeline.commits[i].id.brief()},
               {fmt::format("{} ({})", timeline.commits[i].subject, reason(timeline, series, i))}});
  }
  if (shown > most)
    table.add({{""}, {""}, {"or"}, {fmt::format("{} more", shown - most)}, {""}});
}

std::string changes_text(const Timeline& timeline, bool colours) {
  if (change_count(timeline) == 0)
    return {};
  Table table({{"benchmark"}, {"metric"}, {"change", Align::Right}, {"commit"}, {"subject"}});
  for (const Series& series : timeline.series)
    for (const Change& change : series.changes)
      add_change(table, timeline, series, change);
  return table.text(colours) + "\n";
}

std::string unchanged_text(const Timeline& timeline) {
  std::vector<std::string> names;
  std::vector<std::string> missing;
  for (const Series& series : timeline.series)
    if (series.points.empty())
      missing.push_back(series.benchmark + " " + series.metric.name);
    else if (series.changes.empty())
      names.push_back(series.benchmark + " " + series.metric.name);
  std::string text;
  if (!names.empty())
    text += fmt::format("No change in {}.\n", join(names, ", "));
  if (!missing.empty())
    text += fmt::format("No value of {}.\n", join(missing, ", "));
  return text;
}

std::string gaps_text(const Timeline& timeline) {
  std::string text;
  const auto add = [&](std::size_t position, const std::string& why) {
    const Commit& commit = timeline.commits[position];
    text += fmt::format("Not measured: {} ({}): {}.\n", commit.id.brief(), commit.subject, why);
  };
  for (const auto& [position, why] : timeline.gaps)
    add(position, why);
  for (const Series& series : timeline.series)
    for (const auto& [position, why] : series.gaps)
      add(position, fmt::format("{}: {}", series.benchmark, why));
  return text;
}

std::string effort_text(const Timeline& timeline) {
  std::string text =
      fmt::format("{} of {} commits looked at; {} made; {} made, {} remembered", timeline.visited,
                  timeline.commits.size(), plural(timeline.builds, "build"),
                  plural(timeline.runs, "run"), timeline.runs_kept);
  text += timeline.seconds == 0
              ? ".\n"
              : fmt::format("; {} of a budget of {}.\n", format_duration(Seconds(timeline.seconds)),
                            format_duration(timeline.budget));
  if (timeline.budget_spent)
    text += fmt::format("The budget was spent before all was looked at. The same command goes on "
                        "where it was; give more time with --budget {:.0f}m.\n",
                        std::max(1.0, timeline.budget.count() / 60 * 3));
  else if (timeline.visited + 1 < timeline.commits.size() && timeline.runs > 0)
    text += "A change that was undone between two measured commits is not seen; --every 1 measures "
            "them all.\n";
  return text;
}

// What to type to find out more about the first change that is not told apart.
std::string advice_text(const Timeline& timeline) {
  for (const Series& series : timeline.series)
    for (const Change& change : series.changes)
      if (series.measured_here && series.nature == Nature::Noisy &&
          change.first_position < change.last_position && change.first_position > 0)
        return fmt::format("To tell which: dragnet bisect {} {} -b {} --metric {}\n",
                           timeline.commits[change.first_position - 1].id.brief(),
                           timeline.commits[change.last_position].id.brief(), series.benchmark,
                           series.metric.name);
  return {};
}

} // namespace

std::string timeline_text(const Timeline& timeline, bool colours) {
  const bool worse = change_points::exit_status(timeline) == 1;
  return painted(sentence(timeline), worse ? Colour::Red : Colour::Bold, colours) + "\n" +
         order_text(timeline) + "\n" + changes_text(timeline, colours) + unchanged_text(timeline) +
         gaps_text(timeline) + effort_text(timeline) + advice_text(timeline);
}

} // namespace dragnet::report
