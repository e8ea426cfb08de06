// dragnet rank: in which order should the tests run for a commit?

#include "analysis/rank/revision.h"
#include "base/result.h"
#include "check/ranking.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "history/repository.h"
#include "lab/laboratory.h"
#include "report/ranking.h"

#include <utility>

namespace dragnet::cli {
namespace {

Result<check::RankingRequest> request_of(const Words& words, lab::Laboratory& laboratory) {
  using Line = history::Repository::Line;
  const auto line =
      TRY(laboratory.repository().ancestors(words.argument("COMMIT", "HEAD"), 2, Line::First));
  check::RankingRequest request;
  request.commit = line.front();
  request.tests = words.values("tests");
  request.method = rank::method_of(words.value("method")).value_or(rank::Method::Ours);
  if (words.has("base"))
    request.base = TRY(laboratory.repository().commit(words.value("base")));
  else if (line.size() > 1)
    request.base = line[1];
  else
    return Error{"the commit has no parent to compare with", "name another with --base COMMIT"};
  return request;
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  auto project = TRY(open_project(surroundings));
  const auto laboratory =
      TRY(lab::Laboratory::open(std::move(project), lab::Memory::Use, surroundings.progress));
  const auto request = TRY(request_of(words, *laboratory));
  const report::RankedCommit ranked{.project = laboratory->project().name,
                                    .commit = request.commit,
                                    .base = request.base,
                                    .method = words.value("method"),
                                    .ranking = TRY(check::rank_tests(*laboratory, request))};
  surroundings.output.write(
      words.value("format") == "json"
          ? report::ranking_json(ranked, version())
          : report::ranking_text(ranked,
                                 words.has("why") ? report::Reasons::All : report::Reasons::Short,
                                 surroundings.colour));
  return 0;
}

} // namespace

Command rank_command() {
  Command command;
  command.name = "rank";
  command.group = "Predict";
  command.summary = "say in which order to run the tests for a commit";
  command.description =
      "Estimates from the source how much the commit changes the cost of each benchmark, and puts "
      "those first that it changes most, faster or slower alike. The base is built by Clang once "
      "so "
      "that it counts what the benchmarks execute; the commit itself is only read. Needs a compile "
      "database, which CMake and Meson make. Times nothing.";
  command.arguments = {{"COMMIT", "which one; HEAD when it is left out", 0, 1, Completes::Commit}};
  command.options = {
      {.name = "base",
       .value = "COMMIT",
       .meaning = "compare with this commit; its parent when it is left out",
       .completes = Completes::Commit},
      {.letter = "t",
       .name = "tests",
       .value = "NAME",
       .meaning = "only this benchmark, suite, or all that match a pattern with *",
       .repeated = true,
       .completes = Completes::Benchmark},
      {.name = "method",
       .value = "NAME",
       .meaning =
           "how to order: by our estimate, as PerfRanker was published, or by what tests cover",
       .standard = "dragnet",
       .choices = {"dragnet", "perfranker", "coverage", "loop-coverage"}},
      {.letter = "w", .name = "why", .meaning = "show the way from each test to what changed"},
      format_option({"text", "json"})};
  command.examples = {{"dragnet rank", "what to run first for HEAD"},
                      {"dragnet rank --why --base v1.0", "what changed since v1.0, with the ways"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
