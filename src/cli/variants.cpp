// dragnet variants: which commits changed which configurations?

#include "check/variants.h"
#include "analysis/variants/answer.h"
#include "analysis/variants/finding.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/text.h"
#include "check/variant_trials.h"
#include "cli/outputs.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "formats/variants_csv.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/configuration.h"
#include "model/machine.h"
#include "model/metric.h"
#include "model/rounds.h"
#include "project/project.h"
#include "project/space.h"
#include "report/contents.h"
#include "report/page.h"
#include "report/variants.h"
#include "space/solver.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

constexpr long most_measurements = 1'000'000;
constexpr std::size_t most_forbidden = 20;
const char* const no_project = "-"; // where a table is searched outside of any

Result<variants::LearnRule> rule_of(const Words& words) {
  variants::LearnRule rule;
  rule.threshold = TRY(words.share("threshold"));
  if (rule.threshold <= 0)
    return words.misuse("--threshold 0 would take noise for changes", "--threshold 10%");
  rule.confidence = TRY(words.share("confidence"));
  if (rule.confidence <= 0 || rule.confidence >= 1)
    return words.misuse("--confidence is a probability between 0 and 1", "--confidence 95%");
  rule.measurements =
      static_cast<std::size_t>(TRY(words.number("measurements", 1, most_measurements)));
  return rule;
}

constexpr std::array<OutputForm, 2> forms{{{"html", ".html"}, {"json", ".json"}}};

// Whose search it was, and where it was measured.
struct Heading {
  std::string project;
  Machine machine; // without a key where nothing was measured
};

std::string page(const std::string& document, const Heading& heading) {
  report::Contents contents;
  if (heading.project != no_project)
    contents.project = heading.project;
  contents.machine = heading.machine;
  contents.made = milliseconds_since_1970();
  contents.variants = document;
  return report::html_page(report::contents_json(contents, version()));
}

Result<int> tell(const variants::Finding& found, const Heading& heading, const Words& words,
                 Surroundings& surroundings) {
  const auto outputs = TRY(wanted_outputs(words, surroundings.folder, forms));
  const std::string document = report::variants_json(found, heading.project, version());
  for (const Output& output : outputs)
    TRY_WHILE(fmt::format("cannot write {}", output.file.string()),
              write_file(output.file, output.form == "html" ? page(document, heading) : document));
  surroundings.output.write(words.value("format") == "json"
                                ? document
                                : report::variants_text(found, surroundings.colour));
  return variants::exit_status(found);
}

// Constraints count where the table has all of their options.
std::vector<Clause> known_clauses(const project::OptionSpace& options,
                                  const std::vector<std::string>& columns) {
  std::vector<Clause> kept;
  for (Clause clause : all_clauses(options.space)) {
    bool known = true;
    for (Literal& literal : clause.literals) {
      const auto column = std::ranges::find(columns, options.space.options[literal.option]);
      known = known && column != columns.end();
      literal.option = static_cast<std::size_t>(column - columns.begin());
    }
    if (known)
      kept.push_back(std::move(clause));
  }
  return kept;
}

// A dragnet.toml is of use where there is one, but not needed.
Result<int> search_table(const Words& words, Surroundings& surroundings) {
  const std::string path = words.value("from");
  if (!words.arguments("RANGE").empty() || words.has("benchmark") || words.has("budget"))
    return words.misuse("a table has its own commits and takes no time to measure",
                        "leave out RANGE, --benchmark and --budget");
  const auto rule = TRY(rule_of(words));
  const std::string text = TRY(read_file(surroundings.folder / path));
  const std::string metric = words.has("metric") ? words.value("metric") : "value";
  const auto recorded =
      TRY_WHILE(path, formats::read_variants_csv(text, {.value = metric, .options = {}}));
  Heading heading{.project = no_project, .machine = {}};
  std::vector<Clause> clauses;
  if (const auto opened = open_project(surroundings)) {
    heading.project = opened->name;
    if (const auto options = project::option_space(*opened))
      clauses = known_clauses(*options, recorded.options);
  }
  auto found = TRY_WHILE(path, check::search_recorded(recorded, clauses, rule));
  found.benchmark = path;
  found.metric = metric_named(metric);
  return tell(found, heading, words, surroundings);
}

// The one benchmark that is meant.
Result<Benchmark> benchmark_of(const Words& words, lab::Laboratory& lab, const Commit& newest) {
  if (words.values("benchmark").empty() && lab.project().benchmarks.size() > 1)
    return words.misuse("which benchmark to search is not said",
                        "name it with -b; dragnet.toml has their names");
  auto cases = TRY(cases_at(lab, words.values("benchmark"), newest));
  if (cases.benchmarks.size() != 1)
    return words.misuse(fmt::format("one benchmark is searched at a time, and these are {}: {}",
                                    cases.benchmarks.size(), join(cases.names(), ", ")),
                        "name one with -b");
  return std::move(cases.benchmarks.front());
}

Result<std::string> metric_of(const Words& words, const Benchmark& benchmark) {
  const std::string metric = words.has("metric")         ? words.value("metric")
                             : benchmark.metrics.empty() ? "wall"
                                                         : benchmark.metrics.front();
  if (!is_known_metric(metric))
    return words.misuse(fmt::format("there is no metric '{}'", metric),
                        did_you_mean(metric, metric_names()));
  return metric;
}

Result<std::vector<Commit>> commits_of(const Words& words, const lab::Laboratory& lab) {
  const std::string range = words.argument("RANGE", "HEAD");
  auto commits = TRY(lab.repository().range(range));
  // "a..b" does not contain a, but a change in the first commit behind it shows against it.
  if (const auto dots = range.find(".."); dots != std::string::npos && dots > 0)
    commits.insert(commits.begin(), TRY(lab.repository().commit(range.substr(0, dots))));
  if (commits.size() < 2)
    return words.misuse(fmt::format("{} has {} commit{}, and a change needs two", range,
                                    commits.size(), commits.size() == 1 ? "" : "s"),
                        "dragnet variants v1.0..HEAD");
  return commits;
}

// For each written constraint, a configuration that disobeys it alone, where there is one. The
// command's own options cannot be disobeyed.
std::vector<check::Forbidden> forbidden_by(const ConfigurationSpace& space,
                                           const std::vector<Clause>& of_command) {
  std::vector<check::Forbidden> all;
  std::set<std::string> told;
  for (const Clause& clause : space.clauses) {
    if (all.size() >= most_forbidden || !told.insert(clause.text).second)
      continue;
    ConfigurationSpace others = space;
    std::erase_if(others.clauses, [&](const Clause& one) { return one.text == clause.text; });
    std::ranges::copy(of_command, std::back_inserter(others.clauses));
    const auto solver = space::Solver::make(others);
    std::vector<Literal> opposite = clause.literals;
    for (Literal& literal : opposite)
      literal.on = !literal.on;
    if (!solver)
      continue;
    if (auto found = (*solver)->near(Configuration(space.options.size()), opposite))
      all.push_back({clause.text, std::move(*found)});
  }
  return all;
}

// Builds of other options are builds of their own.
class Laboratories {
public:
  Laboratories(project::Project project, lab::Memory memory, Progress& progress)
      : project_(std::move(project)), memory_(memory), progress_(progress) {}

  Result<lab::Laboratory*> with(const std::string& build_command) {
    auto& lab = labs_[build_command];
    if (!lab) {
      project::Project other = project_;
      other.build.command = build_command;
      lab = TRY(lab::Laboratory::open(std::move(other), memory_, progress_));
    }
    return lab.get();
  }

private:
  project::Project project_;
  lab::Memory memory_;
  Progress& progress_;
  std::map<std::string, std::unique_ptr<lab::Laboratory>> labs_;
};

// What the words ask for; the benchmark as it is defined.
Result<Benchmark> ask(const Words& words, lab::Laboratory& lab, check::VariantsRequest& request) {
  check::VariantQuestion& question = request.question;
  request.rule = TRY(rule_of(words));
  question.commits = TRY(commits_of(words, lab));
  Benchmark benchmark = TRY(benchmark_of(words, lab, question.commits.back()));
  request.benchmark = benchmark.name;
  question.metric = TRY(metric_of(words, benchmark));
  question.method = lab.method_for(question.metric);
  question.budget = TRY(words.duration("budget"));
  question.seconds = steady_seconds;
  return benchmark;
}

Result<int> search(const Words& words, Surroundings& surroundings) {
  const auto project = TRY(open_project(surroundings));
  auto options = TRY(project::option_space(project));
  check::VariantsRequest request;
  Laboratories labs(project, words.has("again") ? lab::Memory::MeasureAgain : lab::Memory::Use,
                    surroundings.progress);
  lab::Laboratory* lab = TRY(labs.with(project.build.command));
  const Benchmark benchmark = TRY(ask(words, *lab, request));
  const auto of_command = project::written_in_command(project, options, benchmark);
  request.forbidden = forbidden_by(options.space, of_command);
  std::ranges::copy(of_command, std::back_inserter(options.space.clauses));
  const auto solver = TRY(space::Solver::make(options.space));
  check::VariantQuestion& question = request.question;
  question.space = &options.space;
  question.variant = [&](const Configuration& configuration) {
    return project::variant_of(project, options, benchmark, configuration);
  };
  question.lab = [&](const std::string& command) -> Result<SearchLab*> {
    return TRY(labs.with(command));
  };
  const auto found = TRY(check::search_variants(*solver, request, surroundings.progress));
  return tell(found, {.project = project.name, .machine = lab->machine()}, words, surroundings);
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  watch_for_interrupts();
  TRY(wanted_outputs(words, surroundings.folder, forms)); // a mistake is told before all work
  return words.has("from") ? search_table(words, surroundings) : search(words, surroundings);
}

std::vector<Option> options() {
  return {benchmark_option(),
          {.name = "metric",
           .value = "METRIC",
           .meaning =
               "search by this metric in place of the first in dragnet.toml; with --from, the "
               "column of the values ('value' if not given)",
           .completes = Completes::Metric},
          {.name = "threshold",
           .value = "SHARE",
           .meaning = "changes below this do not matter, wherever they show",
           .standard = "10%"},
          {.name = "confidence",
           .value = "SHARE",
           .meaning = "end when it is so probable that nothing is left to be found",
           .standard = "95%"},
          build_budget_option(),
          {.name = "measurements",
           .value = "N",
           .meaning = "how many runs to look at, at most",
           .standard = "2000"},
          {.name = "from",
           .value = "FILE.csv",
           .meaning = "search a table that was measured before, and measure nothing",
           .completes = Completes::File},
          again_option(),
          {.name = "output",
           .value = "FILE",
           .meaning = "write the answer to a file, too; its name tells the form: .html, a page "
                      "with a heat map of what was measured and a series for each option, or .json",
           .repeated = true,
           .completes = Completes::File},
          format_option({"text", "json"})};
}

} // namespace

Command variants_command() {
  Command command;
  command.name = "variants";
  command.group = "Judge";
  command.summary = "find which commits changed which configurations";
  command.description =
      "Searches the commits of a range and the options in dragnet.toml together: at which commits "
      "did the benchmark change, under which options, and by how much? A few configurations are "
      "measured along the history; where one shows a step, its commit is found by bisection and "
      "its "
      "options by tests of configurations that tell most; then it looks where a change could still "
      "hide, until it is as probable as --confidence says that there is none.\n\n"
      "A change is named with the options that must be on or off for it to show, or 'all', with "
      "its "
      "size in the configuration that shows it best. A commit that does not build is left out, and "
      "the nearest older one measured in its place. A configuration that the program refuses is "
      "left out too, and what the refused ones have in common is reported, as is a constraint "
      "in dragnet.toml that the program does not enforce.\n\n"
      "Every run is kept at once in .dragnet: after an interruption, or with a larger budget, the "
      "same command goes on where it was.\n\n"
      "With --from it reads a table with a column 'commit', a column of values and a column of 0 "
      "and "
      "1 for each option, and needs neither a repository nor a build.";
  command.arguments = {{"RANGE",
                        "the commits, as for git log: v1.0..HEAD, in which v1.0 is measured too; "
                        "all up to HEAD when it is left out",
                        0, 1, Completes::Commit}};
  command.options = options();
  command.examples = {
      {"dragnet variants v1.0..HEAD -b insert", "what changed since v1.0, and under which options"},
      {"dragnet variants v1.0..HEAD -b insert --metric instructions --budget 2h",
       "by counted instructions, within two hours"},
      {"dragnet variants --from measured.csv --metric seconds", "in a table of measurements"},
      {"dragnet variants v1.0..HEAD -b insert --output insert.html",
       "a page with a heat map of commits and configurations"}};
  command.exits = {
      {0, "nothing became worse"},
      {1, "something became worse somewhere in the range"},
      {2, "trouble: bad use, bad configuration, constraints that contradict each other"},
      {3, "inconclusive: nothing worse was found, but the search was not done"},
      {4, "nothing was measured"},
      {130, "interrupted"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
