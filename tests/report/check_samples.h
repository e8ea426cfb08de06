// Checks made by hand, for tests of their forms: ordinary ones, and such as nobody would wish for.
#pragma once

#include "model/check.h"
#include "model/metric.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::report::samples {

inline CheckedMetric metric(const std::string& name, Verdict verdict) {
  CheckedMetric made;
  made.metric = metric_named(name);
  made.verdict = verdict;
  made.rule = "the interval lies beyond the smallest effect";
  if (verdict == Verdict::Failed || verdict == Verdict::NotMeasured)
    return made;
  made.old_values = {0.0410, 0.0412, 0.0414};
  made.new_values = {0.0510, 0.0512, 0.0514};
  made.change = 0.243;
  made.low = 0.2;
  made.high = 0.3;
  made.p_value = 0.001;
  return made;
}

inline ChangedFunction function(const std::string& name, const std::string& file) {
  ChangedFunction made;
  made.function = {.binary = "bin/larder", .name = name};
  made.change = CodeChange::Changed;
  made.before = {.calls = 1000, .instructions = 600, .share = 0.6};
  made.now = {.calls = 3000, .instructions = 900, .share = 0.75};
  made.explains = 0.201;
  if (!file.empty())
    made.place = SourcePlace{.file = file, .line = 42};
  return made;
}

inline CheckedBenchmark benchmark(const std::string& name, Verdict verdict) {
  CheckedBenchmark made;
  made.name = name;
  made.verdict = verdict;
  made.basis = "untrained";
  made.reasons = {"changed: Store::find, 60.0 % of this benchmark's instructions"};
  made.metrics = {metric("wall", verdict)};
  return made;
}

inline CheckedBenchmark regressed(const std::string& name) {
  CheckedBenchmark made = benchmark(name, Verdict::Regressed);
  made.metrics.front().confirmed = 2;
  made.why = {"Store::find executes 1.5 times the instructions"};
  made.functions = {function("_ZN5Store4findEi", "src/store.cpp")};
  return made;
}

inline CheckedBenchmark failed(const std::string& name) {
  CheckedBenchmark made = benchmark(name, Verdict::Failed);
  made.metrics.front().rule = "it crashed with signal 11 on the new side";
  made.log = "first line\nlast line\n";
  return made;
}

inline CheckedBenchmark exonerated(const std::string& name) {
  CheckedBenchmark made = benchmark(name, Verdict::Exonerated);
  made.why = {"nothing that it executes changed"};
  return made;
}

inline CheckedBenchmark skipped(const std::string& name, Treatment treatment) {
  CheckedBenchmark made;
  made.name = name;
  made.treatment = treatment;
  made.probability = 0;
  made.basis = "rule";
  made.reasons = {"nothing that it executes changed (3 functions changed elsewhere)"};
  return made;
}

inline CheckedCommit with(std::vector<CheckedBenchmark> benchmarks) {
  CheckedCommit checked;
  checked.project = "larder";
  checked.machine.host_name = "bench-1";
  checked.machine.processor = "A processor";
  checked.base.commit.id.text = "1111111111111111111111111111111111111111";
  checked.base.commit.subject = "Old one";
  checked.commit.commit.id.text = "2222222222222222222222222222222222222222";
  checked.commit.commit.subject = "New one";
  checked.commit.commit.author = "Ada";
  checked.benchmarks = std::move(benchmarks);
  checked.budget = 300;
  checked.times = {.building = 20, .predicting = 1, .measuring = 12, .explaining = 7, .total = 40};
  checked.pairs_measured = 3;
  checked.notes = {"one thing to know"};
  return checked;
}

/// What a name, a subject or a log may hold at worst.
inline std::string hostile() {
  return "a|b`c`*d*_e_ <script>alert(1)</script> --> ]]> @everyone #1 [x](http://x.y) "
         "\"'&amp; \\ \n\r\t\x1b[31m \x01 \xff\xfe \xe2\x80\xae \xef\xbf\xbf ```\n```` "
         "</details> {0} ";
}

inline CheckedBenchmark hostile_benchmark(Verdict verdict, Treatment treatment) {
  CheckedBenchmark made = benchmark(hostile(), verdict);
  made.treatment = treatment;
  made.basis = hostile();
  made.reasons = {hostile(), hostile()};
  made.why = {hostile()};
  made.log = hostile() + "\n" + std::string(1, '\0') + hostile() + "\n```\n</details>\n";
  made.metrics.front().metric.name = hostile();
  made.metrics.front().metric.unit = hostile();
  made.metrics.front().rule = hostile();
  made.functions = {function(hostile(), hostile()), function(hostile(), ""),
                    function("_Z", "/usr/include/c++/12/vector"), function("", "../outside.cpp")};
  made.functions.front().inlined = {hostile()};
  return made;
}

inline CheckedCommit hostile_check() {
  CheckedCommit checked = with({});
  for (const Verdict verdict :
       {Verdict::Regressed, Verdict::Failed, Verdict::Exonerated, Verdict::Improved,
        Verdict::Inconclusive, Verdict::Unchanged, Verdict::NotMeasured})
    for (const Treatment treatment :
         {Treatment::Measured, Treatment::Audited, Treatment::Dismissed, Treatment::NotReached})
      checked.benchmarks.push_back(hostile_benchmark(verdict, treatment));
  checked.project = hostile();
  checked.repository = "https://user:secret@host/" + hostile();
  checked.machine.host_name = hostile();
  checked.machine.processor = hostile();
  checked.base.commit.subject = hostile();
  checked.commit.commit.subject = hostile();
  checked.commit.commit.author = hostile();
  checked.commit.log = hostile();
  checked.notes = {hostile()};
  return checked;
}

/// So many benchmarks that all regressed, and everything about them is so long.
inline CheckedCommit long_check(std::size_t count, std::size_t length,
                                const std::string& piece = "<") {
  CheckedCommit checked = with({});
  std::string text;
  while (text.size() < length)
    text += piece;
  for (std::size_t i = 0; i < count; ++i) {
    CheckedBenchmark made = regressed(std::to_string(i) + text);
    made.metrics.push_back(metric("instructions", Verdict::Regressed));
    made.why.assign(4, text);
    made.reasons.assign(2, text);
    made.functions.assign(4, function(text, text));
    made.log = text;
    checked.benchmarks.push_back(std::move(made));
  }
  checked.notes.assign(100, text);
  checked.commit.commit.subject = text;
  return checked;
}

inline CheckedCommit mixed() {
  CheckedCommit checked = with(
      {benchmark("same", Verdict::Unchanged), regressed("get"), benchmark("put", Verdict::Improved),
       exonerated("scan"), failed("open"), benchmark("close", Verdict::Inconclusive),
       skipped("list", Treatment::Dismissed), skipped("sync", Treatment::NotReached)});
  checked.repository = "git@example.org:someone/larder.git";
  checked.record = {.trained = true,
                    .hit = {.good = 9, .cases = 10, .low = 0.6, .high = 0.98},
                    .dismiss = {.good = 80, .cases = 100, .low = 0.7, .high = 0.87},
                    .audits = 5,
                    .audits_missed = 1};
  return checked;
}

/// All kinds, by name.
inline std::map<std::string, CheckedCommit> all() {
  return {
      {"mixed", mixed()},
      {"empty", with({})},
      {"nothing", CheckedCommit{}},
      {"dismissed", with({skipped("a", Treatment::Dismissed), skipped("b", Treatment::Dismissed)})},
      {"not-reached", with({skipped("a", Treatment::NotReached)})},
      {"failed", with({failed("a")})},
      {"regressed", with({regressed("get"), benchmark("put", Verdict::Unchanged)})},
      {"without-place", with({benchmark("get", Verdict::Regressed)})},
      {"hostile", hostile_check()},
      {"long", long_check(20, 10'000)}};
}

} // namespace dragnet::report::samples
