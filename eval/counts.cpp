// counts BUILD PROGRAM COMMAND: profiles a command twice in our way and once by callgrind, and
// prints a line per function of the program: name, calls (ours, again, callgrind's), instructions
// (alike).
#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "profile/callgrind.h"
#include "profile/profiler.h"
#include "run/executor.h"
#include "tests/fakes/nm_table.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace dragnet; // NOLINT(google-build-using-namespace): a program about it
namespace fs = std::filesystem;

// Calls and instructions of one function in each of the three profiles.
struct Row {
  std::array<std::uint64_t, 3> calls{};
  std::array<std::uint64_t, 3> instructions{};
};
using Rows = std::map<std::string, Row>;

void add(Rows& rows, const Profile& profile, std::size_t which) {
  for (const auto& function : profile.functions) {
    rows[function.function.name].calls[which] = function.calls;
    rows[function.function.name].instructions[which] = function.instructions;
  }
  for (const auto& edge : profile.edges)
    rows[edge.caller.name + " > " + edge.callee.name].calls[which] += edge.calls;
}

Result<Profile> by_callgrind(run::Executor& executor, run::Job job, const fs::path& folder,
                             const profile::Tables& tables) {
  // Jumps through the linkage table are no part of the function that makes them.
  const std::vector<std::string> valgrind{"valgrind",
                                          "--tool=callgrind",
                                          "--dump-instr=yes",
                                          "--trace-children=yes",
                                          "--skip-plt=no",
                                          "--quiet",
                                          "--callgrind-out-file=" +
                                              (folder / "%p.callgrind").string()};
  job.words.insert(job.words.begin(), valgrind.begin(), valgrind.end());
  const auto finished = TRY(executor.carry_out(job));
  if (finished.ending != run::Ending::Exited || finished.status != 0)
    return Error{"callgrind failed: " + finished.log, {}};
  std::vector<profile::CallgrindOutput> outputs;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".callgrind")
      continue;
    const auto text = TRY(read_file(entry.path()));
    outputs.push_back(TRY(profile::parse_callgrind(text)));
  }
  return profile::attribute(outputs, tables, {});
}

Result<Rows> measure(const fs::path& build, const fs::path& program, const std::string& command) {
  const auto scratch = TRY(ScratchFolder::make(fs::temp_directory_path() / "dragnet-eval"));
  auto executor = TRY(run::LocalExecutor::start());
  const FunctionTable table = fakes::nm_table(program);
  const profile::Tables tables{{fs::canonical(program).string(), &table}};
  profile::Question question;
  question.job.words = {"/bin/sh", "-c", command};
  question.job.variables = {"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=/"};
  question.job.folder = "/";
  question.build = build;
  question.scratch = scratch.path();
  Rows rows;
  for (const std::size_t which : {0, 1}) {
    const auto profile = TRY(profile::profile(executor, question, tables, {}));
    if (profile.counting != Counting::Emulated)
      return Error{"it did not run in the emulator", {}};
    add(rows, profile, which);
  }
  add(rows, TRY(by_callgrind(executor, question.job, scratch.path(), tables)), 2);
  return rows;
}

} // namespace

int main(int count, char** words) {
  if (count != 4) {
    fmt::print(stderr, "usage: counts BUILD PROGRAM COMMAND\n");
    return 2;
  }
  const auto rows = measure(words[1], words[2], words[3]);
  if (!rows) {
    fmt::print(stderr, "eval/counts: {}\n", rows.error().what);
    return 2;
  }
  for (const auto& [name, row] : *rows) {
    std::string clean = name;
    std::ranges::replace(clean, ',', ';');
    fmt::print("{},{},{}\n", clean, fmt::join(row.calls, ","), fmt::join(row.instructions, ","));
  }
  return 0;
}
