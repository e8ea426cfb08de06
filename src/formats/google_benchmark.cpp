#include "formats/google_benchmark.h"

#include "base/json.h"
#include "base/result.h"
#include "base/text.h"
#include "formats/clean.h"
#include "formats/documents.h"
#include "formats/foreign_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::formats {
namespace {

// The members of an entry that are not counters.
bool is_plain_member(std::string_view key) {
  constexpr std::array<std::string_view, 24> plain{"name",
                                                   "family_index",
                                                   "per_family_instance_index",
                                                   "run_name",
                                                   "run_type",
                                                   "repetitions",
                                                   "threads",
                                                   "iterations",
                                                   "repetition_index",
                                                   "real_time",
                                                   "cpu_time",
                                                   "time_unit",
                                                   "label",
                                                   "aggregate_name",
                                                   "aggregate_unit",
                                                   "error_occurred",
                                                   "error_message",
                                                   "skipped",
                                                   "skip_message",
                                                   "big_o",
                                                   "rms",
                                                   "complexity_n",
                                                   "real_coefficient",
                                                   "cpu_coefficient"};
  return std::ranges::find(plain, key) != plain.end();
}

Result<double> seconds_of_unit(const Json& entry, const std::string& where) {
  const std::string unit = TRY(text_in(entry, "time_unit", where));
  const std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}}};
  for (const auto& [name, seconds] : units)
    if (unit == name)
      return seconds;
  return Error{fmt::format("'time_unit' of {} is '{}'", where, shown(unit)),
               "known are: ns, us, ms, s"};
}

// Results of versions before 1.5 do not tell aggregates apart but by their names.
bool is_aggregate(const Json& entry, const std::string& name, const std::set<std::string>& seen) {
  const Json& type = member(entry, "run_type");
  if (type.is_string())
    return type.get<std::string>() == "aggregate";
  for (const std::string_view ending : {"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"})
    if (name.ends_with(ending))
      return seen.contains(name.substr(0, name.size() - ending.size())) ||
             !member(entry, "big_o").is_null() || !member(entry, "rms").is_null();
  return false;
}

// Why the program itself says that this case has no result, if it does.
std::optional<std::string> reported_problem(const Json& entry) {
  for (const auto& [flag, message] :
       {std::pair("error_occurred", "error_message"), std::pair("skipped", "skip_message")})
    if (const Json& raised = member(entry, flag); raised.is_boolean() && raised.get<bool>()) {
      const Json& why = member(entry, message);
      return why.is_string() ? clean_name(why.get<std::string>()) : std::string("no reason given");
    }
  return std::nullopt;
}

std::optional<double> time_of(const Json& entry, const std::string& key, double seconds_per_unit) {
  const auto time = finite(member(entry, key));
  if (!time || *time < 0)
    return std::nullopt;
  return *time * seconds_per_unit;
}

void add_counters(const Json& entry, ForeignRun& run, std::vector<std::string>& warnings) {
  for (const auto& [key, value] : entry.items()) {
    if (is_plain_member(key) || !(value.is_number() || value.is_null()))
      continue;
    const auto number = finite(value);
    const std::string metric = clean_name(key);
    if (!number)
      warnings.push_back(fmt::format("the counter '{}' of '{}' is not a finite number: left out",
                                     metric, run.benchmark));
    else if (metric.empty() || !run.samples.emplace(metric, *number).second)
      warnings.push_back(
          fmt::format("the counter '{}' of '{}' has the name of another metric: left out", metric,
                      run.benchmark));
  }
}

class Reader {
public:
  Result<ForeignResults> read(const Json& document) {
    const Json& entries = *TRY(list_in(document, "benchmarks"));
    results_.tool = "google-benchmark";
    if (const Json& host = member(member(document, "context"), "host_name"); host.is_string())
      results_.machine = clean_name(host.get<std::string>());
    for (std::size_t i = 0; i < entries.size(); ++i)
      TRY(read_entry(entries[i], fmt::format("benchmarks[{}]", i)));
    if (results_.runs.empty() && results_.warnings.empty())
      return aggregates_ > 0 ? Error{"it has only aggregates, and no single runs",
                                     "write it again without --benchmark_report_aggregates_only"}
                             : Error{"it has no benchmarks", "look whether a filter left none"};
    return std::move(results_);
  }

private:
  Result<> read_entry(const Json& entry, const std::string& where) {
    const std::string name = clean_name(TRY(text_in(entry, "name", where)));
    if (name.empty())
      return Error{fmt::format("'name' of {} is empty", where), {}};
    if (is_aggregate(entry, name, seen_)) {
      ++aggregates_;
      return success();
    }
    seen_.insert(name);
    if (const auto problem = reported_problem(entry)) {
      results_.warnings.push_back(fmt::format("'{}' reported an error: {}", name, *problem));
      return success();
    }
    const double unit = TRY(seconds_of_unit(entry, where));
    add_run(entry, name, unit);
    return success();
  }

  void add_run(const Json& entry, const std::string& name, double unit) {
    const auto wall = time_of(entry, "real_time", unit);
    const auto cpu = time_of(entry, "cpu_time", unit);
    if (!wall || !cpu) {
      results_.warnings.push_back(
          fmt::format("a time of '{}' is not a finite number of at least 0: left out", name));
      return;
    }
    ForeignRun run{name, {{"wall", *wall}, {"cpu", *cpu}}};
    add_counters(entry, run, results_.warnings);
    results_.runs.push_back(std::move(run));
  }

  ForeignResults results_;
  std::set<std::string> seen_;
  std::size_t aggregates_ = 0;
};

} // namespace

Result<ForeignResults> google_benchmark_results(const Json& document) {
  return Reader().read(document);
}

Result<ForeignResults> read_google_benchmark(std::string_view text) {
  return google_benchmark_results(TRY(parse_document(text)));
}

std::vector<std::string> parse_google_benchmark_list(std::string_view output) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (auto& line : lines(output)) {
    if (line.ends_with('\r'))
      line.pop_back();
    if (!trim(line).empty() && seen.insert(line).second)
      names.push_back(std::move(line));
  }
  return names;
}

std::string google_benchmark_filter(std::string_view case_name) {
  // Escaped is what both std::regex and POSIX understand: ']' and '}' must stay as they are.
  constexpr std::string_view special = "\\^$.|?*+()[{";
  std::string filter = "^";
  for (const char c : case_name) {
    if (special.contains(c))
      filter += '\\';
    filter += c;
  }
  return filter + "$";
}

} // namespace dragnet::formats
