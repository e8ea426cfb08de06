// What all forms of a check's outcome share: order, counts, and the sentences that explain it.
#pragma once

#include "model/check.h"
#include "model/verdict.h"

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::report {

using BenchmarkList = std::vector<const CheckedBenchmark*>;

/// The weightiest verdict first; among equals as they came.
BenchmarkList weightiest_first(const CheckedCommit& checked);

/// Those with a verdict, as they came.
BenchmarkList with_verdict(const CheckedCommit& checked, Verdict verdict);

std::size_t count(const CheckedCommit& checked, Treatment treatment);

/// How many pairs of values a metric has.
std::size_t pairs_of(const CheckedMetric& metric);

/// A name or a sentence of foreign text for people: plain, and cut where it is very long.
std::string readable(const std::string& text);

/// "41.2 ms ± 0.2 -> 51.2 ms ± 0.2, +24.3 % (+20.0 % to +30.0 %), 12 pairs, the last 4 to confirm".
std::string metric_text(const CheckedMetric& metric);

/// "Store::find (src/store.cpp:42) changed: 60.0 % -> 75.0 % of the instructions, explains +20.1
/// %".
std::string function_text(const ChangedFunction& function);

/// The reason of the verdict in one sentence: what explains it, or the rule, or the prediction's.
std::string main_reason(const CheckedBenchmark& benchmark);

/// Why it was skipped, or, for an audit, would have been.
std::string skip_reason(const CheckedBenchmark& benchmark);

/// What explains a verdict: at most three sentences and three functions, the rest counted.
std::vector<std::string> explanation(const CheckedBenchmark& benchmark);

/// The commonest reason why benchmarks were dismissed; empty when none was.
std::string commonest_dismissal(const CheckedCommit& checked);

/// "3 pairs measured, 0 remembered; 12.0 s of measuring in a budget of 5 min 0 s; 40.0 s in all."
std::string effort_text(const CheckedCommit& checked);

/// How good the predictions were so far, with the audits.
std::string record_text(const PredictionRecord& record);

} // namespace dragnet::report
