#include "lab/selection.h"

#include "base/result.h"
#include "base/text.h"
#include "formats/test_suites.h"
#include "model/benchmark.h"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::lab {
namespace {

bool matches(const std::string& name, const std::string& wanted) {
  return name == wanted || name.starts_with(wanted + "/") ||
         ::fnmatch(wanted.c_str(), name.c_str(), 0) == 0;
}

bool matches_any(const std::string& name, const std::vector<std::string>& wanted) {
  return std::ranges::any_of(wanted, [&](const std::string& one) { return matches(name, one); });
}

// A suite is listed when a wanted name can be one of its cases.
bool may_contain(const Benchmark& entry, const std::string& wanted) {
  if (entry.suite == Suite::None)
    return matches(entry.name, wanted);
  return matches(entry.name, wanted) || wanted.starts_with(entry.name + "/") ||
         wanted.find_first_of("*?[") != std::string::npos;
}

} // namespace

std::vector<Benchmark> entries_for(const std::vector<Benchmark>& entries,
                                   const std::vector<std::string>& wanted) {
  std::vector<Benchmark> found;
  for (const auto& entry : entries)
    if (wanted.empty() ||
        std::ranges::any_of(wanted, [&](const auto& one) { return may_contain(entry, one); }))
      found.push_back(entry);
  // Without any, all are listed: the Error about the unknown name can then say what there is.
  return found.empty() ? entries : found;
}

std::vector<Benchmark> cases_of(const Benchmark& suite, const std::vector<std::string>& names) {
  std::vector<Benchmark> cases;
  for (const auto& name : names) {
    cases.push_back(suite);
    cases.back().suite_case = name;
    cases.back().name = suite.name + "/" + name;
  }
  return cases;
}

std::optional<Benchmark> start_of(const Benchmark& benchmark) {
  const std::string command = benchmark.start.empty()
                                  ? formats::start_command(benchmark.suite, benchmark.command)
                                  : benchmark.start;
  if (command.empty())
    return std::nullopt;
  Benchmark start = benchmark;
  start.name = benchmark.start.empty()
                   ? benchmark.name.substr(0, benchmark.name.find('/')) + " without a case"
                   : "start of " + benchmark.start;
  start.start.clear();
  start.command = command;
  start.suite = Suite::None;
  start.suite_case.clear();
  return start;
}

Result<> keep_wanted(std::vector<Benchmark>& benchmarks, const std::vector<std::string>& wanted) {
  if (wanted.empty())
    return success();
  std::vector<std::string> names;
  names.reserve(benchmarks.size());
  for (const auto& benchmark : benchmarks)
    names.push_back(benchmark.name);
  for (const auto& one : wanted)
    if (std::ranges::none_of(names, [&](const auto& name) { return matches(name, one); }))
      return Error{fmt::format("there is no benchmark '{}'", one), did_you_mean(one, names)};
  std::erase_if(benchmarks,
                [&](const Benchmark& benchmark) { return !matches_any(benchmark.name, wanted); });
  return success();
}

} // namespace dragnet::lab
