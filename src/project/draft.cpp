#include "project/draft.h"

#include "base/result.h"
#include "base/text.h"
#include "project/section.h"
#include "project/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace dragnet::project {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view preface =
    R"(# How Dragnet builds and measures this project. docs/configuration.md describes every key.
# What is commented out is optional and shows an example. Lines marked "check" were guessed by `dragnet init`.

)";

constexpr std::string_view after_build =
    R"(# binaries = ["program"]       # below $DRAGNET_BUILD: whose functions are compared; without it, all
# environment = ["CC", "CXX"]  # your variables that the build sees; a change of them builds anew
# timeout = "1h"

# What holds for all benchmarks; each can say otherwise.
# [measure]
# metrics = ["wall"]           # also: cpu, user, system, instructions, memory, page-faults, ...
# smallest-effect = "2%"       # smaller changes do not matter to you
# warm-up = 1                  # runs before the first that counts
# cores = 1                    # how many cores a run may use; 0 for all
# timeout = "5m"
# environment = ["LANG"]       # your variables that every run sees

# The benchmarks. A command runs in the project's root; $DRAGNET_BUILD is the folder of the build that is measured.
)";

constexpr std::string_view after_benchmarks =
    R"(# prepare = "cp bench/data.db /tmp/data.db"  # before each run, not measured
# inputs = ["bench/input.txt"]               # a change of these files makes it another benchmark
# environment = { THREADS = "1" }

# All cases of a Google Benchmark program, each as a benchmark of its own:
# [[benchmark]]
# suite = "google-benchmark"
# command = "$DRAGNET_BUILD/bench_all"

# The options under which `dragnet variants` compares commits.
# [[option]]
# name = "compress"
# flag = "--compress"          # or: build = "-DCOMPRESS=ON", or: variable = "COMPRESS"
#
# [constraints]
# clauses = ["encrypt implies compress"]

# The inputs from which `dragnet provoke` searches those that make the new version slow.
# [provoke]
# genes = "bench/statements.sql"   # one input per line, or per block separated by an empty line
# command = "$DRAGNET_BUILD/shell" # the input arrives on standard input
)";

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

std::string project_section(const fs::path& root) {
  std::error_code problem;
  const fs::path whole = (fs::absolute(root, problem) / ".").lexically_normal().parent_path();
  const std::string name = whole.filename().string();
  if (is_printable(name) && problem_of_name(name).empty())
    return fmt::format("[project]\nname = \"{}\"\n\n", name);
  return "[project]\n# name = \"program\"  # without it, the name of the folder\n\n";
}

std::string command_for_sources(const Found& found) {
  const bool is_c = std::ranges::all_of(
      found.sources, [](const std::string& file) { return file.ends_with(".c"); });
  const bool links = !found.programs.empty() && found.programs.front().is_google_benchmark;
  const std::string name = found.programs.empty() ? "program" : found.programs.front().path;
  return fmt::format("{} -O2 -g -o $DRAGNET_BUILD/{} {}{}", is_c ? "cc" : "c++", name,
                     join(found.sources, " "), links ? " -lbenchmark -lpthread" : "");
}

struct BuildText {
  std::string command;
  std::string advice;
};

BuildText build_text(const Found& found) {
  switch (found.system) {
  case BuildSystem::CMake:
    return {"cmake -S . -B $DRAGNET_BUILD -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build "
            "$DRAGNET_BUILD -j2",
            "check: add the options that your benchmarks need, such as -DBUILD_BENCHMARKS=ON"};
  case BuildSystem::Meson:
    return {"meson setup --buildtype=debugoptimized $DRAGNET_BUILD . && meson compile -C "
            "$DRAGNET_BUILD -j2",
            "check: add the options that your benchmarks need, such as -Dbenchmarks=true"};
  case BuildSystem::Autoconf:
    return {(found.has_configure ? std::string() : "autoreconf -fi && ") +
                "(cd $DRAGNET_BUILD && $OLDPWD/configure) && make -C $DRAGNET_BUILD -j2",
            "check: this builds outside the source; if that fails: ./configure && make -j2 && cp "
            "-a . $DRAGNET_BUILD/"};
  case BuildSystem::Make:
    return {"make -j2 && cp -a . $DRAGNET_BUILD/",
            "check: if your Makefile can build elsewhere, that saves the copy, for example: make "
            "-j2 O=$DRAGNET_BUILD"};
  case BuildSystem::Sources:
    return {command_for_sources(found),
            "check: there is no build system, so that this compiles the sources as they are"};
  case BuildSystem::Unknown:
    break;
  }
  return {"echo 'dragnet.toml does not say yet how to build this project' >&2; exit 1",
          "check: replace this; no build system was recognised"};
}

std::string build_section(const Found& found) {
  const auto [command, advice] = build_text(found);
  return fmt::format(
      "# Runs in a clean checkout of the commit and leaves its results in $DRAGNET_BUILD, an empty "
      "folder. Keep\n"
      "# optimisation on, and debugging information too: it costs no speed and names functions.\n"
      "[build]\n# {}\ncommand = \"{}\"\n{}",
      advice, command, after_build);
}

std::string file_part(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

// Two programs in different folders may share a name; their benchmarks must not.
std::string unused_name(const std::string& wanted, std::set<std::string>& used) {
  std::string name = wanted;
  for (int number = 2; !used.insert(name).second; ++number)
    name = fmt::format("{}-{}", wanted, number);
  return name;
}

std::string suite_entry(const Program& program, std::set<std::string>& used) {
  return fmt::format("[[benchmark]]\nname = \"{}\"\nsuite = \"google-benchmark\"\ncommand = "
                     "\"$DRAGNET_BUILD/{}\"\n\n",
                     unused_name(file_part(program.path), used), program.path);
}

std::string command_entry(const std::string& path) {
  return fmt::format("[[benchmark]]\nname = \"{}\"\ncommand = \"$DRAGNET_BUILD/{} --version\"  # "
                     "check: replace by a command "
                     "that works for a second or so\n",
                     file_part(path), path);
}

std::string benchmark_entries(const Found& found) {
  std::string entries;
  std::set<std::string> used;
  for (const auto& program : found.programs)
    if (program.is_google_benchmark)
      entries += suite_entry(program, used);
  if (!entries.empty())
    return entries.substr(0, entries.size() - 1);
  return command_entry(found.programs.empty() ? "program" : found.programs.front().path);
}

} // namespace

Result<std::string> draft(const fs::path& root) {
  const Found found = TRY(survey(root));
  return std::string(preface) + project_section(root) + build_section(found) +
         benchmark_entries(found) + std::string(after_benchmarks);
}

} // namespace dragnet::project
