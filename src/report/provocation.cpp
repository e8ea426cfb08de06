#include "report/provocation.h"

#include "analysis/provoke/answer.h"
#include "analysis/provoke/chromosome.h"
#include "analysis/provoke/search.h"
#include "base/json.h"
#include "base/text.h"
#include "base/units.h"
#include "model/commit.h"
#include "report/documents.h"
#include "report/escape.h"
#include "report/table.h"
#include "report/wording.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

using provoke::Answer;
using provoke::Chromosome;
using provoke::Ending;
using provoke::Finding;
using provoke::Generation;
using provoke::Score;
using provoke::Version;

constexpr std::size_t longest_text = 200;
constexpr std::size_t most_inputs = 20;

std::string readable(const std::string& text) {
  return shortened(plain(text), longest_text);
}

std::string_view name(Ending ending) {
  constexpr std::array<std::string_view, 4> names{"compared", "rejected", "crashed", "hung"};
  return names.at(static_cast<std::size_t>(ending));
}

std::string_view name(Version version) {
  constexpr std::array<std::string_view, 3> names{"old", "new", "both"};
  return names.at(static_cast<std::size_t>(version));
}

double standard_error(const Score& score) {
  const auto runs = static_cast<double>(score.runs);
  return score.runs > 1 ? std::sqrt(score.squares / (runs - 1) / runs) : 0;
}

std::string effect_text(const Score& score, double base, const Answer& answer) {
  const double error = standard_error(score);
  std::string text = fmt::format(
      "{}{}{}", score.mean > 0 ? "+" : "", format_quantity(score.mean, answer.metric.unit),
      error > 0 ? fmt::format(" ± {}", format_quantity(error, answer.metric.unit)) : "");
  if (base > 0)
    text += fmt::format(" ({})", format_change(score.mean / base));
  return text;
}

std::string first_sentence(const Answer& answer) {
  if (answer.outcome.compared == 0)
    return fmt::format("No sequence could be compared between {} and {}",
                       answer.old_commit.id.brief(), answer.new_commit.id.brief());
  if (!answer.slower || !answer.shrunk)
    return fmt::format("No inputs were found on which {} is slower than {}",
                       answer.new_commit.id.brief(), answer.old_commit.id.brief());
  const std::size_t count = answer.shrunk->chromosome.size();
  return fmt::format("{} input{} make{} {} slower than {}: {} {}", count, plural(count),
                     count == 1 ? "s" : "", answer.new_commit.id.brief(),
                     answer.old_commit.id.brief(), answer.metric.name,
                     effect_text(answer.shrunk->effect, answer.shrunk_base, answer));
}

std::string heading(const Answer& answer) {
  return fmt::format("  old  {} {}\n  new  {} {}\n  {} search, seed {}: {} sequences of {} from {} "
                     "inputs, {} of them "
                     "remembered; {}\n",
                     answer.old_commit.id.brief(), readable(answer.old_commit.subject),
                     answer.new_commit.id.brief(), readable(answer.new_commit.subject),
                     answer.strategy, answer.seed, answer.outcome.evaluations, answer.length,
                     answer.genes.size(), answer.remembered,
                     answer.exact
                         ? "instructions are counted, one run tells"
                         : fmt::format("{} is noisy: runs of both take turns", answer.metric.name));
}

// The best of each generation as bars of eight heights.
std::string plot(const std::vector<Generation>& generations) {
  constexpr std::array<std::string_view, 8> bars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double top = 0;
  for (const Generation& generation : generations)
    top = std::max(top, generation.best);
  std::string text;
  for (const Generation& generation : generations) {
    const double height = top > 0 ? std::clamp(generation.best / top, 0.0, 1.0) : 0;
    text += bars.at(static_cast<std::size_t>(std::lround(height * 7)));
  }
  return text;
}

std::string generations_text(const Answer& answer, bool colours) {
  const auto& generations = answer.outcome.generations;
  if (generations.empty())
    return "";
  constexpr std::size_t most_rows = 10;
  Table table({{"generation", Align::Right},
               {"sequences", Align::Right},
               {"best", Align::Right},
               {"mean", Align::Right}});
  const std::size_t step = (generations.size() + most_rows - 1) / most_rows;
  for (std::size_t i = 0; i < generations.size(); ++i)
    if (i % step == 0 || i + 1 == generations.size())
      table.add({{fmt::to_string(i)},
                 {fmt::to_string(generations[i].evaluations)},
                 {format_quantity(generations[i].best, answer.metric.unit)},
                 {format_quantity(generations[i].mean, answer.metric.unit)}});
  return fmt::format("\n{}  best of each generation: {}\n", table.text(colours), plot(generations));
}

std::string inputs_text(const Answer& answer, const Chromosome& chromosome) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most_inputs, chromosome.size()); ++i)
    for (const std::string& line : lines(answer.genes[chromosome[i]])) {
      const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
      text += "  | " + line.substr(0, indent) + readable(line) + "\n";
    }
  if (chromosome.size() > most_inputs)
    text += fmt::format("  and {} more\n", chromosome.size() - most_inputs);
  return text;
}

// One of each kind.
std::string findings_text(const Answer& answer) {
  std::string text;
  Ending ending = Ending::Compared;
  Version version = Version::Both;
  for (const Finding& finding : answer.outcome.findings) {
    if (finding.ending == ending && finding.version == version)
      continue;
    if (text.contains(fmt::format("{} {}:", name(finding.version), name(finding.ending))))
      break;
    ending = finding.ending;
    version = finding.version;
    text += fmt::format("\n{} {}: a sequence of {}\n", name(version), name(ending),
                        finding.chromosome.size());
    text += inputs_text(answer, finding.chromosome);
  }
  if (!text.empty())
    text = fmt::format("\n{} sequence{} could not be compared\n", answer.outcome.not_compared,
                       plural(answer.outcome.not_compared)) +
           text;
  return text;
}

Json commit_json(const Commit& commit) {
  return {{"commit", commit.id.text}, {"subject", commit.subject}, {"time", commit.time}};
}

Json inputs_json(const Answer& answer, const Chromosome& chromosome) {
  Json json = Json::array();
  for (const auto gene : chromosome)
    json.push_back(answer.genes[gene]);
  return json;
}

void add_search(Json& json, const Answer& answer) {
  json["best"] = Json::array();
  for (const auto& individual : answer.outcome.best)
    json["best"].push_back({{"inputs", inputs_json(answer, individual.chromosome)},
                            {"difference", individual.score.mean},
                            {"error", standard_error(individual.score)}});
  json["generations"] = Json::array();
  for (const Generation& generation : answer.outcome.generations)
    json["generations"].push_back({{"evaluations", generation.evaluations},
                                   {"best", generation.best},
                                   {"mean", generation.mean},
                                   {"worst", generation.worst}});
  json["findings"] = Json::array();
  for (const Finding& finding : answer.outcome.findings)
    json["findings"].push_back({{"ending", name(finding.ending)},
                                {"version", name(finding.version)},
                                {"inputs", inputs_json(answer, finding.chromosome)}});
}

} // namespace

std::string provocation_text(const Answer& answer, bool colours) {
  std::string text =
      painted(first_sentence(answer), answer.slower ? Colour::Red : Colour::Bold, colours) + "\n" +
      heading(answer);
  if (answer.shrunk) {
    text +=
        fmt::format("\nthe shortest that keeps half of the difference, {} of {} inputs{}:\n",
                    answer.shrunk->chromosome.size(), answer.outcome.best.front().chromosome.size(),
                    answer.shrunk->confirmed ? "" : " (fresh runs did not confirm it)");
    text += inputs_text(answer, answer.shrunk->chromosome);
    text += fmt::format("the whole sequence: {}\n",
                        effect_text(answer.outcome.best.front().score, answer.best_base, answer));
  }
  return text + generations_text(answer, colours) + findings_text(answer);
}

std::string provocation_json(const Answer& answer, const std::string& version) {
  Json json = new_document("provocation", version);
  json["project"] = answer.project;
  json["old"] = commit_json(answer.old_commit);
  json["new"] = commit_json(answer.new_commit);
  json["metric"] = answer.metric.name;
  json["unit"] = answer.metric.unit;
  json["exact"] = answer.exact;
  json["strategy"] = answer.strategy;
  json["seed"] = answer.seed;
  json["length"] = answer.length;
  json["inputs"] = answer.genes.size();
  json["evaluations"] = answer.outcome.evaluations;
  json["remembered"] = answer.remembered;
  json["program_seconds"] = answer.program_seconds;
  json["at_once"] = answer.at_once;
  json["not_compared"] = answer.outcome.not_compared;
  json["slower"] = answer.slower;
  json["shrunk"] = Json();
  if (answer.shrunk)
    json["shrunk"] = {{"inputs", inputs_json(answer, answer.shrunk->chromosome)},
                      {"effect", answer.shrunk->effect.mean},
                      {"error", standard_error(answer.shrunk->effect)},
                      {"old", answer.shrunk_base},
                      {"confirmed", answer.shrunk->confirmed},
                      {"tests", answer.shrunk->tests}};
  add_search(json, answer);
  return to_text(json);
}

} // namespace dragnet::report
