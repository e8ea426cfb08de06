// The monitor finds the way that sees everything by itself, and says where there is none.
#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "model/stacks.h"
#include "profile/profiling.h"
#include "profile/stack_monitor.h"
#include "run/executor.h"
#include "run/job.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

namespace fs = std::filesystem;

// Starts jobs without the privileges that the tests may have.
class Unprivileged final : public run::Executor {
public:
  // Not where the root of all files is closed to others, as changed roots may be.
  static bool can_start_programs() {
    if (::geteuid() != 0)
      return true;
    const auto ended = run_command(in_front(as_nobody(), {"true"}));
    return ended && ended->status == 0;
  }

  explicit Unprivileged(run::Executor& executor) : executor_(executor) {}

  Result<run::Finished> carry_out(const run::Job& job) override {
    run::Job changed = job;
    // What watches from outside writes there.
    if (job.words.size() > 1 && fs::is_directory(job.words[1]))
      fs::permissions(job.words[1], fs::perms::all);
    if (::geteuid() == 0)
      changed.words = in_front(as_nobody(), changed.words);
    return executor_.carry_out(changed);
  }

private:
  using Words = std::vector<std::string>;

  static Words as_nobody() {
    return {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
  }
  static Words in_front(Words first, const Words& then) {
    first.insert(first.end(), then.begin(), then.end());
    return first;
  }

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

  bool is_allowed(Way way) {
    return bool(monitor_stacks(*executor, question("true").job, folder / "scratch",
                               Monitoring{Allocations::Left, way}, tables));
  }

  using Uses = std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>;

  // Calls and amounts by metric, file and stack.
  Uses uses(const std::string& what, Way way) {
    fs::remove(file);
    const auto seen = watched(*executor, what, {Allocations::Left, way});
    EXPECT_TRUE(seen) << seen.error().what;
    Uses found;
    if (!seen)
      return found;
    const auto& profile = seen->profile;
    for (const auto& use : profile.uses) {
      std::string text;
      for (const std::size_t frame : profile.stacks[use.stack])
        text += ";" + profile.frames[frame].function.name;
      if (text.find(";main;") == std::string::npos && text.find(";in_thread;") == std::string::npos)
        continue;
      auto& sum = found[use.metric + " " + use.file.substr(0, use.file.find(":[")) + text];
      sum.first += use.calls;
      sum.second += use.amount;
    }
    return found;
  }

  static bool leads_through(const StackProfile& profile, const StackUse& use,
                            std::string_view function) {
    return std::ranges::any_of(profile.stacks[use.stack], [&](std::size_t frame) {
      return profile.frames[frame].function.name == function;
    });
  }

  static std::uint64_t written(const StackProfile& profile) {
    std::uint64_t sum = 0;
    for (const auto& use : profile.uses)
      sum += use.metric == "written" ? use.amount : 0;
    return sum;
  }

  static bool says(const Monitored& monitored, std::string_view text) {
    for (const auto* sentences : {&monitored.gaps, &monitored.reasons})
      for (const auto& sentence : *sentences)
        if (sentence.find(text) != std::string::npos)
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
  EXPECT_TRUE(seen->gaps.empty());
  EXPECT_TRUE(seen->reasons.empty());
}

TEST_F(StackWays, watches_static_programs_from_outside) {
  make({"-O2", "-g", "-static", "-w"});
  const auto seen = watched(*executor, "raw", {});
  ASSERT_TRUE(seen) << seen.error().what;
  EXPECT_NE(seen->way, Way::Inside);
  EXPECT_EQ(written(seen->profile), 5120);
  EXPECT_TRUE(says(*seen, "linked statically"));
  EXPECT_TRUE(seen->gaps.empty());
}

TEST_F(StackWays, makes_everything_as_it_was_before_it_watches_once_more) {
  make({"-O2", "-g", "-static", "-w"});
  const auto used = folder / "used";
  int renewed = 0;
  const Monitoring how{.renew = [&]() -> Result<> {
    ++renewed;
    return remove_tree(used);
  }};
  const auto command =
      "mkdir " + used.string() + " && exec " + program + " raw " + used.string() + "/out";
  const auto seen =
      monitor_stacks(*executor, question(command).job, folder / "scratch", how, tables);
  ASSERT_TRUE(seen) << seen.error().what;
  EXPECT_EQ(renewed, 1);
  EXPECT_EQ(seen->finished.status, 0) << seen->finished.log;
  EXPECT_EQ(written(seen->profile), 5120);
}

TEST_F(StackWays, cannot_watch_once_more_what_cannot_be_renewed) {
  make({"-O2", "-g", "-static", "-w"});
  const auto seen =
      watched(*executor, "raw",
              {.renew = []() -> Result<> { return Error{"its prepare command failed", {}}; }});
  ASSERT_FALSE(seen);
  EXPECT_EQ(seen.error().what, "its prepare command failed");
}

// Stacks that lead through the program's own code; what loads it is not seen from inside.
TEST_F(StackWays, sees_the_same_in_all_ways) {
  make({"-O2", "-g", "-pthread"});
  for (const std::string what :
       {"raw", "stdio", "pieces", "kernel", "children", "grandchild", "exec", "killed", "closed",
        "inlined", "pointer", "number", "range", "threads"}) {
    const auto inside = uses(what, Way::Inside);
    EXPECT_FALSE(inside.empty()) << what;
    EXPECT_EQ(uses(what, Way::Stopped), inside) << what;
    if (is_allowed(Way::Kernel)) {
      EXPECT_EQ(uses(what, Way::Kernel), inside) << what;
    }
  }
}

// Stacks of 200 kB each in 200 threads: more than there is room for between the kernel and us.
TEST_F(StackWays, sees_or_counts_as_lost_what_threads_with_large_stacks_write) {
  make({"-O2", "-g", "-pthread"});
  for (const Way way : {Way::Inside, Way::Kernel, Way::Stopped}) {
    if (!is_allowed(way))
      continue;
    auto seen = watched(*executor, "large", {Allocations::Left, way});
    ASSERT_TRUE(seen) << seen.error().what;
    EXPECT_EQ(seen->finished.status, 0) << seen->finished.log;
    std::uint64_t calls = 0;
    for (const auto& use : seen->profile.uses)
      calls += leads_through(seen->profile, use, "in_large_thread") ? use.calls : 0;
    EXPECT_GE(calls, 2000);
    EXPECT_EQ(calls + seen->profile.lost, 4000 + 200) << "writes, and an open for each thread";
    EXPECT_EQ(seen->profile.accounted["written calls"], 4000);
  }
}

TEST_F(StackWays, watches_calls_without_the_c_library_from_outside) {
  make({"-O2", "-g"});
  const auto seen = watched(*executor, "instruction", {});
  ASSERT_TRUE(seen) << seen.error().what;
  EXPECT_NE(seen->way, Way::Inside);
  EXPECT_EQ(written(seen->profile), 44);
  EXPECT_TRUE(says(*seen, "system calls that the monitor inside"));
  EXPECT_TRUE(seen->gaps.empty());
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
  if (!Unprivileged::can_start_programs())
    GTEST_SKIP() << "nobody but root can start programs here";
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
  if (!Unprivileged::can_start_programs())
    GTEST_SKIP() << "nobody but root can start programs here";
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
