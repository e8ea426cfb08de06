#include "run/machine.h"

#include "fakes/child_process.h"
#include "run/inspect.h"

#include <linux/perf_event.h>
#include <sched.h>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace dragnet::run {
namespace {

TEST(ThisMachine, is_the_same_each_time_and_says_something_of_itself) {
  const Machine machine = this_machine();
  EXPECT_EQ(this_machine().key, machine.key);
  EXPECT_EQ(machine.key.size(), 32U);
  EXPECT_FALSE(machine.host_name.empty());
  EXPECT_FALSE(machine.processor.empty());
  EXPECT_FALSE(machine.kernel.empty());
  EXPECT_GT(machine.cores, 0);
  EXPECT_GT(machine.memory_bytes, 64U * 1024 * 1024);
}

TEST(MeasuringCores, are_the_highest_and_none_when_all_are_wanted) {
  const auto all = allowed_cores();
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(measuring_cores(0).empty());
  EXPECT_TRUE(measuring_cores(static_cast<int>(all.size())).empty());
  EXPECT_TRUE(measuring_cores(100'000).empty());
  EXPECT_TRUE(measuring_cores(-1).empty());
  if (all.size() < 2)
    GTEST_SKIP() << "only one core";
  EXPECT_EQ(measuring_cores(1), std::vector<int>{all.back()});
}

TEST(MeasuringCores, are_taken_from_those_that_we_may_use) {
  const int status =
      fakes::ChildProcess([] {
        const int core = allowed_cores().back();
        cpu_set_t only;
        CPU_ZERO(&only);
        CPU_SET(core, &only);
        ::sched_setaffinity(0, sizeof only, &only);
        return allowed_cores() == std::vector<int>{core} && measuring_cores(1).empty() ? 0 : 1;
      }).wait();
  EXPECT_EQ(status, 0);
}

TEST(Counters, of_nonsense_cannot_be_used) {
  EXPECT_FALSE(can_count({PERF_TYPE_SOFTWARE, 9999}));
}

TEST(Inspection, says_something_different_about_each_thing) {
  std::set<std::string> things;
  for (const auto& found : inspect_machine()) {
    EXPECT_TRUE(things.insert(found.what).second) << found.what;
    EXPECT_FALSE(found.finding.empty()) << found.what;
    EXPECT_TRUE(found.grade != Grade::Good || found.advice.empty())
        << found.what << ": " << found.advice;
  }
  EXPECT_GT(things.size(), 5U);
}

} // namespace
} // namespace dragnet::run
