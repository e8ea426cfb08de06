// dragnet report: a page of what the store holds.

#include "base/files.h"
#include "base/result.h"
#include "cli/html.h"
#include "cli/real_commands.h"
#include "cli/setting.h"
#include "lab/laboratory.h"
#include "lab/state.h"
#include "report/contents.h"
#include "report/page.h"

#include <filesystem>
#include <fmt/core.h>
#include <string>
#include <utility>

namespace dragnet::cli {
namespace {

std::filesystem::path file_of(const Words& words, const std::filesystem::path& folder,
                              const lab::Laboratory& lab) {
  return words.has("output") ? folder / words.value("output")
                             : lab::state_of(lab.project().root).folder / "report.html";
}

Result<int> act(const Words& words, Surroundings& surroundings) {
  auto project = TRY(open_project(surroundings));
  const auto lab =
      TRY(lab::Laboratory::open(std::move(project), lab::Memory::Use, surroundings.progress));
  const auto commit = TRY(lab->repository().commit(words.argument("COMMIT", "HEAD")));
  auto check = TRY(lab->archive().last_check(commit.id.text));
  const bool checked = check.has_value();
  const auto contents = TRY(contents_at(*lab, commit, std::move(check).value_or("")));
  if (!checked && contents.timeline.series.empty())
    return Error{
        fmt::format("nothing is known about {} and what came before it", commit.id.brief()),
        "dragnet check measures it"};
  const auto file = file_of(words, surroundings.folder, *lab);
  TRY_WHILE(fmt::format("cannot write {}", file.string()),
            write_file(file, report::html_page(report::contents_json(contents, version()))));
  surroundings.output.write(fmt::format("{}: {} series of {} commits, {} the check of {}\n",
                                        file.string(), contents.timeline.series.size(),
                                        contents.timeline.visited, checked ? "and" : "without",
                                        commit.id.brief()));
  return 0;
}

} // namespace

Command report_command() {
  Command command;
  command.name = "report";
  command.group = "Look";
  command.summary = "make an HTML page of what is known";
  command.description =
      "Writes one page that opens without a server and without a network: the check of the commit, "
      "if there was one, and the series of all benchmarks along the commits that lead to it, with "
      "their changes. Measures nothing.";
  command.arguments = {
      {"COMMIT", "up to which one; HEAD when it is left out", 0, 1, Completes::Commit}};
  command.options = {{.name = "output",
                      .value = "FILE",
                      .meaning = "where to; .dragnet/report.html when it is left out"}};
  command.examples = {{"dragnet report", "what is known up to HEAD"},
                      {"dragnet report v1.2 --output v1.2.html", "up to a tag, to a file"}};
  command.act = act;
  return command;
}

} // namespace dragnet::cli
