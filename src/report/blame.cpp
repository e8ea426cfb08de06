#include "report/blame.h"

#include "analysis/blame/answer.h"
#include "analysis/blame/rank.h"
#include "base/function_name.h"
#include "base/text.h"
#include "base/units.h"
#include "model/commit.h"
#include "report/difference.h"
#include "report/escape.h"
#include "report/table.h"
#include "report/wording.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

using blame::Answer;
using blame::Suspect;
using blame::Trial;
using blame::TrialOutcome;
using blame::Unit;
using blame::Verification;

constexpr std::size_t longest_text = 200;

std::string readable(const std::string& text) {
  return shortened(plain(text), longest_text);
}

std::string function_text(const Suspect& suspect) {
  return readable(short_name(suspect.function.name));
}

std::string place_text(const Suspect& suspect) {
  return suspect.place ? fmt::format(" ({}:{})", readable(suspect.place->file), suspect.place->line)
                       : "";
}

// Of the old version's cost.
std::string share_text(double cost, const Answer& answer) {
  return answer.old_cost > 0 ? format_change(cost / answer.old_cost) : "-";
}

std::string percent(double share) {
  return fmt::format("{:.0f} %", share * 100);
}

std::string culprits_text(const Verification& found) {
  std::vector<std::string> names;
  names.reserve(found.culprits.size());
  for (const std::size_t unit : found.culprits)
    names.push_back(readable(found.units[unit].name));
  return join(names, " and ");
}

std::string first_sentence(const Answer& answer) {
  const std::string name = readable(answer.benchmark);
  if (answer.verification && !answer.verification->regressed)
    return fmt::format("{}: not worse: {} {}", name, answer.verification->metric.name,
                       format_change(answer.verification->difference /
                                     std::max(answer.verification->old_value, 1e-300)));
  if (answer.verification && !answer.verification->culprits.empty())
    return fmt::format("{}: {} {} to blame, verified: {} of the regression", name,
                       culprits_text(*answer.verification),
                       answer.verification->culprits.size() == 1 ? "is" : "are",
                       percent(answer.verification->culprits_share.value_or(0)));
  const Suspect& first = answer.suspects.front();
  if (first.blame.by(answer.method) <= 0)
    return fmt::format("{}: no changed function costs more than before", name);
  return fmt::format("{}: {}{} is the most to blame: {} of the run{}", name, function_text(first),
                     place_text(first), share_text(first.blame.by(answer.method), answer),
                     answer.verification ? ", not verified" : "");
}

std::string commit_line(std::string_view word, const Commit& commit) {
  return fmt::format("  {}  {} {}\n", word, commit.id.brief(), readable(commit.subject));
}

std::string heading(const Answer& answer) {
  return commit_line("old", answer.old_commit) + commit_line("new", answer.new_commit) +
         fmt::format("  traced: {} run{} of each, {} event{} in {} execution{}; {} {}, of which "
                     "no change explains {}\n",
                     answer.runs, plural(answer.runs), answer.events, plural(answer.events),
                     answer.executions, plural(answer.executions), blame::name_of(answer.cost),
                     share_text(answer.ranking.difference, answer),
                     share_text(answer.ranking.unexplained, answer));
}

std::string table_text(const Answer& answer, const BlameLook& look) {
  Table table({{"#", Align::Right},
               {std::string(blame::name_of(answer.method)), Align::Right},
               {"own", Align::Right},
               {"with callees", Align::Right},
               {"published", Align::Right},
               {"change"},
               {"function"}});
  const std::size_t count = answer.suspects.size();
  const std::size_t shown = look.most == 0 ? count : std::min(count, look.most);
  for (std::size_t i = 0; i < shown; ++i) {
    const Suspect& suspect = answer.suspects[i];
    const double cost = suspect.blame.by(answer.method);
    table.add({{fmt::to_string(i + 1)},
               {suspect.blame.executed ? share_text(cost, answer) : "not executed",
                cost > 0 ? Colour::Red : Colour::None},
               {share_text(suspect.blame.own, answer)},
               {share_text(suspect.blame.subtree, answer)},
               {fmt::format("{}.", suspect.published_rank)},
               {std::string(name(suspect.kind))},
               {function_text(suspect) + place_text(suspect)}});
  }
  std::string text = "\n" + table.text(look.colours);
  if (shown < count)
    text += fmt::format("and {} more\n", count - shown);
  return text;
}

std::string trial_text(const Trial& trial, const Verification& found) {
  switch (trial.outcome) {
  case TrialOutcome::DoesNotBuild:
    return "does not build";
  case TrialOutcome::Fails:
    return "does not run";
  case TrialOutcome::Measured:
    break;
  }
  const std::string error =
      trial.error > 0 ? fmt::format(" ± {}", format_quantity(trial.error, found.metric.unit)) : "";
  return fmt::format("{}{}{} ({})", trial.effect > 0 ? "+" : "",
                     format_quantity(trial.effect, found.metric.unit), error,
                     percent(trial.effect / found.difference));
}

std::string verification_text(const Answer& answer, const BlameLook& look) {
  if (!answer.verification)
    return "";
  const Verification& found = *answer.verification;
  std::string text = fmt::format(
      "\nverified by {} ({}): {} {}{}, {} trial{}\n", found.metric.name, found.how,
      format_quantity(found.old_value, found.metric.unit), found.difference > 0 ? "+" : "",
      format_quantity(found.difference, found.metric.unit), found.builds, plural(found.builds));
  Table table({{"change in"}, {"old with it", Align::Right}, {"missing without", Align::Right}});
  bool any = false;
  for (const Unit& unit : found.units) {
    if (!unit.alone)
      continue;
    any = true;
    table.add({{readable(unit.name)},
               {trial_text(*unit.alone, found)},
               {unit.without ? trial_text(*unit.without, found) : "-"}});
  }
  if (any)
    text += table.text(look.colours);
  if (found.regressed && found.culprits.empty())
    text += "no part or set of parts that builds has half of the regression\n";
  return text;
}

std::string detail_text(const Suspect& suspect, std::size_t number) {
  std::string text =
      fmt::format("\n{}. {}{}\n", number, function_text(suspect), place_text(suspect));
  for (const Commit& commit : suspect.commits)
    text += fmt::format("   {} {}\n", commit.id.brief(), readable(commit.subject));
  for (const std::string& line : lines(suspect.hunk)) {
    std::string shown = "   | " + plain_source(line);
    shown.resize(shown.find_last_not_of(' ') + 1);
    text += shown + "\n";
  }
  return text;
}

} // namespace

std::string blame_text(const Answer& answer, const BlameLook& look) {
  std::string text = painted(first_sentence(answer), Colour::Bold, look.colours) + "\n" +
                     heading(answer) + table_text(answer, look) + verification_text(answer, look);
  for (std::size_t i = 0; i < std::min(look.detailed, answer.suspects.size()); ++i)
    if (answer.suspects[i].blame.executed)
      text += detail_text(answer.suspects[i], i + 1);
  for (const std::string& note : answer.notes)
    text += plain(note) + "\n";
  return text;
}

} // namespace dragnet::report
