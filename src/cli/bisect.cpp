// dragnet bisect: which commit made it slower?

#include "analysis/bisect/finding.h"
#include "base/interrupt.h"
#include "base/result.h"
#include "base/text.h"
#include "check/culprit.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "lab/laboratory.h"
#include "model/benchmark.h"
#include "model/commit.h"
#include "model/metric.h"
#include "report/bisection.h"

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

// git bisect run takes these for "cannot be told", and for "stop".
constexpr int skip_this_commit = 125;
constexpr int stop_bisecting = 128;

Result<std::string> metric_of(const Words& words, const Benchmark& benchmark) {
  const std::string metric = words.has("metric")         ? words.value("metric")
                             : benchmark.metrics.empty() ? "wall"
                                                         : benchmark.metrics.front();
  if (!is_known_metric(metric))
    return words.misuse(fmt::format("there is no metric '{}'", metric),
                        did_you_mean(metric, metric_names()));
  if (benchmark.suite != Suite::None && metric != "wall" && metric != "cpu")
    return words.misuse(fmt::format("a suite's case has no {}", metric),
                        "--metric wall or --metric cpu");
  return metric;
}

// The one benchmark that is meant, as the bad end has it.
Result<Benchmark> benchmark_of(const Words& words, lab::Laboratory& lab, const Commit& bad) {
  const auto wanted = words.values("benchmark");
  if (wanted.empty())
    return words.misuse("which benchmark became slower is not said",
                        "name it with -b; dragnet.toml has their names");
  auto cases = TRY(cases_at(lab, wanted, bad));
  if (cases.benchmarks.size() != 1)
    return words.misuse(fmt::format("one benchmark is bisected at a time, and these are {}: {}",
                                    cases.benchmarks.size(), join(cases.names(), ", ")),
                        fmt::format("-b {}", cases.names().front()));
  return std::move(cases.benchmarks.front());
}

Result<double> confidence_of(const Words& words) {
  constexpr double least = 0.5;
  constexpr double most = 0.9999;
  const double confidence = TRY(words.share("confidence"));
  if (confidence < least || confidence > most)
    return words.misuse(fmt::format("--confidence {} is out of reach", words.value("confidence")),
                        "from 50% to 99.99%");
  return confidence;
}

Result<check::CulpritRequest> request_of(const Words& words, lab::Laboratory& lab) {
  check::CulpritRequest request;
  request.how.confidence = TRY(confidence_of(words));
  request.how.budget = TRY(words.duration("budget"));
  request.good = TRY(lab.repository().commit(words.argument("GOOD")));
  request.bad = TRY(lab.repository().commit(words.argument("BAD")));
  request.how.benchmark = TRY(benchmark_of(words, lab, request.bad));
  request.how.metric = TRY(metric_of(words, request.how.benchmark));
  request.how.method = lab.method_for(request.how.metric);
  request.how.smallest_effect = words.has("smallest-effect")
                                    ? TRY(words.share("smallest-effect"))
                                    : request.how.benchmark.smallest_effect_of(request.how.metric);
  return request;
}

Result<int> search(const Words& words, lab::Laboratory& lab, Surroundings& surroundings) {
  const auto request = TRY(request_of(words, lab));
  const report::Searched searched{lab.project().name, version(),
                                  TRY(check::find_culprit(lab, request, surroundings.progress))};
  surroundings.output.write(words.value("format") == "json"
                                ? report::bisection_json(searched)
                                : report::bisection_text(searched, surroundings.colour));
  for (const bisect::Finding& found : searched.findings)
    if (found.stopped_by)
      return *found.stopped_by;
  return bisect::exit_status(searched.findings.front());
}

Result<check::Likeness> likeness_of_head(const Words& words, lab::Laboratory& lab,
                                         Surroundings& surroundings) {
  const auto request = TRY(request_of(words, lab));
  const auto head = TRY(lab.repository().commit("HEAD"));
  return check::compare_with_ends(lab, request, head, surroundings.progress);
}

// Any status from 1 to 127 but 125 would tell git that the commit is bad: trouble must not look
// like that.
Result<int> judge_for_git(const Words& words, lab::Laboratory& lab, Surroundings& surroundings) {
  const auto likeness = likeness_of_head(words, lab, surroundings);
  if (!likeness && interrupted())
    return likeness.error();
  if (!likeness) {
    surroundings.progress.warn(likeness.error().what);
    if (!likeness.error().hint.empty())
      surroundings.progress.warn("hint: " + likeness.error().hint);
    return stop_bisecting;
  }
  switch (*likeness) {
  case check::Likeness::Good:
    surroundings.output.write("HEAD is like the good end.\n");
    return 0;
  case check::Likeness::Bad:
    surroundings.output.write("HEAD is like the bad end.\n");
    return 1;
  case check::Likeness::Unknown:
    break;
  }
  surroundings.output.write("HEAD cannot be built, measured or told from the ends.\n");
  return skip_this_commit;
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  watch_for_interrupts();
  const auto memory = words.has("again") ? lab::Memory::MeasureAgain : lab::Memory::Use;
  auto project = TRY(open_project(surroundings));
  const auto lab = TRY(lab::Laboratory::open(std::move(project), memory, surroundings.progress));
  return words.has("run") ? judge_for_git(words, *lab, surroundings)
                          : search(words, *lab, surroundings);
}

std::vector<Option> options() {
  return {{.letter = "b",
           .name = "benchmark",
           .value = "NAME",
           .meaning = "the benchmark that changed; always needed",
           .repeated = true,
           .completes = Completes::Benchmark},
          {.name = "metric",
           .value = "METRIC",
           .meaning = "search by this metric in place of the first in dragnet.toml",
           .completes = Completes::Metric},
          {.name = "confidence",
           .value = "SHARE",
           .meaning = "how probable the culprit must be to be named",
           .standard = "95%"},
          build_budget_option(),
          {.name = "smallest-effect",
           .value = "SHARE",
           .meaning = "ends that differ by less count as alike, for example 5%"},
          {.name = "run", .meaning = "only judge HEAD, with an exit status for git bisect run"},
          again_option(),
          format_option({"text", "json"})};
}

} // namespace

Command bisect_command() {
  Command command;
  command.name = "bisect";
  command.group = "Judge";
  command.summary = "find the commit that made a benchmark slower";
  command.description =
      "Searches between two commits of which the older one is fast and the newer one slow (or the "
      "other way round) for the commit that made the difference. Each round measures both ends and "
      "one commit between them next to each other, so that noise and drift of the machine are "
      "reckoned with; the commit that tells most is built next. The answer has a probability, and "
      "the size of the change an interval.\n\n"
      "Commits are searched along first parents; where a merge is named, its branch is searched "
      "too. A commit that does not build is left out, and named where it could be the one.\n\n"
      "Every run is kept at once in .dragnet: after an interruption, or with a larger budget, the "
      "same command goes on where it was.\n\n"
      "With --run it judges HEAD alone and ends with 0 (like GOOD), 1 (like BAD), 125 (cannot be "
      "built or told) or 128 (trouble), which is what git bisect run wants to hear.";
  command.arguments = {{"GOOD", "the older end", 1, 1, Completes::Commit},
                       {"BAD", "the newer end, a descendant of GOOD", 1, 1, Completes::Commit}};
  command.options = options();
  command.examples = {
      {"dragnet bisect v1.0 HEAD -b insert",
       "since v1.0, which commit changed the time of insert?"},
      {"dragnet bisect v1.0 HEAD -b insert --metric instructions",
       "the same by counted instructions"},
      {"git bisect run dragnet bisect --run v1.0 v1.1 -b insert", "let git lead the search"}};
  command.exits = {{0, "a culprit is named"},
                   {2, "trouble: bad use, bad configuration, an end that cannot be built or run"},
                   {3, "inconclusive: the ends are alike, or the budget was spent"},
                   {4, "nothing was measured"},
                   {130, "interrupted"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
