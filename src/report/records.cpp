#include "report/records.h"

#include "base/text.h"
#include "model/metric.h"
#include "model/run.h"
#include "report/summary.h"
#include "report/table.h"

#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <fmt/format.h>

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace dragnet::report {
namespace {

struct SeriesKey {
  std::string benchmark;
  std::string definition;
  std::string machine;
  std::string metric;
  Method method;
  auto operator<=>(const SeriesKey&) const = default;
};

struct Series {
  std::vector<double> values;
  std::string host;
};

std::map<SeriesKey, Series> series_of(const Knowledge& knowledge) {
  std::map<SeriesKey, Series> all;
  for (const auto& record : knowledge.records)
    for (const auto& [metric, value] : record.run.samples) {
      Series& series = all[{record.benchmark.name, record.benchmark.key, record.machine.key, metric,
                            record.method}];
      series.values.push_back(value);
      series.host = record.machine.host_name;
    }
  return all;
}

bool is_main_metric(const std::string& metric) {
  return metric == "wall" || metric == "cpu" || metric == "instructions" || metric == "memory" ||
         !is_known_metric(metric);
}

std::string failures_text(const Knowledge& knowledge) {
  std::map<std::string, std::size_t> failures;
  for (const auto& record : knowledge.records)
    if (!record.run.finished())
      ++failures[fmt::format("{}: {}", record.benchmark.name, name(record.run.outcome))];
  std::string text;
  for (const auto& [what, times] : failures)
    text += fmt::format("{} ({} run{})\n", what, times, times == 1 ? "" : "s");
  return text;
}

} // namespace

std::string knowledge_text(const Knowledge& knowledge, bool every_metric, bool colours) {
  std::string text = fmt::format("{} {}\n", knowledge.commit.id.brief(), knowledge.commit.subject);
  if (knowledge.records.empty())
    return text + fmt::format("Nothing has been measured for it yet.\nhint: dragnet run {}\n",
                              knowledge.commit.id.brief());
  Table table(
      {{"benchmark"}, {"metric"}, {"median", Align::Right}, {"runs", Align::Right}, {"measured"}});
  for (const auto& [key, series] : series_of(knowledge)) {
    if (!every_metric && !is_main_metric(key.metric))
      continue;
    const Metric metric = metric_named(key.metric);
    std::string where = key.machine == knowledge.this_machine ? "here" : "on " + series.host;
    if (key.method == Method::Counted)
      where += ", counted by valgrind";
    table.add({{key.benchmark},
               {key.metric},
               {describe(summarise(series.values), metric)},
               {fmt::to_string(series.values.size())},
               {where}});
  }
  text += "\n" + table.text(colours);
  const std::string failures = failures_text(knowledge);
  return text + (failures.empty() ? "" : "\n" + failures);
}

std::string commits_text(std::span<const Record> records, bool colours) {
  struct Row {
    Commit commit;
    std::set<std::string> benchmarks;
    std::size_t runs = 0;
  };
  std::map<std::tuple<std::int64_t, std::string>, Row> rows;
  for (const auto& record : records) {
    const Commit& commit = record.build.commit;
    Row& row = rows[{-commit.time, commit.id.text}];
    row.commit = commit;
    row.benchmarks.insert(record.benchmark.name);
    ++row.runs;
  }
  if (rows.empty())
    return "Nothing has been measured yet.\nhint: dragnet run\n";
  Table table({{"commit"}, {"benchmarks", Align::Right}, {"runs", Align::Right}, {"subject"}});
  for (const auto& [key, row] : rows)
    table.add({{row.commit.id.brief()},
               {fmt::to_string(row.benchmarks.size())},
               {fmt::to_string(row.runs)},
               {row.commit.subject}});
  return table.text(colours);
}

namespace {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string(text);
  return "\"" + replace_all(std::string(text), "\"", "\"\"") + "\"";
}

} // namespace

std::string runs_csv(std::span<const Record> records) {
  std::string text = "run,commit,benchmark,method,machine,started_ms,outcome,metric,value,unit\n";
  for (const auto& record : records)
    for (const auto& [metric, value] : record.run.samples)
      text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", record.run.id,
                          record.build.commit.id.text, csv_field(record.benchmark.name),
                          name(record.method), csv_field(record.machine.host_name),
                          record.run.started, name(record.run.outcome), csv_field(metric), value,
                          metric_named(metric).unit);
  return text;
}

} // namespace dragnet::report
