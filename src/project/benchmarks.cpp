#include "project/benchmarks.h"

#include "base/text.h"
#include "model/benchmark.h"
#include "model/metric.h"
#include "project/document.h"
#include "project/effects.h"
#include "project/mistakes.h"
#include "project/section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::project {
namespace {

constexpr int most_cores = 4096;
constexpr int most_warm_ups = 1000;
const std::array<std::string, 2> suite_metrics{"wall", "cpu"};

bool suite_can_measure(const std::string& metric) {
  return std::ranges::find(suite_metrics, metric) != suite_metrics.end();
}

// What [measure] and [[benchmark]] have in common.
void read_shared(const Section& section, Benchmark& benchmark) {
  if (const auto limit = section.duration("timeout"))
    benchmark.limit = *limit;
  if (const auto cores = section.whole("cores", 0, most_cores))
    benchmark.cores = *cores;
  if (const auto start = section.text("start"))
    benchmark.start = start->value;
  read_smallest_effect(section, benchmark.smallest_effect);
}

void check_metrics(const Section& section, const std::vector<Placed<std::string>>& metrics,
                   Suite suite) {
  if (metrics.empty())
    section.wrong(section.find("metrics")->value.at, "metrics", "is empty",
                  "name at least one, such as \"wall\"");
  for (const auto& [metric, at] : metrics) {
    if (!is_known_metric(metric))
      section.wrong(at, "metrics", fmt::format("has the unknown metric '{}'", shown(metric)),
                    did_you_mean(metric.substr(0, 60), metric_names()));
    else if (measures_itself(suite) && !suite_can_measure(metric))
      section.wrong(
          at, "metrics",
          fmt::format("has '{}', which cannot be measured for the cases of a suite", metric),
          "a suite measures its cases itself: wall and cpu");
  }
}

// The metrics of a benchmark that names none: those of [measure], as far as a suite can measure
// them.
void inherit_metrics(const Section& section, Benchmark& benchmark) {
  if (!measures_itself(benchmark.suite))
    return;
  std::erase_if(benchmark.metrics,
                [](const std::string& metric) { return !suite_can_measure(metric); });
  if (benchmark.metrics.empty())
    section.mistakes().add(
        section.at(), "none of the metrics in [measure] can be measured for the cases of a suite",
        "add to this entry: metrics = [\"wall\"]");
}

void read_metrics(const Section& section, Benchmark& benchmark) {
  if (section.find("metrics") == nullptr) {
    inherit_metrics(section, benchmark);
  } else if (const auto metrics = section.texts("metrics")) {
    check_metrics(section, *metrics, benchmark.suite);
    benchmark.metrics = values_of(*metrics);
  }
}

Suite read_suite(const Section& section) {
  // In the order of Suite, without None; what follows is known, but not supported.
  const std::array<std::string, 6> known{"google-benchmark", "googletest", "catch2",
                                         "doctest",          "ctest",      "nanobench"};
  const auto suite = section.text("suite");
  if (!suite)
    return Suite::None;
  const std::string word = canonical(suite->value);
  const auto* const found = std::ranges::find(known, word);
  if (found != known.end() && word != "nanobench")
    return static_cast<Suite>(1 + (found - known.begin()));
  if (found != known.end())
    section.wrong(suite->at, "suite", fmt::format("is '{}', which is not supported yet", word),
                  "give each case its own [[benchmark]] with a command that runs only it");
  else
    section.wrong(suite->at, "suite", fmt::format("is the unknown kind '{}'", shown(word)),
                  did_you_mean(word.substr(0, 60), known));
  return Suite::None;
}

// The words of a command up to white space, without quotes: enough to find the program in it.
std::vector<std::string> words_of(std::string_view command) {
  std::string spaced(command);
  std::ranges::replace_if(
      spaced, [](char c) { return std::string_view("\t\r\n").contains(c); }, ' ');
  std::erase_if(spaced, [](char c) { return c == '"' || c == '\''; });
  auto words = split(spaced, ' ');
  std::erase(words, "");
  return words;
}

// The last part of the program's path: of the first word that lies below $DRAGNET_BUILD, or else of
// the first word that does not set a variable.
std::string name_of_program(std::string_view command) {
  const auto words = words_of(command);
  const auto is_built = [](const std::string& word) {
    return word.starts_with("$DRAGNET_BUILD/") || word.starts_with("${DRAGNET_BUILD}/");
  };
  auto program = std::ranges::find_if(words, is_built);
  if (program == words.end())
    program =
        std::ranges::find_if(words, [](const std::string& word) { return !word.contains('='); });
  return program == words.end() ? std::string() : program->substr(program->rfind('/') + 1);
}

void read_name(const Section& section, Benchmark& benchmark) {
  if (section.find("name") == nullptr && section.find("suite") != nullptr) {
    benchmark.name = name_of_program(benchmark.command);
    const std::string problem = problem_of_name(benchmark.name);
    if (!benchmark.command.empty() && (!problem.empty() || benchmark.name.contains('$')))
      section.mistakes().add(section.at(),
                             "[[benchmark]] needs 'name': none can be taken from its command",
                             "add a line such as: name = \"micro\"");
    return;
  }
  const auto name = section.required_text("name", "\"insert\"");
  if (!name)
    return;
  benchmark.name = name->value;
  if (const std::string problem = problem_of_name(name->value); !problem.empty())
    section.wrong(name->at, "name", problem, "use letters, digits, '-', '_' and '.'");
}

void read_environment(const Section& section, Benchmark& benchmark) {
  const Entry* entry = section.find("environment");
  if (entry == nullptr)
    return;
  if (entry->value.kind != Kind::Table) {
    section.expect(entry->value, "environment", "a table of texts",
                   "write it like: environment = { THREADS = \"4\" }");
    return;
  }
  std::vector<Placed<std::string>> names;
  for (const auto& [variable, at, value] : entry->value.entries) {
    names.push_back({variable, at});
    if (value.kind != Kind::Text)
      section.expect(value, "environment", "a table of texts", "put the value in double quotes");
    else if (value.text.contains('\0'))
      section.wrong(value.at, "environment", "has a value with the character U+0000");
    else
      benchmark.environment[variable] = value.text;
  }
  check_variables(section, "environment", names);
}

Benchmark read_benchmark(const Section& section, const Defaults& defaults) {
  Benchmark benchmark = defaults.benchmark;
  benchmark.suite = read_suite(section);
  if (const auto command = section.required_text("command", "\"$DRAGNET_BUILD/program input.txt\""))
    benchmark.command = command->value;
  read_name(section, benchmark);
  read_shared(section, benchmark);
  // What is wrong with a suite's word must not lead to complaints about its metrics.
  if (section.find("suite") == nullptr || benchmark.suite != Suite::None)
    read_metrics(section, benchmark);
  read_environment(section, benchmark);
  if (const auto prepare = section.text("prepare"))
    benchmark.prepare = prepare->value;
  if (const auto inputs = section.texts("inputs")) {
    check_paths(section, "inputs", *inputs, "the root");
    benchmark.inputs = values_of(*inputs);
  }
  return benchmark;
}

} // namespace

Defaults read_measure(const Node* table, Mistakes& mistakes) {
  const std::array<std::string, 7> known{"warm-up",         "cores",       "timeout", "metrics",
                                         "smallest-effect", "environment", "start"};
  Defaults defaults;
  defaults.benchmark.metrics = {"wall"};
  if (table == nullptr)
    return defaults;
  const Section section(*table, "[measure]", known, mistakes);
  read_shared(section, defaults.benchmark);
  read_metrics(section, defaults.benchmark);
  if (const auto warm_up = section.whole("warm-up", 0, most_warm_ups))
    defaults.warm_up = *warm_up;
  if (const auto names = section.texts("environment")) {
    check_variables(section, "environment", *names);
    defaults.environment = values_of(*names);
  }
  return defaults;
}

std::vector<Benchmark> read_benchmarks(const Node& list, const Defaults& defaults,
                                       Mistakes& mistakes) {
  const std::array<std::string, 11> known{
      "name",        "command", "suite",   "metrics", "smallest-effect", "timeout", "cores",
      "environment", "inputs",  "prepare", "start"};
  std::vector<Benchmark> benchmarks;
  std::map<std::string, Position> seen;
  for (const auto& table : list.items) {
    const Section section(table, "[[benchmark]]", known, mistakes);
    benchmarks.push_back(read_benchmark(section, defaults));
    const std::string& name = benchmarks.back().name;
    const Entry* given = section.find("name");
    const Position at = given == nullptr ? section.at() : given->value.at;
    if (const auto [first, is_new] = seen.emplace(name, at); !is_new && !name.empty())
      mistakes.add(at,
                   fmt::format("the benchmark '{}' is defined twice, first in line {}", name,
                               first->second.line),
                   "give one of them another name");
  }
  return benchmarks;
}

} // namespace dragnet::project
