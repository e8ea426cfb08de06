#include "analysis/select/dataset.h"

#include "analysis/select/evidence.h"
#include "analysis/select/example.h"
#include "analysis/select/executed.h"
#include "analysis/select/features.h"
#include "analysis/select/indicators.h"
#include "base/result.h"
#include "base/text.h"
#include "model/function.h"
#include "model/profile.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <fmt/core.h>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::select {
namespace {

constexpr std::array<std::string_view, 3> truths = {"unknown", "hit", "dismiss"};

std::vector<std::string> columns() {
  std::vector<std::string> all = {"subject",  "old_commit", "new_commit",
                                  "position", "hops",       "benchmark"};
  all.reserve(all.size() + indicator_count + feature_count + 3);
  for (std::size_t i = 0; i < indicator_count; ++i)
    all.emplace_back(name(static_cast<Indicator>(i)));
  for (std::size_t i = 0; i < feature_count; ++i)
    all.emplace_back(name(static_cast<Feature>(i)));
  for (const char* last : {"old_instructions", "new_instructions", "truth_by_time"})
    all.emplace_back(last);
  return all;
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

// The fields of a line in the order of columns().
class Line {
public:
  Line(std::vector<std::string> fields, std::size_t line)
      : fields_(std::move(fields)), line_(line) {}

  std::string text() { return fields_[next_++]; }

  // A number that is not negative, or 0 with the mistake noted.
  double count() {
    const std::string& field = fields_[next_++];
    const std::optional<double> value = number(field);
    if ((!value || *value < 0) && mistake_.empty())
      mistake_ = fmt::format("line {}: '{}' is not a number from 0 up", line_, field);
    return value.value_or(0);
  }

  Truth truth() {
    const std::string& field = fields_[next_++];
    const auto* const found = std::ranges::find(truths, field);
    if (found == truths.end() && mistake_.empty())
      mistake_ = fmt::format("line {}: '{}' is not hit, dismiss or unknown", line_, field);
    return found == truths.end() ? Truth::Unknown : static_cast<Truth>(found - truths.begin());
  }

  const std::string& mistake() const { return mistake_; }

private:
  std::vector<std::string> fields_;
  std::size_t line_;
  std::size_t next_ = 0;
  std::string mistake_;
};

Result<Example> read_example(Line line) {
  Example example;
  example.subject = line.text();
  example.old_commit = line.text();
  example.new_commit = line.text();
  example.position = static_cast<std::size_t>(std::min(line.count(), 1e15));
  example.hops = static_cast<std::size_t>(std::min(line.count(), 1e15));
  example.benchmark = line.text();
  for (double& value : example.indicators)
    value = line.count();
  for (double& value : example.features)
    value = line.count();
  example.old_instructions = line.count();
  example.new_instructions = line.count();
  example.truth_by_time = line.truth();
  if (!line.mistake().empty())
    return Error{.what = line.mistake(), .hint = {}};
  example.truth_by_count = truth_by_count(example.old_instructions, example.new_instructions);
  example.truth = example.truth_by_count;
  return example;
}

// Where each of our columns stands in the file.
Result<std::vector<std::size_t>> places(const std::vector<std::string>& header) {
  std::vector<std::size_t> found;
  for (const std::string& column : columns()) {
    const auto at = std::ranges::find(header, column);
    if (at == header.end())
      return Error{.what = fmt::format("line 1: there is no column '{}'", column), .hint = {}};
    found.push_back(static_cast<std::size_t>(at - header.begin()));
  }
  return found;
}

} // namespace

Example example_of(const Observation& observation, const Difference& difference,
                   const Profile& profile, const Circumstances& circumstances) {
  const Executed executed(profile);
  const Evidence evidence = gather(difference, executed, circumstances);
  Example example;
  example.subject = observation.subject;
  example.benchmark = observation.benchmark;
  example.old_commit = observation.old_commit;
  example.new_commit = observation.new_commit;
  example.position = observation.position;
  example.hops = observation.hops;
  example.indicators = indicators_of(difference, executed);
  example.features = features_of(evidence, executed);
  example.old_instructions = observation.old_instructions;
  example.new_instructions = observation.new_instructions;
  example.truth_by_count =
      truth_by_count(observation.old_instructions, observation.new_instructions);
  example.truth_by_time = observation.truth_by_time;
  example.truth = example.truth_by_count;
  return example;
}

std::string csv_header() {
  return join(columns(), ",") + "\n";
}

std::string csv_row(const Example& example) {
  std::string row =
      fmt::format("{},{},{},{},{},{}", example.subject, example.old_commit, example.new_commit,
                  example.position, example.hops, example.benchmark);
  for (const double value : example.indicators)
    row += fmt::format(",{}", value);
  for (const double value : example.features)
    row += fmt::format(",{}", value);
  row += fmt::format(",{},{},{}\n", example.old_instructions, example.new_instructions,
                     truths.at(static_cast<std::size_t>(example.truth_by_time)));
  return row;
}

Result<std::vector<Example>> parse_examples(std::string_view text) {
  const std::vector<std::string> rows = lines(text);
  if (rows.empty())
    return Error{.what = "there is no row with the names of the columns", .hint = {}};
  const std::size_t width = split(rows.front(), ',').size();
  const std::vector<std::size_t> where = TRY(places(split(rows.front(), ',')));
  std::vector<Example> examples;
  examples.reserve(rows.size());
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].empty())
      continue;
    const std::vector<std::string> fields = split(rows[i], ',');
    if (fields.size() != width)
      return Error{
          .what = fmt::format("line {}: {} fields, but {} columns", i + 1, fields.size(), width),
          .hint = {}};
    std::vector<std::string> ours;
    ours.reserve(where.size());
    for (const std::size_t place : where)
      ours.push_back(fields[place]);
    examples.push_back(TRY(read_example(Line(std::move(ours), i + 1))));
  }
  return examples;
}

} // namespace dragnet::select
