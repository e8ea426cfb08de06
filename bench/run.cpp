// What Dragnet itself costs: starting and accounting a run, keeping a sample, starting the program.
// Prints a table, ends with one line of figures, and exits 0 exactly when each figure is within its
// limit.

#include "base/files.h"
#include "base/process.h"
#include "run/executor.h"
#include "store/sqlite_store.h"

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace dragnet; // NOLINT(google-build-using-namespace): a program about it
namespace fs = std::filesystem;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The floor: what the kernel and the C library need to start a program and account it.
void spawn_and_wait(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const auto& word : words)
    pointers.push_back(
        const_cast<char*>(word.c_str())); // NOLINT(cppcoreguidelines-pro-type-const-cast)
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
  pid_t child = -1;
  ::posix_spawn(&child, pointers[0], &actions, nullptr, pointers.data(), ::environ);
  ::posix_spawn_file_actions_destroy(&actions);
  rusage usage{};
  int status = 0;
  ::wait4(child, &status, 0, &usage);
}

struct Figure {
  std::string what;
  double value;
  double limit;
  double floor; ///< what the same costs without Dragnet; 0 where there is no such thing
};

Result<Figure> cost_of_a_run(int rounds) {
  auto executor = TRY(run::LocalExecutor::start());
  run::Job job;
  job.words = {"/bin/true"};
  job.folder = "/";
  job.fixed_addresses = true;
  std::vector<double> plain;
  std::vector<double> ours;
  for (int i = 0; i < rounds; ++i) {
    plain.push_back(seconds_of([] { spawn_and_wait({"/bin/true"}); }));
    ours.push_back(seconds_of([&] { (void)executor.carry_out(job).has_value(); }));
  }
  return Figure{"a run, over posix_spawn + wait4", median(ours) - median(plain), 1e-3,
                median(plain)};
}

Run run_with_all_metrics() {
  Run run;
  for (const char* metric :
       {"wall", "cpu", "user", "system", "memory", "page-faults", "context-switches", "bytes-read",
        "bytes-written", "reads", "writes", "instructions"})
    run.samples[metric] = 1.25;
  return run;
}

Result<Figure> cost_of_a_sample(const fs::path& folder, int runs) {
  auto store = TRY(store::open_sqlite(folder / "bench.sqlite"));
  const store::RunKey key{"build", "benchmark", "machine", Method::Timed};
  Build build;
  build.key = key.build;
  Machine machine;
  machine.key = key.machine;
  TRY(store->keep(machine));
  TRY(store->keep(Definition{key.benchmark, "name", "command"}));
  TRY(store->keep(build));
  const Run run = run_with_all_metrics();
  std::vector<double> costs;
  for (int i = 0; i < runs; ++i) {
    const store::Place place{"duel", 1, static_cast<std::size_t>(i), store::Side::Base};
    costs.push_back(seconds_of([&] { (void)store->keep(key, run, place).has_value(); }));
  }
  double total = 0;
  for (const double cost : costs)
    total += cost;
  const auto samples = static_cast<double>(run.samples.size()) * runs;
  return Figure{"a stored sample, amortised", total / samples, 20e-6, 0};
}

double start_time(const std::vector<std::string>& words, int rounds) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i)
    times.push_back(seconds_of([&] { spawn_and_wait(words); }));
  return median(times);
}

Result<> make_project(const fs::path& folder) {
  TRY(write_file(folder / "dragnet.toml",
                 "[build]\ncommand = \"true\"\n[[benchmark]]\nname = \"a\"\ncommand = \"true\"\n"));
  TRY(write_file(folder / "samples.csv",
                 "benchmark,metric,value\na,wall,0.5\na,wall,0.6\na,wall,0.55\n"));
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"git", "init", "-q", "."},
           {"git", "add", "dragnet.toml"},
           {"git", "-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "start"}})
    TRY(run_command(words, {folder, {}}));
  return success();
}

Result<std::vector<Figure>> measure(int scale) {
  const auto scratch = TRY(ScratchFolder::make(fs::temp_directory_path() / "dragnet-bench"));
  const auto program = TRY(helper_program("dragnet")).string();
  TRY(make_project(scratch.path()));
  TRY(run_command({program, "-C", scratch.path().string(), "import", "samples.csv"}));
  std::vector<Figure> figures;
  figures.push_back(TRY(cost_of_a_run(100 * scale)));
  figures.push_back(TRY(cost_of_a_sample(scratch.path(), 500 * scale)));
  const double floor = start_time({"/bin/true"}, 20 * scale);
  figures.push_back({"dragnet --help", start_time({program, "--help"}, 20 * scale), 10e-3, floor});
  figures.push_back({"dragnet show",
                     start_time({program, "-C", scratch.path().string(), "show"}, 20 * scale),
                     10e-3, floor});
  return figures;
}

int print(const std::vector<Figure>& figures) {
  bool held = true;
  std::string last;
  fmt::print("{:<34} {:>10} {:>10} {:>14}\n", "what", "measured", "limit", "without it");
  for (const auto& figure : figures) {
    held = held && figure.value <= figure.limit;
    fmt::print("{:<34} {:>7.1f} us {:>7.0f} us {:>11.1f} us\n", figure.what, figure.value * 1e6,
               figure.limit * 1e6, figure.floor * 1e6);
    last +=
        fmt::format("{}{} {:.1f} us", last.empty() ? "" : ", ", figure.what, figure.value * 1e6);
  }
  fmt::print("{}: {}\n", held ? "held" : "NOT HELD", last);
  return held ? 0 : 1;
}

} // namespace

int main(int count, char** words) {
  const bool quick =
      count > 1 && std::string_view(words[1]) == "--quick"; // NOLINT: main's own form
  const auto figures = measure(quick ? 1 : 5);
  if (!figures) {
    fmt::print(stderr, "bench/run: {}\n", figures.error().what);
    return 2;
  }
  return print(*figures);
}
