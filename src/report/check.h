// What the check of a commit found, for people, for programs, and in the forms that other tools
// read. docs/formats.md describes each; all come from the same CheckedCommit.
#pragma once

#include "model/check.h"
#include "report/comparison.h"

#include <string>

namespace dragnet::report {

/// The outcome in one sentence; it says what the exit status says.
std::string check_sentence(const CheckedCommit& checked);

/// Verdict first, then what regressed and why, then the rest; with reasons also why each benchmark
/// was skipped.
std::string check_text(const CheckedCommit& checked, const Look& look);

/// The document "check", as docs/json.md describes it.
std::string check_json(const CheckedCommit& checked, const std::string& version);

/// A comment on a pull request, of at most 60,000 bytes. Its first line names the project, so that
/// a later comment can take its place.
std::string check_markdown(const CheckedCommit& checked);

/// JUnit XML: a test case per benchmark.
std::string check_junit(const CheckedCommit& checked);

/// SARIF 2.1.0: a result per benchmark and metric that regressed, failed or was exonerated.
std::string check_sarif(const CheckedCommit& checked, const std::string& version);

/// Bencher Metric Format: the values of the new side.
std::string check_bencher(const CheckedCommit& checked);

/// What github-action-benchmark reads as customSmallerIsBetter: the values of the new side.
std::string check_github_benchmark(const CheckedCommit& checked);

} // namespace dragnet::report
