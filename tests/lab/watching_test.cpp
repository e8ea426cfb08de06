// Benchmarks are watched in a way that sees all, or that the user chose.
#include "lab/tiny_project.h"
#include "model/run.h"
#include "model/stacks.h"
#include "profile/stack_monitor.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace dragnet::lab {
namespace {

class Watching : public TinyProject {
protected:
  // A program that nothing can be loaded into.
  void SetUp() override {
    TinyProject::SetUp();
    project.build.command =
        "printf '#include <unistd.h>\\nint main(void) { return write(1, \"x\", 1) != 1; }' | "
        "cc -O2 -w -static -x c -o \"$DRAGNET_BUILD\"/tool -";
    benchmark.name = "static";
    benchmark.command = "\"$DRAGNET_BUILD\"/tool";
    project.benchmarks = {benchmark};
    open();
  }

  WatchedRun watched() {
    auto run = lab->watch(built(second), benchmark);
    EXPECT_TRUE(run) << run.error().what;
    return run ? std::move(*run) : WatchedRun{};
  }

  std::size_t kept() {
    const auto runs = lab->watched(built(second), benchmark);
    EXPECT_TRUE(runs) << runs.error().what;
    const auto count = lab->watched_count(*lab->repository().commit(second), benchmark);
    EXPECT_TRUE(count) << count.error().what;
    EXPECT_EQ(*count, runs->size());
    return runs->size();
  }

  static std::uint64_t written(const WatchedRun& watched) {
    std::uint64_t sum = 0;
    for (const StackUse& use : watched.profile.uses)
      sum += use.metric == "written" ? use.amount : 0;
    return sum;
  }
};

TEST_F(Watching, prepares_again_what_is_watched_once_more) {
  benchmark.name = "prepared";
  benchmark.prepare = "touch \"$DRAGNET_TMP\"/in";
  benchmark.command = "mv \"$DRAGNET_TMP\"/in \"$DRAGNET_TMP\"/out && \"$DRAGNET_BUILD\"/tool";
  const auto seen = watched();
  EXPECT_EQ(seen.run.outcome, RunOutcome::Finished) << seen.run.log;
  EXPECT_EQ(written(seen), 1);
  EXPECT_NE(seen.way.find("linked statically"), std::string::npos) << seen.way;
  EXPECT_TRUE(seen.gaps.empty());
}

TEST_F(Watching, reports_what_a_chosen_way_does_not_see) {
  lab->watch_by(profile::Way::Inside);
  const auto seen = watched();
  EXPECT_EQ(written(seen), 0);
  EXPECT_EQ(seen.way, "");
  ASSERT_FALSE(seen.gaps.empty());
  EXPECT_NE(seen.gaps.front().find("linked statically"), std::string::npos);
}

TEST_F(Watching, keeps_runs_of_a_chosen_way_apart) {
  lab->watch_by(profile::Way::Stopped);
  EXPECT_EQ(watched().way, "by stopping it at its system calls");
  EXPECT_EQ(kept(), 1);
  lab->watch_by(profile::Way::Auto);
  EXPECT_EQ(kept(), 0);
  EXPECT_EQ(written(watched()), 1);
  EXPECT_EQ(kept(), 1);
  lab->watch_by(profile::Way::Inside);
  EXPECT_EQ(kept(), 0);
}

} // namespace
} // namespace dragnet::lab
