#include "lab/definition.h"

#include "base/files.h"
#include "fakes/child_process.h"
#include "fakes/temporary_folder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::lab {
namespace {

using fakes::Variable;
using Names = std::vector<std::string>;

class Definitions : public testing::Test {
protected:
  void SetUp() override {
    project.root = folder.path();
    benchmark.name = "sort";
    benchmark.command = "$DRAGNET_BUILD/sort --in=data/input.txt < 'data/other.txt'";
    write("data/input.txt", "1");
    write("data/other.txt", "1");
    write("unrelated.txt", "1");
  }
  void write(const std::string& file, std::string_view content) {
    ASSERT_TRUE(make_folder((folder / file).parent_path()));
    ASSERT_TRUE(write_file(folder / file, content));
  }
  std::string key() {
    const auto definition = define(project, benchmark);
    return definition ? definition->key : "Error: " + definition.error().what;
  }

  fakes::TemporaryFolder folder;
  project::Project project;
  Benchmark benchmark;
};

TEST_F(Definitions, find_the_files_that_a_command_names) {
  EXPECT_EQ(input_files(project, benchmark), (Names{"data/input.txt", "data/other.txt"}));
  benchmark.prepare = "cp unrelated.txt $DRAGNET_TMP";
  benchmark.inputs = {"data/other.txt"};
  EXPECT_EQ(input_files(project, benchmark),
            (Names{"data/other.txt", "data/input.txt", "unrelated.txt"}));
}

TEST_F(Definitions, change_with_a_file_that_the_command_names) {
  const std::string before = key();
  write("data/input.txt", "2");
  EXPECT_NE(key(), before);
  write("data/input.txt", "1");
  EXPECT_EQ(key(), before);
}

TEST_F(Definitions, change_with_a_declared_input) {
  benchmark.inputs = {"unrelated.txt"};
  const std::string before = key();
  write("unrelated.txt", "2");
  EXPECT_NE(key(), before);
}

TEST_F(Definitions, do_not_change_with_anything_else) {
  const std::string before = key();
  write("unrelated.txt", "2");
  write("new.txt", "2");
  benchmark.metrics = {"cpu"};
  benchmark.smallest_effect["wall"] = 0.5;
  project.name = "another";
  project.warm_up = 7;
  const Variable other("DRAGNET_TEST_TOKEN", "2");
  EXPECT_EQ(key(), before);
}

TEST_F(Definitions, change_with_everything_that_determines_a_result) {
  const std::string before = key();
  const std::vector<void (*)(Benchmark&)> changes{
      [](Benchmark& b) { b.command += " -v"; },
      [](Benchmark& b) { b.name = "other"; },
      [](Benchmark& b) { b.prepare = "sync"; },
      [](Benchmark& b) { b.cores = 2; },
      [](Benchmark& b) { b.environment["A"] = "1"; },
      [](Benchmark& b) { b.suite = Suite::GoogleBenchmark; },
      [](Benchmark& b) { b.suite_case = "BM_Sort"; }};
  const Benchmark original = benchmark;
  for (const auto& change : changes) {
    benchmark = original;
    change(benchmark);
    EXPECT_NE(key(), before);
  }
}

TEST_F(Definitions, change_with_a_variable_that_runs_see) {
  const Variable token("DRAGNET_TEST_TOKEN", "1");
  project.environment = {"DRAGNET_TEST_TOKEN"};
  const std::string before = key();
  const Variable other("DRAGNET_TEST_TOKEN", "2");
  EXPECT_NE(key(), before);
}

TEST_F(Definitions, tell_two_variables_from_one_with_a_newline) {
  benchmark.environment = {{"A", "1"}, {"B", "2"}};
  const std::string two = key();
  benchmark.environment = {{"A", "1\nB=2"}};
  EXPECT_NE(key(), two);
}

TEST_F(Definitions, with_an_input_that_is_missing_are_errors_that_name_both) {
  benchmark.inputs = {"missing.txt"};
  const auto definition = define(project, benchmark);
  ASSERT_FALSE(definition);
  EXPECT_TRUE(definition.error().what.contains("'sort'")) << definition.error().what;
  EXPECT_TRUE(definition.error().what.contains("missing.txt")) << definition.error().what;
}

} // namespace
} // namespace dragnet::lab
