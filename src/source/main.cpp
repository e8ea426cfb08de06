// dragnet-source: reads C and C++ source and the counters of Clang for dragnet. A program of its
// own because Clang's libraries take tens of milliseconds to load.

#include "base/files.h"
#include "base/result.h"
#include "facts/counts.h"
#include "facts/facts_file.h"
#include "facts/library_file.h"
#include "facts/unit_facts.h"
#include "source/counters.h"
#include "source/database.h"
#include "source/library_costs.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/core.h>
#include <iterator>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace {

using dragnet::Error;
using dragnet::Result;
using Words = std::vector<std::string>;

constexpr const char* usage = "dragnet-source facts DATABASE ROOT CACHE OUTPUT [FILE...]\n"
                              "dragnet-source counts FACTS ROOT BINARY... [-- OUTPUT RAW...]...\n"
                              "dragnet-source library OUTPUT\n";

// All facts of the units of a compile database and of further files, into a file.
Result<> facts(const Words& words) {
  const auto commands =
      TRY(dragnet::source::read_database(words[0], {words.begin() + 4, words.end()}));
  const auto all = TRY(dragnet::source::read_source(
      commands, {.root = words[1],
                 .cache = words[2],
                 .threads = std::max(1U, std::thread::hardware_concurrency())}));
  const dragnet::facts::UnitFacts whole{.facts = all, .overrides = {}, .taken = {}};
  return dragnet::write_file(words[3], dragnet::facts::to_text(whole));
}

using Paths = std::vector<std::filesystem::path>;

// The words between each two --.
std::vector<Words> groups_of(const Words& words) {
  std::vector<Words> groups(1);
  for (const std::string& word : words)
    if (word == "--")
      groups.emplace_back();
    else
      groups.back().push_back(word);
  return groups;
}

// What each of some runs executed by the facts of its source, into a file each.
Result<> counts(const Words& words) {
  const auto text = TRY(dragnet::read_file(words[0]));
  const auto unit = TRY(dragnet::facts::parse(text));
  const auto groups = groups_of(words);
  const Paths binaries(groups.front().begin() + 2, groups.front().end());
  for (std::size_t i = 1; i < groups.size(); ++i) {
    const Words& run = groups[i];
    if (run.size() < 2)
      return Error{"a run has no counters", usage};
    const auto counted =
        TRY(dragnet::source::read_counters({run.begin() + 1, run.end()}, binaries, words[1]));
    TRY(dragnet::write_file(run.front(),
                            dragnet::facts::to_text(dragnet::facts::joined(unit.facts, counted))));
  }
  return dragnet::success();
}

// What calls of the library cost on this machine, into a file.
Result<> library(const Words& words) {
  return dragnet::write_file(words[0],
                             dragnet::facts::to_text(dragnet::source::measured_library()));
}

int run(const std::span<char*> arguments) {
  const Words all(arguments.begin(), arguments.end());
  const Words words(all.begin() + std::min<std::ptrdiff_t>(2, std::ssize(all)), all.end());
  const std::string command = all.size() > 1 ? all[1] : "";
  const bool is_right = (command == "facts" && words.size() >= 4) ||
                        (command == "counts" && words.size() >= 3) ||
                        (command == "library" && words.size() == 1);
  if (!is_right) {
    std::fputs(usage, stderr);
    return 2;
  }
  const Result<> result = command == "facts"    ? facts(words)
                          : command == "counts" ? counts(words)
                                                : library(words);
  if (result)
    return 0;
  fmt::print(stderr, "{}\n{}\n", result.error().what, result.error().hint);
  return 2;
}

} // namespace

int main(int count, char** arguments) {
  try {
    return run({arguments, static_cast<std::size_t>(count)});
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}\n\n", problem.what());
    return 2;
  }
}
