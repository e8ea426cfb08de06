// What jobs are charged for: time, memory, transfers and counted events, their children included.
#include "run/executor.h"

#include "fakes/compiled_program.h"
#include "fakes/temporary_folder.h"
#include "run/machine.h"

#include <linux/perf_event.h>

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace dragnet::run {
namespace {

constexpr double megabyte = 1024.0 * 1024;

// The invariant: no account is negative or larger than the processor allows.
class Accounts : public testing::Test {
protected:
  void SetUp() override {
    auto started = LocalExecutor::start();
    ASSERT_TRUE(started) << started.error().what;
    executor.emplace(std::move(*started));
  }
  Finished carry_out(const Job& job) {
    auto finished = executor->carry_out(job);
    EXPECT_TRUE(finished) << finished.error().what;
    if (!finished)
      return {};
    const double processor_time = finished->user_seconds + finished->system_seconds;
    const auto cores = static_cast<double>(allowed_cores().size());
    EXPECT_LE(processor_time, finished->wall_seconds * cores + 0.05);
    EXPECT_GT(finished->wall_seconds, 0);
    EXPECT_GT(finished->peak_bytes, 0);
    EXPECT_GT(finished->page_faults, 0);
    return std::move(*finished);
  }
  Job program(std::vector<std::string> words) const {
    Job job;
    job.words = std::move(words);
    job.variables = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
    job.folder = folder.path();
    return job;
  }
  Job shell(const std::string& script) const { return program({"/bin/sh", "-c", script}); }
  std::string compiled(const std::string& name) const {
    return fakes::compiled_program(name, folder.path()).string();
  }
  Finished::Transfers transfers(const std::string& script) {
    const auto finished = carry_out(shell(script));
    EXPECT_TRUE(finished.transfers) << "the kernel does not account them";
    return finished.transfers.value_or(Finished::Transfers{});
  }

  fakes::TemporaryFolder folder;
  std::optional<LocalExecutor> executor;
};

TEST_F(Accounts, of_transfers_count_bytes_and_calls_exactly) {
  const auto none = transfers("exec dd if=/dev/zero of=out bs=512 count=0 status=none");
  const auto some = transfers("exec dd if=/dev/zero of=out bs=512 count=1000 status=none");
  EXPECT_EQ(some.bytes_written - none.bytes_written, 512'000);
  EXPECT_EQ(some.writes - none.writes, 1000);
  EXPECT_EQ(some.bytes_read - none.bytes_read, 512'000);
  EXPECT_EQ(some.reads - none.reads, 1000);
}

TEST_F(Accounts, of_transfers_include_children) {
  const std::string dd = "dd if=/dev/zero of=out bs=512 status=none count=";
  const auto none = transfers(dd + "0; true");
  const auto some = transfers(dd + "1000; true");
  EXPECT_EQ(some.bytes_written - none.bytes_written, 512'000);
  EXPECT_EQ(some.writes - none.writes, 1000);
}

TEST_F(Accounts, of_transfers_include_children_that_nobody_waited_for) {
  const auto orphan = [](const std::string& count) {
    return "rm -f ready; ( (dd if=/dev/zero of=out bs=512 status=none count=" + count +
           "; touch ready) & ); until test -e ready; do sleep 0.01; done";
  };
  const auto none = transfers(orphan("0"));
  const auto some = transfers(orphan("1000"));
  EXPECT_EQ(some.bytes_written - none.bytes_written, 512'000);
}

TEST_F(Accounts, of_transfers_repeat) {
  const auto first =
      transfers("dd if=/dev/zero of=out bs=512 count=10 status=none; cat out > copy");
  const auto second =
      transfers("dd if=/dev/zero of=out bs=512 count=10 status=none; cat out > copy");
  EXPECT_EQ(first.bytes_written, second.bytes_written);
  EXPECT_EQ(first.writes, second.writes);
  EXPECT_EQ(first.bytes_read, second.bytes_read);
  EXPECT_EQ(first.reads, second.reads);
}

TEST_F(Accounts, of_memory_show_what_was_touched) {
  const std::string touch = compiled("touches_memory");
  const double little = carry_out(program({touch, "1"})).peak_bytes;
  const double much = carry_out(program({touch, "104857600"})).peak_bytes;
  EXPECT_LT(little, 20 * megabyte);
  EXPECT_NEAR(much - little, 100 * megabyte, 5 * megabyte);
}

TEST_F(Accounts, of_memory_show_the_largest_process) {
  const std::string touch = compiled("touches_memory");
  EXPECT_NEAR(carry_out(program({touch, "104857600", "in a child"})).peak_bytes, 102 * megabyte,
              8 * megabyte);
}

TEST_F(Accounts, of_memory_begin_anew_with_each_job) {
  const std::string touch = compiled("touches_memory");
  const double before = carry_out(program({touch, "1"})).peak_bytes;
  carry_out(program({touch, "104857600"}));
  Job loud = shell("head -c 20000000 /dev/zero");
  loud.log_limit = 8'000'000;
  carry_out(loud);
  EXPECT_NEAR(carry_out(program({touch, "1"})).peak_bytes, before, megabyte);
}

TEST_F(Accounts, of_time_include_children) {
  const std::string work = compiled("counts");
  const auto alone = carry_out(program({work, "60000000"}));
  const auto in_children = carry_out(shell(work + " 60000000; " + work + " 60000000; true"));
  EXPECT_GT(alone.user_seconds, 0.01);
  EXPECT_GT(in_children.user_seconds, 1.3 * alone.user_seconds);
  EXPECT_LT(in_children.user_seconds, 3.5 * alone.user_seconds);
}

TEST_F(Accounts, of_time_tell_sleep_from_work) {
  const auto slept = carry_out(shell("sleep 0.3"));
  EXPECT_GE(slept.wall_seconds, 0.3);
  EXPECT_LT(slept.user_seconds + slept.system_seconds, 0.1);
}

TEST_F(Accounts, of_wall_time_do_not_wait_for_what_lingers) {
  EXPECT_LT(carry_out(shell("sleep 1000 & exit 0")).wall_seconds, 1);
}

TEST_F(Accounts, of_context_switches_count_sleeps) {
  const double few = carry_out(shell("true")).context_switches;
  const double many =
      carry_out(shell("for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.001; done")).context_switches;
  EXPECT_GE(many, few + 10);
}

TEST_F(Accounts, of_a_counter_agree_with_the_kernels_own) {
  const Counter faults{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS};
  if (!can_count(faults))
    GTEST_SKIP() << "the kernel gives no counters here";
  Job job = program({compiled("touches_memory"), "104857600"});
  job.counter = faults;
  const auto finished = carry_out(job);
  ASSERT_TRUE(finished.counted);
  EXPECT_NEAR(*finished.counted, finished.page_faults, 0.1 * finished.page_faults + 200);
}

TEST_F(Accounts, of_a_counter_include_children) {
  const Counter clock{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK};
  if (!can_count(clock))
    GTEST_SKIP() << "the kernel gives no counters here";
  const std::string work = compiled("counts");
  Job job = shell(work + " 60000000; " + work + " 60000000; true");
  job.counter = clock;
  const auto finished = carry_out(job);
  ASSERT_TRUE(finished.counted);
  const double seconds = finished.user_seconds + finished.system_seconds;
  EXPECT_NEAR(*finished.counted * 1e-9, seconds, 0.3 * seconds);
}

TEST_F(Accounts, of_a_counter_that_does_not_exist_are_absent) {
  Job job = shell("true");
  job.counter = Counter{PERF_TYPE_SOFTWARE, 9999};
  EXPECT_FALSE(carry_out(job).counted);
  EXPECT_FALSE(carry_out(shell("true")).counted);
}

} // namespace
} // namespace dragnet::run
