// The monitor finds the way that sees everything by itself, and says where there is none.
#include "profile/profiling.h"
#include "profile/stack_monitor.h"
#include "run/executor.h"
#include "run/job.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::profile {
namespace {

namespace fs = std::filesystem;

// Starts jobs without the privileges that the tests may have.
class Unprivileged final : public run::Executor {
public:
  explicit Unprivileged(run::Executor& executor) : executor_(executor) {}

  Result<run::Finished> carry_out(const run::Job& job) override {
    run::Job changed = job;
    // What watches from outside writes there.
    if (job.words.size() > 1 && fs::is_directory(job.words[1]))
      fs::permissions(job.words[1], fs::perms::all);
    if (::geteuid() == 0)
      changed.words.insert(changed.words.begin(),
                           {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"});
    return executor_.carry_out(changed);
  }

private:
  run::Executor& executor_;
};

class StackWays : public Profiling {
protected:
  void make(const std::vector<std::string>& options) {
    program = fakes::compiled("transfers.c", folder / "build", options).string();
    file = (folder / "out").string();
  }

  Result<Monitored> watched(run::Executor& by, const std::string& what, const Monitoring& how) {
    return monitor_stacks(by, question(program + " " + what + " " + file).job, folder / "scratch",
                          how, tables);
  }

  static std::uint64_t written(const StackProfile& profile) {
    std::uint64_t sum = 0;
    for (const auto& use : profile.uses)
      sum += use.metric == "written" ? use.amount : 0;
    return sum;
  }

  static bool says(const Monitored& monitored, std::string_view text) {
    for (const auto& gap : monitored.gaps)
      if (gap.find(text) != std::string::npos)
        return true;
    return false;
  }

  std::string program;
  std::string file;
};

TEST_F(StackWays, stays_inside_of_dynamic_programs) {
  make({"-O2", "-g"});
  const auto seen = watched(*executor, "raw", {});
  ASSERT_TRUE(seen) << seen.error().what;
  EXPECT_EQ(seen->way, Way::Inside);
  EXPECT_EQ(written(seen->profile), 5120);
  EXPECT_FALSE(says(*seen, "once more"));
}

TEST_F(StackWays, watches_static_programs_from_outside) {
  make({"-O2", "-g", "-static", "-w"});
  const auto seen = watched(*executor, "raw", {});
  ASSERT_TRUE(seen) << seen.error().what;
  EXPECT_NE(seen->way, Way::Inside);
  EXPECT_EQ(written(seen->profile), 5120);
  EXPECT_TRUE(says(*seen, "linked statically"));
  EXPECT_TRUE(says(*seen, "once more"));
}

TEST_F(StackWays, watches_calls_without_the_c_library_from_outside) {
  make({"-O2", "-g"});
  const auto seen = watched(*executor, "instruction", {});
  ASSERT_TRUE(seen) << seen.error().what;
  EXPECT_NE(seen->way, Way::Inside);
  EXPECT_EQ(written(seen->profile), 44);
  EXPECT_TRUE(says(*seen, "written 44"));
}

TEST_F(StackWays, keeps_allocations_that_only_the_inside_shows) {
  make({"-O2", "-g"});
  const auto other =
      fakes::compiled("counts.c", folder / "build", {"-O2", "-static", "-w"}).string();
  auto job = question(other + "; " + program + " allocations " + file).job;
  const auto seen = monitor_stacks(*executor, job, folder / "scratch",
                                   Monitoring{Allocations::Counted, Way::Auto}, tables);
  ASSERT_TRUE(seen) << seen.error().what;
  EXPECT_NE(seen->way, Way::Inside);
  std::uint64_t allocated = 0;
  for (const auto& use : seen->profile.uses)
    allocated += use.metric == "allocated" ? use.amount : 0;
  EXPECT_GE(allocated, 1000000);
}

TEST_F(StackWays, needs_no_privileges_to_stop_programs) {
  make({"-O2", "-g", "-static", "-w"});
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(folder / "scratch", fs::perms::all);
  Unprivileged nobody(*executor);
  const auto seen = watched(nobody, "raw", {Allocations::Left, Way::Stopped});
  ASSERT_TRUE(seen) << seen.error().what;
  EXPECT_EQ(seen->finished.status, 0) << seen->finished.log;
  EXPECT_EQ(written(seen->profile), 5120);
}

TEST_F(StackWays, says_that_the_kernel_way_needs_privileges_and_takes_the_next) {
  make({"-O2", "-g", "-static", "-w"});
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(folder / "scratch", fs::perms::all);
  Unprivileged nobody(*executor);
  const auto refused = watched(nobody, "raw", {Allocations::Left, Way::Kernel});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().what.find("cannot watch the benchmark by the kernel"),
            std::string::npos);
  EXPECT_FALSE(refused.error().hint.empty());
  const auto seen = watched(nobody, "raw", {});
  ASSERT_TRUE(seen) << seen.error().what;
  EXPECT_EQ(seen->way, Way::Stopped);
  EXPECT_EQ(written(seen->profile), 5120);
  EXPECT_TRUE(says(*seen, "not watched by the kernel"));
}

} // namespace
} // namespace dragnet::profile
