#include "report/check.h"

#include "base/text.h"
#include "model/check.h"
#include "model/verdict.h"
#include "report/check_outcome.h"
#include "report/wording.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

std::vector<std::string> names_of(const BenchmarkList& list) {
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const CheckedBenchmark* benchmark : list)
    names.push_back(readable(benchmark->name));
  return names;
}

// "Regressed: 1 of 13 benchmarks: get".
std::string of_all(std::string_view opening, const BenchmarkList& list,
                   const CheckedCommit& checked) {
  const std::size_t all = checked.benchmarks.size();
  return fmt::format("{}: {} of {} benchmark{}: {}", opening, list.size(), all, plural(all),
                     some(names_of(list)));
}

BenchmarkList open_ones(const CheckedCommit& checked) {
  BenchmarkList list;
  for (const CheckedBenchmark* benchmark : weightiest_first(checked))
    if (is_open(*benchmark))
      list.push_back(benchmark);
  return list;
}

// A dismissal by rule means that nothing that it executes changed; others are predictions.
bool nothing_executed_changed(const CheckedCommit& checked) {
  return std::ranges::all_of(checked.benchmarks, [](const CheckedBenchmark& benchmark) {
    return benchmark.treatment == Treatment::Dismissed && benchmark.basis == "rule";
  });
}

std::string counts_text(const CheckedCommit& checked) {
  const auto measured =
      static_cast<std::size_t>(std::ranges::count_if(checked.benchmarks, was_measured));
  const std::size_t exonerated = with_verdict(checked, Verdict::Exonerated).size();
  const std::size_t dismissed = count(checked, Treatment::Dismissed);
  std::vector<std::string> parts{measured == 0 ? "none measured"
                                               : fmt::format("{} measured", measured)};
  if (exonerated > 0)
    parts.push_back(fmt::format("{} of them exonerated", exonerated));
  if (dismissed > 0)
    parts.push_back(fmt::format("{} dismissed", dismissed));
  return join(parts, ", ");
}

std::string good_sentence(const CheckedCommit& checked) {
  const std::size_t all = checked.benchmarks.size();
  if (nothing_executed_changed(checked))
    return all == 1 ? "Nothing changed that the benchmark executes"
                    : fmt::format("Nothing changed that any of {} benchmarks executes", all);
  const BenchmarkList improved = with_verdict(checked, Verdict::Improved);
  if (!improved.empty())
    return of_all("Nothing regressed; improved", improved, checked);
  return "Nothing regressed: " + counts_text(checked);
}

std::string sentence_by(int status, const CheckedCommit& checked) {
  const BenchmarkList failed = with_verdict(checked, Verdict::Failed);
  switch (status) {
  case 1:
    return of_all("Regressed", with_verdict(checked, Verdict::Regressed), checked) +
           (failed.empty() ? "" : fmt::format("; {} failed", failed.size()));
  case 2:
    return of_all("Failed", failed, checked);
  case 3:
    return of_all("Inconclusive", open_ones(checked), checked);
  case 4:
    return checked.benchmarks.empty()
               ? "Nothing was measured: there is no benchmark to check"
               : of_all("Nothing was measured; open", open_ones(checked), checked);
  default:
    return good_sentence(checked);
  }
}

} // namespace

std::string check_sentence(const CheckedCommit& checked) {
  return sentence_by(exit_status(checked), checked) + (checked.complete ? "" : " (interrupted)");
}

} // namespace dragnet::report
