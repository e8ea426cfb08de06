// dragnet explain: which stacks do more than they used to?

#include "analysis/explain/derived.h"
#include "analysis/explain/similarity.h"
#include "analysis/explain/watched.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/result.h"
#include "cli/html.h"
#include "cli/outputs.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "cli/stack_answers.h"
#include "history/repository.h"
#include "lab/laboratory.h"
#include "model/commit.h"
#include "profile/stack_monitor.h"
#include "report/contents.h"
#include "report/explanation.h"
#include "report/page.h"
#include "report/stack_export.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

using explain::Quantity;
using explain::Yardstick;

Result<StackRequest> request_of(const Words& words) {
  StackRequest request;
  request.benchmarks = words.values("benchmark");
  request.watching.runs = static_cast<std::size_t>(TRY(words.number("runs", 1, 1000)));
  request.watching.metrics = words.values("metric");
  request.watching.kept_only = words.has("kept");
  request.yardstick =
      words.value("method") == "published" ? Yardstick::Published : Yardstick::Tested;
  request.most = static_cast<std::size_t>(TRY(words.number("top", 1, 1'000'000)));
  return request;
}

profile::Way way_of(const Words& words) {
  const std::string word = words.value("monitor");
  return word == "inside"    ? profile::Way::Inside
         : word == "kernel"  ? profile::Way::Kernel
         : word == "stopped" ? profile::Way::Stopped
                             : profile::Way::Auto;
}

bool is_range(const std::vector<std::string>& names) {
  return names.size() == 1 && names.front().contains("..");
}

Result<StackAnswer> along(const Words& words, lab::Laboratory& lab, const StackRequest& request,
                          Progress& progress) {
  using Line = history::Repository::Line;
  const std::string range = words.argument("COMMIT");
  const auto commits =
      TRY(lab.repository().range(range, words.has("all") ? Line::All : Line::First));
  if (commits.size() < 2)
    return words.misuse(fmt::format("{} has {} commit{}, and an overview needs two", range,
                                    commits.size(), commits.size() == 1 ? "" : "s"),
                        "dragnet explain v1.0..HEAD");
  return follow_commits(lab, commits, request, progress);
}

// The commits that were named, the one to explain last; alone, it is compared with its parent.
Result<std::vector<Commit>> sides(const Words& words, const lab::Laboratory& lab,
                                  Progress& progress) {
  auto commits = TRY(commits_named(lab.repository(), words.arguments("COMMIT"), progress));
  if (commits.size() > 1)
    return commits;
  if (commits.front().parents.empty())
    return Error{fmt::format("{} is the first commit: there is nothing to compare it with",
                             commits.front().id.brief()),
                 "dragnet explain --run COMMIT tells what it does"};
  auto parent = TRY(lab.repository().commit(commits.front().parents.front().text));
  commits.insert(commits.begin(), std::move(parent));
  return commits;
}

Result<StackAnswer> answer_to(const Words& words, lab::Laboratory& lab, const StackRequest& request,
                              Progress& progress) {
  if (words.has("run")) {
    if (!words.arguments("COMMIT").empty())
      return words.misuse("--run tells of one commit, and another is named beside it",
                          "dragnet explain --run COMMIT");
    const auto commit = TRY(lab.repository().commit(words.value("run")));
    return describe_commit(lab, commit, request, progress);
  }
  if (is_range(words.arguments("COMMIT")))
    return along(words, lab, request, progress);
  auto commits = TRY(sides(words, lab, progress));
  const Commit commit = std::move(commits.back());
  commits.pop_back();
  return compare_commits(lab, commits, commit, request, progress);
}

// Formats of other tools hold one benchmark and one metric.
Result<std::string> exported(const Words& words, const StackAnswer& answer) {
  if (answer.exports.size() != 1)
    return words.misuse(fmt::format("--format {} holds one benchmark and one metric, and there "
                                    "are {} of both together",
                                    words.value("format"), answer.exports.size()),
                        "name them: -b BENCHMARK --metric written");
  report::StackExport stacks = answer.exports.front();
  stacks.quantity = words.value("quantity") == "calls" ? Quantity::Calls : Quantity::Amount;
  if (words.value("format") == "folded")
    return report::folded_stacks(stacks);
  if (words.value("format") == "speedscope")
    return report::speedscope_json(stacks, version());
  return report::callgrind_text(stacks, version());
}

Result<std::string> rendered(const Words& words, const StackAnswer& answer, bool colours) {
  if (words.value("format") == "json")
    return report::explanation_json(answer.explanation);
  if (words.value("format") != "text")
    return exported(words, answer);
  report::ExplanationLook look;
  look.colours = colours;
  look.most = static_cast<std::size_t>(TRY(words.number("top", 1, 1'000'000)));
  return report::explanation_text(answer.explanation, look);
}

constexpr std::array<OutputForm, 2> forms{{{"html", ".html"}, {"json", ".json"}}};

bool wants_page(const std::vector<Output>& outputs) {
  return std::ranges::any_of(outputs, [](const Output& one) { return one.form == "html"; });
}

Result<std::string> page(lab::Laboratory& lab, const StackAnswer& answer) {
  auto contents = TRY(contents_at(lab, answer.commit, {}));
  contents.explanation = report::explanation_for_page(answer.page);
  return report::html_page(report::contents_json(contents, version()));
}

Result<> write_files(lab::Laboratory& lab, const StackAnswer& answer,
                     const std::vector<Output>& outputs) {
  for (const Output& output : outputs) {
    const auto text = output.form == "html" ? TRY(page(lab, answer))
                                            : report::explanation_json(answer.explanation);
    TRY_WHILE(fmt::format("cannot write {}", output.file.string()), write_file(output.file, text));
  }
  return success();
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  watch_for_interrupts();
  const auto outputs = TRY(wanted_outputs(words, surroundings.folder, forms));
  auto request = TRY(request_of(words));
  request.page = wants_page(outputs);
  const auto memory = words.has("again") ? lab::Memory::MeasureAgain : lab::Memory::Use;
  auto project = TRY(open_project(surroundings));
  const auto lab = TRY(lab::Laboratory::open(std::move(project), memory, surroundings.progress));
  lab->watch_by(way_of(words));
  const auto answer = TRY(answer_to(words, *lab, request, surroundings.progress));
  TRY(write_files(*lab, answer, outputs));
  surroundings.output.write(TRY(rendered(words, answer, surroundings.colour)));
  return exit_status(answer.explanation);
}

std::vector<Option> options() {
  return {benchmark_option(),
          {.name = "metric",
           .value = "METRIC",
           .meaning = "what to count; several are ranked together; all that is watched when it is "
                      "left out, and 'written' for a range. calls: of the system, of all kinds; "
                      "instructions: by function",
           .repeated = true,
           .choices = explain::stack_metrics()},
          {.letter = "n",
           .name = "runs",
           .value = "N",
           .meaning = "how often to run each commit; a program that differs from run to run needs "
                      "4 or more",
           .standard = "5"},
          {.name = "run",
           .value = "COMMIT",
           .meaning = "tell what this commit does: the stacks and files with most",
           .completes = Completes::Commit},
          {.name = "method",
           .value = "METHOD",
           .meaning = "tested: amounts and calls, with a test, across refactorings; published: by "
                      "the ranges of SpectraPerf",
           .standard = "tested",
           .choices = {"tested", "published"}},
          {.name = "monitor",
           .value = "WAY",
           .meaning = "how to watch. inside: by a library in its programs; kernel: by counting in "
                      "the kernel, which takes root or its capabilities; stopped: by stopping at "
                      "system calls, slow but free of both; auto: inside, and where that misses a "
                      "static program or a call, once more by the kernel or by stops",
           .standard = "auto",
           .choices = {"auto", "inside", "kernel", "stopped"}},
          {.name = "all", .meaning = "all commits of a range, not only along first parents"},
          {.name = "kept", .meaning = "watch nothing new: only what is kept"},
          {.name = "again", .meaning = "watch anew although runs are kept"},
          {.name = "top",
           .value = "N",
           .meaning = "how many entries of each list to show",
           .standard = "10"},
          {.name = "quantity",
           .value = "WHAT",
           .meaning = "what folded stacks, speedscope and callgrind weigh",
           .standard = "amount",
           .choices = {"amount", "calls"}},
          {.name = "output",
           .value = "FILE",
           .meaning = "write the answer to a file, too; its name tells the form: .html, a page "
                      "with run reports, diffs and flame graphs, or .json",
           .repeated = true,
           .completes = Completes::File},
          format_option({"text", "json", "folded", "speedscope", "callgrind"})};
}

} // namespace

Command explain_command() {
  Command command;
  command.name = "explain";
  command.group = "Look";
  command.summary = "say which stacks do more than they used to";
  command.description =
      "Runs the benchmarks of two commits under a monitor that puts every write, read, transfer, "
      "fsync, open and allocation down to its complete stack and file, and says which stacks do "
      "more or less than before, in which function that arises, and how its source changed. Runs "
      "of both commits alternate. A stack is recognised when functions on it are renamed, moved "
      "or inlined.\n\n"
      "With one commit, it is compared with its parent; with several before it, a change is what "
      "differs from each of them. A commit that does not build is replaced by the nearest before "
      "it that does. With a range (v1.0..HEAD), the totals of its commits and where they changed. "
      "Watched runs are kept in .dragnet and used again.";
  command.arguments = {{"COMMIT",
                        "[BASE ...] NEW, or a range; HEAD and its parent when it is left out", 0,
                        any_number, Completes::Commit}};
  command.options = options();
  command.examples = {
      {"dragnet explain v1.0 HEAD -b insert", "what does insert do more than in v1.0?"},
      {"dragnet explain HEAD --metric allocated", "which stacks allocate more than before?"},
      {"dragnet explain --run HEAD", "the stacks and files with most"},
      {"dragnet explain v1.0..HEAD --metric fsync", "since when?"},
      {"dragnet explain v1.0..HEAD -b insert --output insert.html",
       "a page: from the graph over commits to what changed, its runs and its diff"},
      {"dragnet explain HEAD -b insert --metric written --format speedscope > insert.json",
       "a flame graph elsewhere"}};
  command.exits = {{0, "answered, whether something changed or not"},
                   {2, "trouble: bad use, bad configuration, a build or a run that failed"},
                   {3, "inconclusive: runs differ by themselves, and there are too few"},
                   {130, "interrupted"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
