#include "report/check.h"

#include "base/json.h"
#include "report/check_samples.h"
#include "report/repository_uri.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace dragnet::report {
namespace {

using namespace samples; // NOLINT(google-build-using-namespace): they are this test's vocabulary

Json parsed(const std::string& text) {
  const auto document = parse_json(text);
  EXPECT_TRUE(document) << document.error().what;
  return document ? *document : Json();
}

TEST(CheckJunit, reads_like_this) {
  const std::string made =
      check_junit(with({failed("open"), regressed("get"), skipped("list", Treatment::Dismissed),
                        benchmark("put", Verdict::Unchanged)}));
  EXPECT_TRUE(made.contains("<testsuite name=\"larder 2222222222\" tests=\"4\" failures=\"1\" "
                            "errors=\"1\" time=\"40.000\" skipped=\"1\" hostname=\"bench-1\">"))
      << made;
  EXPECT_TRUE(made.contains("<testcase name=\"get\" classname=\"larder\" time=\"0.051200000\">\n"
                            "      <failure type=\"regressed\" message=\"wall regressed: 41.2 ms"))
      << made;
  EXPECT_TRUE(made.contains("<error type=\"failed\" message=\"failed: wall: it crashed with signal "
                            "11 on the new side\">"))
      << made;
  EXPECT_TRUE(made.contains("first line\nlast line\n</error>")) << made;
  EXPECT_TRUE(made.contains("<skipped message=\"dismissed: nothing that it executes changed"))
      << made;
}

TEST(CheckJunit, calls_what_could_not_be_told_skipped) {
  const std::string made = check_junit(with({benchmark("a", Verdict::Inconclusive)}));
  EXPECT_TRUE(made.contains("<skipped message=\"inconclusive: ")) << made;
  EXPECT_TRUE(made.contains("failures=\"0\""));
}

Json run_of(const CheckedCommit& checked) {
  return parsed(check_sarif(checked, "1.2.3"))["runs"][0];
}

TEST(CheckSarif, points_at_the_changed_function) {
  const Json run = run_of(mixed());
  const Json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], "regressed");
  EXPECT_EQ(result["level"], "error");
  const Json& location = result["locations"][0];
  EXPECT_EQ(location["physicalLocation"]["artifactLocation"]["uri"], "src/store.cpp");
  EXPECT_EQ(location["physicalLocation"]["artifactLocation"]["uriBaseId"], "SRCROOT");
  EXPECT_EQ(location["physicalLocation"]["region"]["startLine"], 42);
  EXPECT_EQ(location["logicalLocations"][0]["fullyQualifiedName"], "Store::find(int)");
  EXPECT_EQ(result["properties"]["change"], 0.243);
  EXPECT_EQ(result["properties"]["low"], 0.2);
  EXPECT_EQ(run["versionControlProvenance"][0]["revisionId"], mixed().commit.commit.id.text);
  EXPECT_EQ(run["versionControlProvenance"][0]["repositoryUri"],
            "ssh://example.org/someone/larder.git");
}

TEST(CheckSarif, has_a_result_per_metric_that_regressed) {
  CheckedBenchmark two = regressed("get");
  two.metrics.push_back(metric("instructions", Verdict::Regressed));
  two.metrics.push_back(metric("memory", Verdict::Unchanged));
  const Json results = run_of(with({two}))["results"];
  ASSERT_EQ(results.size(), 2U);
  EXPECT_NE(results[0]["partialFingerprints"], results[1]["partialFingerprints"]);
}

TEST(CheckSarif, has_fingerprints_that_outlive_a_commit) {
  CheckedCommit later = mixed();
  later.commit.commit.id.text = "3333333333333333333333333333333333333333";
  later.benchmarks[1].functions.clear();
  EXPECT_EQ(run_of(mixed())["results"][0]["partialFingerprints"],
            run_of(later)["results"][0]["partialFingerprints"]);
}

TEST(CheckSarif, suppresses_what_is_exonerated) {
  const Json results = run_of(mixed())["results"];
  for (const Json& result : results)
    EXPECT_EQ(result.contains("suppressions"), result["ruleId"] == "exonerated");
  EXPECT_EQ(results.back()["suppressions"][0]["justification"], "nothing that it executes changed");
}

TEST(CheckSarif, tells_what_is_open_as_notifications) {
  const Json run = run_of(mixed());
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"].size(), 2U);
  EXPECT_EQ(run["invocations"][0]["exitCode"], 1);
}

TEST(CheckSarif, points_into_the_project_or_at_its_description) {
  for (const auto& [name, checked] : samples::all()) {
    const Json run = run_of(checked);
    for (const Json& result : run["results"]) {
      ASSERT_EQ(result["locations"].size(), 1U) << name;
      const std::string uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
      EXPECT_FALSE(uri.starts_with("/") || uri.contains("..")) << uri;
    }
  }
  const Json result = run_of(with({benchmark("get", Verdict::Regressed)}))["results"][0];
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "dragnet.toml");
}

TEST(CheckSarif, shows_no_password) {
  CheckedCommit checked = mixed();
  checked.repository = "https://user:secret@example.org/larder.git";
  EXPECT_FALSE(check_sarif(checked, "1").contains("secret"));
  EXPECT_FALSE(check_sarif(hostile_check(), "1").contains("secret"));
}

TEST(RepositoryUri, knows_what_git_knows) {
  EXPECT_EQ(repository_uri("https://user:x@example.org/a/b.git"), "https://example.org/a/b.git");
  EXPECT_EQ(repository_uri("git@example.org:a/b.git"), "ssh://example.org/a/b.git");
  EXPECT_EQ(repository_uri("ssh://git@example.org:22/a b"), "ssh://example.org:22/a%20b");
  EXPECT_EQ(repository_uri("https://example.org"), "https://example.org");
  for (const auto* local : {"", "/srv/git/x.git", "../x", "./a:b", "file:///srv/x", "C:", "://"})
    EXPECT_EQ(repository_uri(local), local == std::string("C:") ? "ssh://C" : "") << local;
}

TEST(CheckBencher, has_the_new_values_in_its_units) {
  CheckedBenchmark two = regressed("get");
  two.metrics.push_back(metric("page-faults", Verdict::Unchanged));
  const Json json = parsed(check_bencher(with({two, skipped("a", Treatment::Dismissed)})));
  ASSERT_EQ(json.size(), 1U);
  EXPECT_NEAR(json["get"]["latency"]["value"], 51'200'000, 1);
  EXPECT_LE(json["get"]["latency"]["lower_value"], json["get"]["latency"]["value"]);
  EXPECT_EQ(json["get"]["page-faults"]["value"], 0.0512);
}

TEST(CheckGithubBenchmark, has_an_entry_per_metric) {
  CheckedBenchmark two = regressed("get");
  two.metrics.push_back(metric("throughput", Verdict::Unchanged));
  two.metrics.back().metric.better = Better::Higher;
  const Json json = parsed(check_github_benchmark(with({two})));
  ASSERT_EQ(json.size(), 1U) << "only what is better when smaller";
  EXPECT_EQ(json[0]["name"], "get (wall)");
  EXPECT_EQ(json[0]["unit"], "ns");
  EXPECT_EQ(json[0]["range"], "± 200000");
}

TEST(CheckBencher, has_no_numbers_that_are_none) {
  CheckedBenchmark odd = regressed("get");
  odd.metrics.front().new_values = {std::nan("")};
  EXPECT_EQ(parsed(check_bencher(with({odd}))), Json::object());
  EXPECT_EQ(parsed(check_github_benchmark(with({odd}))), Json::array());
}

TEST(CheckFormats, survive_everything) {
  for (const auto& [name, checked] : samples::all()) {
    EXPECT_FALSE(check_junit(checked).empty()) << name;
    EXPECT_TRUE(parsed(check_bencher(checked)).is_object()) << name;
    EXPECT_TRUE(parsed(check_github_benchmark(checked)).is_array()) << name;
  }
}

} // namespace
} // namespace dragnet::report
