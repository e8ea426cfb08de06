#include "formats/hyperfine.h"

#include "base/json.h"
#include "base/result.h"
#include "formats/clean.h"
#include "formats/documents.h"
#include "formats/foreign_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::formats {
namespace {

// The parameters of a command: " (threads = 4, size = 10)". Results that share a name differ by
// them.
std::string parameters_of(const Json& result) {
  std::string made;
  const Json& parameters = member(result, "parameters");
  if (!parameters.is_object())
    return made;
  for (const auto& [key, value] : parameters.items()) {
    const std::string shown = value.is_string() ? value.get<std::string>() : to_text(value);
    made +=
        fmt::format("{}{} = {}", made.empty() ? " (" : ", ", clean_name(key), clean_name(shown));
  }
  return made.empty() ? made : made + ")";
}

Result<std::vector<std::string>> names_of(const Json& results) {
  std::vector<std::string> names;
  std::map<std::string, int> count;
  for (std::size_t i = 0; i < results.size(); ++i) {
    names.push_back(clean_name(TRY(text_in(results[i], "command", fmt::format("results[{}]", i)))));
    if (names.back().empty())
      return Error{fmt::format("'command' of results[{}] is empty", i), {}};
    ++count[names.back()];
  }
  for (std::size_t i = 0; i < results.size(); ++i)
    if (count[names[i]] > 1)
      names[i] += parameters_of(results[i]);
  return names;
}

void warn_of_failures(const Json& result, const std::string& name, ForeignResults& results) {
  const Json& codes = member(result, "exit_codes");
  if (!codes.is_array())
    return;
  const auto failed = std::ranges::count_if(codes, [](const Json& code) { return code != 0; });
  if (failed > 0)
    results.warnings.push_back(fmt::format("{} of {} runs of '{}' ended with a status other than 0",
                                           failed, codes.size(), name));
}

// The list of a second quantity, if it has a value for each run.
const Json* values_beside(const Json& result, const std::string& key, std::size_t runs) {
  const Json& values = member(result, key);
  return values.is_array() && values.size() == runs ? &values : nullptr;
}

Result<> add_runs(const Json& result, const std::string& name, const std::string& where,
                  ForeignResults& results) {
  const Json& times = member(result, "times");
  if (!times.is_array())
    return Error{fmt::format("'times' of {} must be a list, but is {}", where, kind_of(times)),
                 "only single runs can be compared: write the file with a version of hyperfine "
                 "that keeps them"};
  const Json* memory = values_beside(result, "memory_usage_byte", times.size());
  if (memory == nullptr && !member(result, "memory_usage_byte").is_null())
    results.warnings.push_back(
        fmt::format("'memory_usage_byte' of '{}' has not one value for each run: left out", name));
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto time = finite(times[i]);
    if (!time || *time < 0) {
      results.warnings.push_back(
          fmt::format("times[{}] of '{}' is not a finite number of at least 0: left out", i, name));
      continue;
    }
    ForeignRun run{name, {{"wall", *time}}};
    const auto bytes = memory == nullptr ? std::nullopt : finite((*memory)[i]);
    if (bytes && *bytes >= 0)
      run.samples["memory"] = *bytes;
    else if (memory != nullptr)
      results.warnings.push_back(
          fmt::format("memory_usage_byte[{}] of '{}' is not a number of bytes: left out", i, name));
    results.runs.push_back(std::move(run));
  }
  return success();
}

} // namespace

Result<ForeignResults> hyperfine_results(const Json& document) {
  const Json& entries = *TRY(list_in(document, "results"));
  const auto names = TRY(names_of(entries));
  ForeignResults results;
  results.tool = "hyperfine";
  std::set<std::string> seen;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!seen.insert(names[i]).second)
      results.warnings.push_back(
          fmt::format("'{}' occurs more than once: its runs are taken together", names[i]));
    TRY(add_runs(entries[i], names[i], fmt::format("results[{}]", i), results));
    warn_of_failures(entries[i], names[i], results);
  }
  if (results.runs.empty() && results.warnings.empty())
    return Error{"it has no runs", {}};
  return results;
}

Result<ForeignResults> read_hyperfine(std::string_view text) {
  return hyperfine_results(TRY(parse_document(text)));
}

} // namespace dragnet::formats
