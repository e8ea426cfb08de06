// Profiles that are taken side by side are those that are taken alone.
#include "lab/together.h"

#include "base/clock.h"
#include "lab/tiny_project.h"
#include "model/benchmark.h"
#include "model/profile.h"
#include "model/run.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace {

using Things = std::vector<std::string>;

constexpr double at_last = std::numeric_limits<double>::infinity();

Things things(const std::string& command) {
  Benchmark benchmark;
  benchmark.command = command;
  return named_things(benchmark);
}

TEST(NamedThings, are_files_and_ports_but_not_what_is_ones_own) {
  EXPECT_EQ(things("$DRAGNET_BUILD/tool --fast 12 run"), Things{});
  EXPECT_EQ(things("\"$DRAGNET_BUILD\"/tool --data=$DRAGNET_TMP/a.db < in.sql"), Things{"in.sql"});
  EXPECT_EQ(things("$DRAGNET_BUILD/server --port=8080 --host localhost:81 > /dev/null"),
            (Things{"8080", "localhost:81"}));
  EXPECT_EQ(things("${DRAGNET_BUILD}/tool /tmp/x"), Things{"/tmp/x"});
}

TEST(NamedThings, are_those_of_the_preparation_and_the_environment_too) {
  Benchmark benchmark;
  benchmark.command = "tool";
  benchmark.prepare = "rm -f test.db";
  benchmark.environment = {{"FOLDER", "/var/x"}};
  EXPECT_EQ(named_things(benchmark), (Things{"/var/x", "test.db"}));
}

class Together : public TinyProject {
protected:
  // Takes as many thousand steps as it is told to.
  void SetUp() override {
    TinyProject::SetUp();
    project.build.command = "printf 'int main(int n, char** v) { volatile long i; "
                            "for (i = 0; i < 1000L * (v[1][0] - 48); ++i); return 0; }' | "
                            "cc -g -w -O1 -x c -o \"$DRAGNET_BUILD\"/tool -";
    project.build.binaries = {"tool"};
    project.benchmarks.clear();
    for (const int steps : {1, 2, 3, 4, 5})
      project.benchmarks.push_back(with_command(fmt::format("steps{}", steps),
                                                fmt::format("\"$DRAGNET_BUILD\"/tool {}", steps)));
    open();
  }

  Benchmark with_command(const std::string& name, const std::string& command) const {
    Benchmark made = benchmark;
    made.name = name;
    made.command = command;
    return made;
  }

  // Those of the benchmarks whose profiles are kept.
  Things kept(const std::vector<Benchmark>& benchmarks) {
    Things names;
    for (const Benchmark& each : benchmarks) {
      const auto profile = lab->kept_profile(*lab->repository().commit(second), each);
      EXPECT_TRUE(profile) << profile.error().what;
      if (profile && *profile)
        names.push_back(each.name);
    }
    return names;
  }

  static std::vector<std::pair<std::string, std::uint64_t>> executed(const Profile& profile) {
    std::vector<std::pair<std::string, std::uint64_t>> functions;
    for (const FunctionCounts& counts : profile.functions)
      functions.emplace_back(counts.function.name, counts.instructions);
    return functions;
  }

  void profile(const std::vector<Benchmark>& benchmarks, double until) {
    const Build build = built(second);
    std::vector<BenchmarkOn> wanted;
    for (const Benchmark& each : benchmarks)
      wanted.push_back({build, each});
    const auto done = lab->profile_together(wanted, until);
    ASSERT_TRUE(done) << done.error().what;
  }
};

TEST_F(Together, gives_the_same_as_alone) {
  profile(project.benchmarks, at_last);
  ASSERT_EQ(kept(project.benchmarks).size(), project.benchmarks.size());
  open(Memory::MeasureAgain);
  const auto commit = *lab->repository().commit(second);
  for (const Benchmark& each : project.benchmarks) {
    const auto together = **lab->kept_profile(commit, each);
    const auto alone = lab->profile(built(second), each);
    ASSERT_TRUE(alone) << alone.error().what;
    EXPECT_EQ(executed(together), executed(*alone)) << each.name;
  }
}

TEST_F(Together, leaves_out_what_fails_and_what_comes_too_late) {
  auto benchmarks = project.benchmarks;
  benchmarks[1] = with_command("fails", "false");
  profile(benchmarks, at_last);
  EXPECT_EQ(kept(benchmarks), (Things{"steps1", "steps3", "steps4", "steps5"}));
  const std::vector late = {with_command("late1", "\"$DRAGNET_BUILD\"/tool 6"),
                            with_command("late2", "\"$DRAGNET_BUILD\"/tool 7")};
  profile(late, steady_seconds() - 1);
  EXPECT_EQ(kept(late), Things{});
}

// Each makes a folder that must not be there, and removes it in the end.
TEST_F(Together, does_not_run_at_once_what_names_the_same_file) {
  const std::string only = history.root().parent_path() / "only.one";
  std::vector<Benchmark> benchmarks;
  for (const int i : {1, 2, 3, 4})
    benchmarks.push_back(
        with_command(fmt::format("alone{}", i),
                     fmt::format("mkdir {0} && \"$DRAGNET_BUILD\"/tool 9 && rmdir {0}", only)));
  profile(benchmarks, at_last);
  EXPECT_EQ(kept(benchmarks).size(), benchmarks.size());
}

} // namespace
} // namespace dragnet::lab
