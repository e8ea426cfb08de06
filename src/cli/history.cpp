// dragnet history: since when is it slower?

#include "analysis/change_points/timeline.h"
#include "base/interrupt.h"
#include "base/result.h"
#include "base/text.h"
#include "check/kept_series.h"
#include "check/timeline.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "history/repository.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/metric.h"
#include "report/timeline.h"

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

constexpr long most_commits = 1'000'000;

Result<> check_metrics(const Words& words) {
  const auto names = metric_names();
  for (const auto& metric : words.values("metric"))
    if (!is_known_metric(metric) && !words.has("imported"))
      return words.misuse(fmt::format("there is no metric '{}'", metric),
                          did_you_mean(metric, names));
  return success();
}

// The metrics that are asked for; a suite's case has only time.
void apply_options(std::vector<Benchmark>& benchmarks, const std::vector<std::string>& metrics,
                   double smallest_effect) {
  for (Benchmark& benchmark : benchmarks) {
    if (!metrics.empty())
      benchmark.metrics = metrics;
    if (smallest_effect > 0)
      benchmark.smallest_effect = {{"", smallest_effect}};
    if (benchmark.suite != Suite::None)
      std::erase_if(benchmark.metrics,
                    [](const std::string& metric) { return metric != "wall" && metric != "cpu"; });
  }
  std::erase_if(benchmarks, [](const Benchmark& benchmark) { return benchmark.metrics.empty(); });
}

// The commits, in the order that is asked for.
Result<> list_commits(const Words& words, const lab::Laboratory& lab,
                      check::TimelineRequest& request) {
  using Line = history::Repository::Line;
  if (words.has("all") && words.has("first-parent"))
    return words.misuse("--all and --first-parent contradict each other", "leave one out");
  const Line line = words.has("all") ? Line::All : Line::First;
  request.order = line == Line::All ? "all commits, parents before children"
                                    : "along first parents (a merge stands for its branch)";
  request.commits = TRY(lab.repository().range(words.argument("RANGE", "HEAD"), line));
  if (request.commits.size() < 2)
    return words.misuse(fmt::format("{} has {} commit{}, and a history needs two",
                                    words.argument("RANGE", "HEAD"), request.commits.size(),
                                    request.commits.size() == 1 ? "" : "s"),
                        "dragnet history v1.0..HEAD");
  if (words.has("every"))
    request.every = static_cast<std::size_t>(TRY(words.number("every", 1, most_commits)));
  return success();
}

Result<check::TimelineRequest> request_of(const Words& words, lab::Laboratory& lab) {
  check::TimelineRequest request;
  TRY(check_metrics(words));
  request.budget = TRY(words.duration("budget"));
  request.runs = static_cast<std::size_t>(TRY(words.number("runs", 1, 1000)));
  const double effect = words.has("smallest-effect") ? TRY(words.share("smallest-effect")) : 0;
  if (effect > 0)
    request.smallest_effect = effect;
  TRY(list_commits(words, lab, request));
  if (words.has("imported"))
    return request;
  auto cases = TRY(cases_at(lab, words.values("benchmark"), request.commits.back()));
  request.benchmarks = std::move(cases.benchmarks);
  apply_options(request.benchmarks, words.values("metric"), effect);
  request.method_for = [&lab](const std::string& metric) { return lab.method_for(metric); };
  return request;
}

check::KeptRequest kept_request(const Words& words, const check::TimelineRequest& request) {
  return {.commits = request.commits,
          .order = request.order,
          .benchmarks = words.values("benchmark"),
          .metrics = words.values("metric"),
          .smallest_effect = request.smallest_effect};
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  watch_for_interrupts();
  auto project = TRY(open_project(surroundings));
  const auto lab =
      TRY(lab::Laboratory::open(std::move(project), lab::Memory::Use, surroundings.progress));
  const auto request = TRY(request_of(words, *lab));
  auto followed = words.has("imported")
                      ? check::follow_imported(lab->store(), kept_request(words, request))
                      : check::follow(*lab, request, surroundings.progress);
  const auto timeline = TRY(std::move(followed));
  surroundings.output.write(words.value("format") == "json"
                                ? report::timeline_json(timeline, {lab->project().name, version()})
                                : report::timeline_text(timeline, surroundings.colour));
  if (timeline.stopped_by)
    return *timeline.stopped_by;
  return change_points::exit_status(timeline);
}

std::vector<Option> options() {
  return {
      benchmark_option(),
      {.name = "metric",
       .value = "METRIC",
       .meaning = "follow this metric in place of those in dragnet.toml",
       .repeated = true,
       .completes = Completes::Metric},
      {.name = "every",
       .value = "N",
       .meaning = "measure each Nth commit and the last, and none between"},
      {.name = "first-parent", .meaning = "walk along first parents; that is the default"},
      {.name = "all", .meaning = "all commits of the range, parents before children"},
      {.name = "runs",
       .value = "N",
       .meaning = "how often to run at each commit; counted instructions need one run",
       .standard = "5"},
      build_budget_option(),
      {.name = "smallest-effect",
       .value = "SHARE",
       .meaning = "changes below this do not matter, for example 5%"},
      {.name = "imported", .meaning = "only what was imported for these commits; measure nothing"},
      format_option({"text", "json"})};
}

} // namespace

Command history_command() {
  Command command;
  command.name = "history";
  command.group = "Judge";
  command.summary = "show since when benchmarks are slower or faster";
  command.description =
      "Measures benchmarks along a range of commits and prints where their level changed: the "
      "commit, the size of the change, and the commits that could equally be it.\n\n"
      "A long history is not measured commit by commit: the ends come first, then the middle, the "
      "middles of the halves and so on, and then the commits between neighbours that differ. A "
      "commit that does not build is a gap. --every 1 measures them all.\n\n"
      "Every run is kept at once in .dragnet, and runs that are kept are used: after an "
      "interruption, or with a larger budget, the same command goes on where it was.";
  command.arguments = {{"RANGE",
                        "the commits, as for git log: v1.0..HEAD; all up to HEAD when it "
                        "is left out",
                        0, 1, Completes::Commit}};
  command.options = options();
  command.examples = {
      {"dragnet history v1.0..HEAD", "what changed since v1.0, and at which commit"},
      {"dragnet history -b insert --metric instructions", "one benchmark, by counted instructions"},
      {"dragnet history v1.0..HEAD --every 10 --budget 2h", "each tenth commit, within two hours"}};
  command.exits = {{0, "nothing became worse"},
                   {1, "something became worse somewhere in the range"},
                   {2, "trouble: bad use or bad configuration"},
                   {3, "inconclusive: the budget was spent before all was looked at"},
                   {4, "nothing was measured"},
                   {130, "interrupted"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
