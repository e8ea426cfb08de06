// How jobs are started, limited and ended. What they are charged for is in accounting_test.cpp.
#include "run/executor.h"

#include "base/files.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "fakes/child_process.h"
#include "fakes/compiled_program.h"
#include "fakes/temporary_folder.h"
#include "run/machine.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace dragnet::run {
namespace fs = std::filesystem;
namespace {

using fakes::becomes_true;
using fakes::processes_with;

// The invariant: after every case no process of a job is left, and no descriptor of ours.
class LocalExecutors : public testing::Test {
protected:
  void SetUp() override {
    auto started = LocalExecutor::start();
    ASSERT_TRUE(started) << started.error().what;
    executor.emplace(std::move(*started));
    descriptors_before = fakes::entry_count("/proc/self/fd");
  }
  void TearDown() override {
    EXPECT_EQ(fakes::entry_count("/proc/self/fd"), descriptors_before);
    executor.reset();
    EXPECT_EQ(processes_with(marker), 0) << "a job outlived its executor";
  }
  Job shell(const std::string& script) const {
    Job job;
    job.words = {"/bin/sh", "-c", script, marker};
    job.variables = {"PATH=/usr/bin:/bin"};
    job.folder = folder.path();
    return job;
  }
  Finished carry_out(const Job& job) {
    auto finished = executor->carry_out(job);
    EXPECT_TRUE(finished) << finished.error().what;
    return finished ? std::move(*finished) : Finished{};
  }
  std::string printed(const std::string& script) { return carry_out(shell(script)).log; }

  fakes::TemporaryFolder folder;
  std::string marker = "marker-" + folder.path().filename().string();
  std::optional<LocalExecutor> executor;
  std::size_t descriptors_before = 0;
};

TEST_F(LocalExecutors, tell_the_exit_status) {
  for (const int status : {0, 1, 77, 255}) {
    const auto finished = carry_out(shell("exit " + std::to_string(status)));
    EXPECT_EQ(finished.ending, Ending::Exited);
    EXPECT_EQ(finished.status, status);
  }
}

TEST_F(LocalExecutors, tell_the_signal_that_ended_a_job) {
  const auto finished = carry_out(shell("kill -SEGV $$"));
  EXPECT_EQ(finished.ending, Ending::Signalled);
  EXPECT_EQ(finished.status, SIGSEGV);
}

TEST_F(LocalExecutors, keep_what_a_job_prints_on_both_streams) {
  const auto finished = carry_out(shell("echo out; echo err >&2; echo end"));
  EXPECT_EQ(finished.log, "out\nerr\nend\n");
  EXPECT_EQ(finished.printed_bytes, 12);
}

TEST_F(LocalExecutors, give_a_job_exactly_its_environment) {
  Job job = shell("");
  job.words = {"/usr/bin/env"};
  job.variables = {"B=2", "A=1 with blanks", "EMPTY="};
  EXPECT_EQ(carry_out(job).log, "B=2\nA=1 with blanks\nEMPTY=\n");
  job.variables.clear();
  EXPECT_EQ(carry_out(job).log, "");
}

TEST_F(LocalExecutors, give_words_as_they_are) {
  Job job = shell("");
  job.words = {"/usr/bin/printf", "%s|", "a b", "", "$HOME", "*"};
  EXPECT_EQ(carry_out(job).log, "a b||$HOME|*|");
}

TEST_F(LocalExecutors, start_a_job_in_its_folder) {
  EXPECT_EQ(printed("pwd -P"), folder.path().string() + "\n");
}

TEST_F(LocalExecutors, give_a_job_nothing_to_read_unless_told) {
  EXPECT_EQ(printed("cat; echo end"), "end\n");
  ASSERT_TRUE(write_file(folder / "input", "from the file\n"));
  Job job = shell("cat");
  job.input = folder / "input";
  EXPECT_EQ(carry_out(job).log, "from the file\n");
}

TEST_F(LocalExecutors, give_a_job_no_descriptor_but_the_usual_three) {
  const int inherited = ::dup(STDIN_FILENO); // as a shell or make may leave one to us
  auto own = LocalExecutor::start();
  ::close(inherited);
  Job job = shell("");
  job.words = {"/bin/ls", "/proc/self/fd"};
  EXPECT_EQ(own->carry_out(job)->log, "0\n1\n2\n3\n") << "the last is the folder that ls reads";
}

TEST_F(LocalExecutors, give_a_job_the_usual_signals) {
  const std::string masks = printed("grep -E '^Sig(Blk|Ign)' /proc/self/status | cut -f 2");
  ASSERT_EQ(lines(masks).size(), 2U) << masks;
  // The C library keeps two signals above 31 for itself.
  for (const auto& mask : lines(masks))
    EXPECT_EQ(std::stoull(mask, nullptr, 16) & 0x7fffffffU, 0U) << masks;
}

TEST_F(LocalExecutors, tell_why_a_job_could_not_be_started) {
  Job job = shell("true");
  job.folder = folder / "missing";
  EXPECT_EQ(carry_out(job).ending, Ending::NotStarted);
  EXPECT_EQ(carry_out(job).status, ENOENT);
  job = shell("true");
  job.words = {(folder / "missing").string()};
  EXPECT_EQ(carry_out(job).ending, Ending::NotStarted);
  EXPECT_EQ(carry_out(job).status, ENOENT);
  job = shell("true");
  job.input = folder / "missing";
  EXPECT_EQ(carry_out(job).ending, Ending::NotStarted);
  EXPECT_EQ(carry_out(shell("exit 5")).status, 5) << "it goes on afterwards";
}

TEST_F(LocalExecutors, do_not_take_status_127_for_a_job_that_was_not_started) {
  const auto finished = carry_out(shell("exit 127"));
  EXPECT_EQ(finished.ending, Ending::Exited);
  EXPECT_EQ(finished.status, 127);
}

TEST_F(LocalExecutors, end_a_job_and_all_its_children_at_the_time_limit) {
  Job job = shell("sleep 1000 & (sleep 1000; true) & echo begun; sleep 1000");
  job.limit = Seconds(0.3);
  const auto finished = carry_out(job);
  EXPECT_EQ(finished.ending, Ending::TimedOut);
  EXPECT_GE(finished.wall_seconds, 0.3);
  EXPECT_LT(finished.wall_seconds, 2);
  EXPECT_EQ(finished.log, "begun\n");
  EXPECT_EQ(processes_with(marker), 0);
}

TEST_F(LocalExecutors, end_a_job_that_ignores_polite_signals) {
  Job job = shell("");
  job.words = {fakes::compiled_program("ignores_polite_signals", folder.path()).string(), marker};
  job.limit = Seconds(0.2);
  EXPECT_EQ(carry_out(job).ending, Ending::TimedOut);
  EXPECT_EQ(processes_with(marker), 0);
}

TEST_F(LocalExecutors, end_a_job_that_prints_without_end_at_the_time_limit) {
  Job job = shell("yes");
  job.limit = Seconds(0.2);
  const auto finished = carry_out(job);
  EXPECT_EQ(finished.ending, Ending::TimedOut);
  EXPECT_LT(finished.wall_seconds, 2);
}

TEST_F(LocalExecutors, let_a_job_end_before_its_limit) {
  Job job = shell("exit 3");
  job.limit = Seconds(100);
  EXPECT_EQ(carry_out(job).status, 3);
}

TEST_F(LocalExecutors, end_what_a_job_left_in_the_background) {
  const auto finished = carry_out(shell("sleep 1000 & sleep 1000 & exit 4"));
  EXPECT_EQ(finished.ending, Ending::Exited);
  EXPECT_EQ(finished.status, 4);
  EXPECT_EQ(finished.lingering, 2U);
}

TEST_F(LocalExecutors, find_a_daemon_that_hides) {
  Job job = shell("");
  job.words = {fakes::compiled_program("hides_in_the_background", folder.path()).string(), marker};
  const auto finished = carry_out(job);
  EXPECT_EQ(finished.ending, Ending::Exited);
  EXPECT_EQ(finished.status, 0);
  EXPECT_GE(finished.lingering, 1U);
  EXPECT_LT(finished.wall_seconds, 5);
  EXPECT_EQ(processes_with(marker), 0);
}

TEST_F(LocalExecutors, count_nothing_as_lingering_that_ended_in_time) {
  EXPECT_EQ(carry_out(shell("true & wait; (true); echo $(true)")).lingering, 0U);
}

TEST_F(LocalExecutors, bound_what_they_keep_of_200_megabytes) {
  Job job = shell("echo begin; head -c 200000000 /dev/zero; echo end");
  job.log_limit = 1000;
  const auto finished = carry_out(job);
  EXPECT_EQ(finished.status, 0);
  EXPECT_EQ(finished.printed_bytes, 200'000'010);
  EXPECT_LT(finished.log.size(), 1100U);
  EXPECT_TRUE(finished.log.starts_with("begin\n"));
  EXPECT_TRUE(finished.log.ends_with("end\n"));
  EXPECT_TRUE(finished.log.contains("199999010 bytes left out")) << finished.log;
}

TEST_F(LocalExecutors, keep_what_was_printed_just_before_the_end) {
  for (int i = 0; i < 20; ++i) {
    const auto finished = carry_out(shell("head -c 60000 /dev/zero; printf end"));
    ASSERT_EQ(finished.printed_bytes, 60'003);
    ASSERT_TRUE(finished.log.ends_with("end"));
  }
}

TEST_F(LocalExecutors, wait_for_a_job_that_closed_its_output) {
  const auto finished = carry_out(shell("exec >&- 2>&-; sleep 0.2; exit 3"));
  EXPECT_EQ(finished.status, 3);
  EXPECT_GE(finished.wall_seconds, 0.2);
}

TEST_F(LocalExecutors, keep_nothing_when_told_so) {
  Job job = shell("echo something");
  job.log_limit = 0;
  const auto finished = carry_out(job);
  EXPECT_EQ(finished.printed_bytes, 10);
}

TEST_F(LocalExecutors, place_a_job_at_the_same_addresses_each_time) {
  Job job = shell("");
  job.words = {fakes::compiled_program("prints_an_address", folder.path()).string()};
  job.fixed_addresses = true;
  const std::string first = carry_out(job).log;
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(carry_out(job).log, first);
  job.fixed_addresses = false;
  bool differs = false;
  for (int i = 0; i < 5; ++i)
    differs = differs || carry_out(job).log != first;
  EXPECT_TRUE(differs) << "the kernel does not randomise addresses here, so the case says nothing";
}

TEST_F(LocalExecutors, keep_a_job_and_its_children_to_their_cores) {
  for (const int core : allowed_cores()) {
    Job job = shell("grep Cpus_allowed_list /proc/self/status");
    job.cores = {core};
    EXPECT_EQ(carry_out(job).log, "Cpus_allowed_list:\t" + std::to_string(core) + "\n");
  }
}

TEST_F(LocalExecutors, let_a_job_use_all_cores_unless_told) {
  EXPECT_EQ(printed("nproc"), std::to_string(allowed_cores().size()) + "\n");
}

TEST_F(LocalExecutors, leak_no_descriptors_over_many_jobs) {
  const std::string helper = printed("echo $PPID");
  const auto count = [&] {
    return fakes::entry_count("/proc/" + std::string(trim(helper)) + "/fd");
  };
  const auto before = count();
  ASSERT_GT(before, 0U);
  for (int i = 0; i < 200; ++i)
    ASSERT_EQ(carry_out(shell("exit 1")).status, 1);
  Job broken = shell("true");
  broken.folder = folder / "missing";
  for (int i = 0; i < 50; ++i)
    ASSERT_EQ(carry_out(broken).ending, Ending::NotStarted);
  EXPECT_EQ(count(), before);
}

TEST_F(LocalExecutors, leave_no_helper_behind) {
  const std::string helper(trim(printed("echo $PPID")));
  EXPECT_TRUE(fs::exists("/proc/" + helper));
  executor.reset();
  EXPECT_FALSE(fs::exists("/proc/" + helper));
  --descriptors_before;
}

TEST_F(LocalExecutors, say_when_their_helper_is_gone) {
  const auto helper = static_cast<pid_t>(std::stoi(printed("echo $PPID")));
  ASSERT_GT(helper, 1);
  ::kill(helper, SIGKILL);
  const auto finished = executor->carry_out(shell("true"));
  ASSERT_FALSE(finished);
  EXPECT_TRUE(finished.error().what.contains("dragnet-starter")) << finished.error().what;
}

TEST_F(LocalExecutors, end_the_running_job_when_their_owner_is_killed) {
  fakes::ChildProcess owner([&] {
    auto own = LocalExecutor::start();
    return own && own->carry_out(shell("sleep 1000 & setsid sh -c 'sleep 1000; true' " + marker +
                                       " & sleep 1000; true"))
               ? 0
               : 1;
  });
  ASSERT_TRUE(becomes_true([&] { return processes_with(marker) >= 2; }));
  ::kill(owner.id(), SIGKILL);
  EXPECT_TRUE(becomes_true([&] { return processes_with(marker) == 0; }, std::chrono::seconds(1)));
}

TEST_F(LocalExecutors, end_the_running_job_when_the_user_interrupts) {
  fakes::ChildProcess owner([&] {
    watch_for_interrupts();
    auto own = LocalExecutor::start();
    const auto finished = own->carry_out(shell("sleep 1000; true"));
    const auto next = own->carry_out(shell("true"));
    return !finished && finished.error().what == "interrupted" && !next ? 0 : 1;
  });
  ASSERT_TRUE(becomes_true([&] { return processes_with(marker) >= 1; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ::kill(owner.id(), SIGINT);
  EXPECT_EQ(owner.wait(), 0);
}

} // namespace
} // namespace dragnet::run
