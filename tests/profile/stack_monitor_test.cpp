// The monitor sees all that programs read and write, by complete stacks: its totals are those of
// the kernel, in whichever way it watches.
#include "profile/stack_monitor.h"

#include "profile/profiling.h"
#include "profile/stack_file.h"
#include "profile/stack_records.h"
#include "run/job.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::profile {
namespace {

std::string name_of(const testing::TestParamInfo<Way>& way) {
  return way.param == Way::Inside ? "inside" : way.param == Way::Kernel ? "kernel" : "stopped";
}

class StackMonitor : public Profiling, public testing::WithParamInterface<Way> {
protected:
  void SetUp() override {
    Profiling::SetUp();
    if (GetParam() == Way::Kernel && !is_allowed(Way::Kernel))
      GTEST_SKIP() << "the kernel does not let us watch here";
  }

  bool is_allowed(Way way) {
    return bool(monitor_stacks(*executor, question("true").job, folder / "scratch",
                               Monitoring{Allocations::Left, way}, tables));
  }

  void make(const std::vector<std::string>& options = {"-O2", "-g", "-fomit-frame-pointer"}) {
    program = fakes::compiled("transfers.c", folder / "build", options).string();
    file = (folder / "out").string();
  }

  // The invariant: as many bytes and calls as the kernel accounted, and nothing lost.
  Monitored watched(const std::string& command, Allocations allocations = Allocations::Left) {
    return watched(question(command).job, allocations);
  }

  Monitored watched(const run::Job& job, Allocations allocations) {
    auto monitored = monitor_stacks(*executor, job, folder / "scratch",
                                    Monitoring{allocations, GetParam()}, tables);
    EXPECT_TRUE(monitored) << monitored.error().what;
    if (!monitored)
      return {};
    EXPECT_EQ(monitored->gaps, std::vector<std::string>());
    auto& profile = monitored->profile;
    EXPECT_EQ(profile.lost, 0);
    EXPECT_EQ(monitored->cut, 0);
    EXPECT_EQ(amount(profile, "written"), profile.accounted["written"]);
    EXPECT_EQ(calls(profile, "written"), profile.accounted["written calls"]);
    EXPECT_EQ(amount(profile, "read"), profile.accounted["read"]);
    EXPECT_EQ(calls(profile, "read"), profile.accounted["read calls"]);
    return std::move(*monitored);
  }

  Monitored watched_program(const std::string& what) {
    return watched(program + " " + what + " " + file);
  }

  static std::string text(const StackProfile& profile, const StackUse& use) {
    std::string text;
    for (const std::size_t frame : profile.stacks[use.stack])
      text += (text.empty() ? "" : ";") + profile.frames[frame].function.name;
    return text;
  }

  static bool fits(const StackProfile& profile, const StackUse& use, std::string_view metric,
                   std::string_view part) {
    return use.metric == metric && text(profile, use).find(part) != std::string::npos;
  }

  static std::uint64_t amount(const StackProfile& profile, std::string_view metric,
                              std::string_view part = "") {
    std::uint64_t sum = 0;
    for (const auto& use : profile.uses)
      sum += fits(profile, use, metric, part) ? use.amount : 0;
    return sum;
  }

  static std::uint64_t calls(const StackProfile& profile, std::string_view metric,
                             std::string_view part = "") {
    std::uint64_t sum = 0;
    for (const auto& use : profile.uses)
      sum += fits(profile, use, metric, part) ? use.calls : 0;
    return sum;
  }

  static std::set<std::string> files(const StackProfile& profile, std::string_view part) {
    std::set<std::string> found;
    for (const auto& use : profile.uses)
      if (text(profile, use).find(part) != std::string::npos)
        found.insert(use.file);
    return found;
  }

  std::string program;
  std::string file;
};

TEST_P(StackMonitor, sees_plain_calls_by_stack_and_file) {
  make();
  const auto seen = watched_program("raw");
  EXPECT_EQ(calls(seen.profile, "written", "main;middle;raw_writer"), 10);
  EXPECT_EQ(amount(seen.profile, "written", "main;middle;raw_writer"), 5120);
  EXPECT_EQ(files(seen.profile, "raw_writer"), std::set{file});
  EXPECT_EQ(calls(seen.profile, "opened", "main;opened"), 1);
}

TEST_P(StackMonitor, sees_what_stdio_writes) {
  make();
  const auto seen = watched_program("stdio");
  EXPECT_EQ(amount(seen.profile, "written", "by_stdio"), 101000);
  EXPECT_GT(calls(seen.profile, "written", "stdio_writer"), 10);
}

TEST_P(StackMonitor, sees_calls_with_vectors_and_offsets) {
  make();
  const auto seen = watched_program("pieces");
  EXPECT_EQ(amount(seen.profile, "written", "in_pieces"), 10 * (300 + 50 + 300));
  EXPECT_EQ(calls(seen.profile, "written", "in_pieces"), 30);
  EXPECT_EQ(amount(seen.profile, "read", "in_pieces"), 200);
  EXPECT_EQ(calls(seen.profile, "fsync", "in_pieces"), 2);
}

TEST_P(StackMonitor, sees_what_goes_through_the_kernel_and_sockets) {
  make();
  const auto seen = watched_program("kernel");
  EXPECT_EQ(amount(seen.profile, "written", "sendfile"), 1000);
  EXPECT_EQ(amount(seen.profile, "read", "sendfile"), 1000);
  EXPECT_EQ(amount(seen.profile, "sent", "through_kernel"), 99);
  EXPECT_EQ(amount(seen.profile, "received", "through_kernel"), 99);
}

TEST_P(StackMonitor, sees_all_of_two_hundred_threads) {
  make({"-O2", "-g", "-pthread"});
  const auto seen = watched_program("threads");
  EXPECT_EQ(calls(seen.profile, "written", "in_thread;middle;raw_writer"), 4000);
  EXPECT_EQ(amount(seen.profile, "written"), 4000 * 512);
}

TEST_P(StackMonitor, follows_children_and_grandchildren_without_parents) {
  make();
  EXPECT_EQ(calls(watched_program("children").profile, "written", "middle"), 18);
  EXPECT_EQ(calls(watched_program("grandchild").profile, "written", "by_grandchild;middle"), 7);
}

TEST_P(StackMonitor, follows_into_programs_whose_environment_is_cleared) {
  make();
  EXPECT_EQ(calls(watched_program("exec").profile, "written", "main;middle"), 12);
}

TEST_P(StackMonitor, keeps_what_a_killed_program_did) {
  make();
  const auto seen = watched_program("killed");
  EXPECT_NE(seen.finished.status, 0);
  EXPECT_EQ(calls(seen.profile, "written", "middle"), 6);
}

TEST_P(StackMonitor, notices_that_a_descriptor_became_another_file) {
  make();
  const auto seen = watched_program("closed");
  EXPECT_EQ(calls(seen.profile, "written", "middle"), 7);
  EXPECT_EQ(files(seen.profile, "middle"), (std::set<std::string>{file, "/dev/null"}));
}

TEST_P(StackMonitor, tells_inlined_functions_and_their_lines) {
  make();
  const auto seen = watched_program("inlined");
  EXPECT_EQ(amount(seen.profile, "written", "main;outer_of_inlined;inlined_writer"), 64);
  for (const auto& frame : seen.profile.frames)
    if (frame.function.name == "inlined_writer") {
      EXPECT_TRUE(frame.inlined);
      ASSERT_TRUE(frame.place);
      EXPECT_TRUE(frame.place->file.ends_with("transfers.c"));
    }
}

TEST_P(StackMonitor, puts_back_functions_that_ended_with_a_call) {
  for (const char* format : {"-gdwarf-5", "-gdwarf-4"}) {
    program = fakes::compiled("tail_calls.c", folder / "build", {"-O2", "-g", format}).string();
    const auto seen = watched(program + " " + (folder / "out").string());
    EXPECT_EQ(calls(seen.profile, "written", "main;first;middle;last"), 1) << format;
    EXPECT_EQ(amount(seen.profile, "written", "main;direct;"), 7) << format;
    EXPECT_EQ(calls(seen.profile, "written", "main;last"), 1) << "two ways lead from either";
    for (const auto& frame : seen.profile.frames)
      if (frame.function.name == "middle") {
        ASSERT_TRUE(frame.place) << format;
        EXPECT_EQ(frame.place->line, 10) << format;
      }
  }
}

TEST_P(StackMonitor, follows_function_pointers_handlers_and_libraries) {
  make({"-O2", "-g"});
  EXPECT_EQ(calls(watched_program("pointer").profile, "written", "by_function_pointer;raw_writer"),
            1);
  const auto handled = watched_program("handler");
  EXPECT_EQ(calls(handled.profile, "written", "on_signal;raw_writer"), 1);
  EXPECT_EQ(calls(handled.profile, "written", "main;interrupted"), 1);
  const auto library =
      fakes::compiled("writing_library.c", folder / "build", {"-O2", "-shared", "-fPIC"});
  const auto seen = watched(program + " library " + file + " " + library.string());
  EXPECT_EQ(amount(seen.profile, "written", "through_library;library_writer"), 10);
}

TEST_P(StackMonitor, sees_calls_by_number) {
  make();
  EXPECT_EQ(amount(watched_program("number").profile, "written", "by_call_number"), 33);
}

TEST_P(StackMonitor, lets_threads_be_cancelled_inside_a_call) {
  make({"-O2", "-g", "-pthread"});
  const auto monitored =
      monitor_stacks(*executor, question(program + " cancelled " + file).job, folder / "scratch",
                     Monitoring{Allocations::Left, GetParam()}, tables);
  ASSERT_TRUE(monitored) << monitored.error().what;
  EXPECT_EQ(monitored->finished.status, 0) << monitored->finished.log;
  EXPECT_EQ(calls(monitored->profile, "written", "middle"), 2);
}

TEST_P(StackMonitor, finds_stacks_in_stripped_programs_and_without_debug_information) {
  make({"-O2"});
  EXPECT_EQ(calls(watched_program("raw").profile, "written", "main;middle;raw_writer"), 10);
  make({"-O2", "-s"});
  const auto seen = watched_program("raw");
  EXPECT_EQ(amount(seen.profile, "written"), 5120);
  for (const auto& use : seen.profile.uses)
    if (use.metric == "written") {
      EXPECT_GE(seen.profile.stacks[use.stack].size(), 6);
    }
}

TEST_P(StackMonitor, goes_on_when_all_descriptors_are_closed_at_once) {
  make();
  const auto seen = watched_program("range");
  EXPECT_EQ(calls(seen.profile, "written", "middle"), 5);
  EXPECT_EQ(files(seen.profile, "middle"), (std::set<std::string>{file, "/dev/null"}));
}

TEST_P(StackMonitor, ends_as_the_program_ends) {
  make();
  auto job = question("").job;
  job.words = {program, "killed", file};
  const auto killed = watched(job, Allocations::Left);
  EXPECT_EQ(killed.finished.ending, run::Ending::Signalled);
  EXPECT_EQ(killed.finished.status, SIGKILL);
  const auto failed = watched("exit 7");
  EXPECT_EQ(failed.finished.ending, run::Ending::Exited);
  EXPECT_EQ(failed.finished.status, 7);
}

TEST_P(StackMonitor, says_that_a_program_is_not_there) {
  auto job = question("").job;
  job.words = {(folder / "nothing").string()};
  const auto monitored = monitor_stacks(*executor, job, folder / "scratch",
                                        Monitoring{Allocations::Left, GetParam()}, tables);
  ASSERT_TRUE(monitored) << monitored.error().what;
  EXPECT_EQ(monitored->finished.ending, run::Ending::NotStarted);
  EXPECT_EQ(monitored->finished.status, ENOENT);
}

INSTANTIATE_TEST_SUITE_P(Ways, StackMonitor,
                         testing::Values(Way::Inside, Way::Kernel, Way::Stopped), name_of);

using StackMonitorInside = StackMonitor;

TEST_P(StackMonitorInside, counts_allocations_when_asked) {
  make();
  const auto seen = watched(program + " allocations " + file, Allocations::Counted);
  EXPECT_EQ(calls(seen.profile, "allocated", "with_allocations"), 1000);
  EXPECT_EQ(amount(seen.profile, "allocated", "with_allocations"), 1000000);
  EXPECT_EQ(amount(watched_program("allocations").profile, "allocated"), 0);
}

TEST_P(StackMonitorInside, shows_what_it_cannot_watch_as_a_difference_to_the_kernel) {
  make({"-O2", "-static", "-w"});
  auto monitored = monitor_stacks(*executor, question(program + " raw " + file).job,
                                  folder / "scratch", Monitoring{{}, Way::Inside}, tables);
  ASSERT_TRUE(monitored) << monitored.error().what;
  EXPECT_EQ(amount(monitored->profile, "written"), 0);
  EXPECT_EQ(monitored->profile.accounted["written"], 5120);
  ASSERT_EQ(monitored->gaps.size(), 2);
  EXPECT_NE(monitored->gaps[0].find("linked statically"), std::string::npos);
  EXPECT_NE(monitored->gaps[1].find("written 5120"), std::string::npos);
}

// 2^20 stacks of two functions that call each other in all orders: more than there is room for.
TEST_P(StackMonitorInside, counts_what_finds_no_room_as_lost) {
  const auto many = fakes::compiled("many_stacks.c", folder / "build", {"-O1"}).string();
  const auto into = folder / "records";
  std::filesystem::create_directories(into);
  const auto job = under_monitor(question(many).job, into, Allocations::Left);
  ASSERT_TRUE(job) << job.error().what;
  const auto finished = executor->carry_out(*job);
  ASSERT_TRUE(finished) << finished.error().what;
  ASSERT_EQ(finished->status, 0) << finished->log;
  const auto processes = read_stacks(into);
  ASSERT_TRUE(processes) << processes.error().what;
  std::uint64_t lost = 0;
  for (const auto& process : *processes)
    lost += process.header.lost;
  EXPECT_GT(lost, 0);
  EXPECT_EQ(transferred(*processes).writes + lost, 1 << 20);
}

INSTANTIATE_TEST_SUITE_P(Ways, StackMonitorInside, testing::Values(Way::Inside), name_of);

// Programs that nothing can be loaded into.
class StaticPrograms : public StackMonitor {
protected:
  void make_static() { make({"-O2", "-g", "-static", "-w", "-pthread"}); }
};

TEST_P(StaticPrograms, are_watched_by_stack_and_file) {
  make_static();
  const auto seen = watched_program("raw");
  EXPECT_EQ(calls(seen.profile, "written", "main;middle;raw_writer"), 10);
  EXPECT_EQ(amount(seen.profile, "written", "main;middle;raw_writer"), 5120);
  EXPECT_EQ(files(seen.profile, "raw_writer"), std::set{file});
  EXPECT_EQ(amount(watched_program("stdio").profile, "written", "by_stdio"), 101000);
}

TEST_P(StaticPrograms, are_watched_in_pieces_through_the_kernel_and_inlined) {
  make_static();
  const auto pieces = watched_program("pieces");
  EXPECT_EQ(amount(pieces.profile, "written", "in_pieces"), 10 * (300 + 50 + 300));
  EXPECT_EQ(calls(pieces.profile, "fsync", "in_pieces"), 2);
  const auto kernel = watched_program("kernel");
  EXPECT_EQ(amount(kernel.profile, "read", "sendfile"), 1000);
  EXPECT_EQ(amount(kernel.profile, "received", "through_kernel"), 99);
  EXPECT_EQ(
      amount(watched_program("inlined").profile, "written", "main;outer_of_inlined;inlined_writer"),
      64);
}

TEST_P(StaticPrograms, are_followed_through_threads_children_and_signals) {
  make_static();
  EXPECT_EQ(calls(watched_program("threads").profile, "written", "in_thread;middle;raw_writer"),
            4000);
  EXPECT_EQ(calls(watched_program("children").profile, "written", "middle"), 18);
  EXPECT_EQ(calls(watched_program("grandchild").profile, "written", "by_grandchild;middle"), 7);
  EXPECT_EQ(calls(watched_program("exec").profile, "written", "main;middle"), 12);
  EXPECT_EQ(calls(watched_program("killed").profile, "written", "middle"), 6);
  const auto handled = watched_program("handler");
  EXPECT_EQ(calls(handled.profile, "written", "main;interrupted"), 1);
  EXPECT_EQ(calls(handled.profile, "written", "on_signal;raw_writer"), 1);
}

TEST_P(StaticPrograms, are_watched_without_symbols) {
  make({"-O2", "-static", "-w", "-s"});
  const auto seen = watched_program("raw");
  EXPECT_EQ(amount(seen.profile, "written"), 5120);
  for (const auto& use : seen.profile.uses)
    if (use.metric == "written") {
      EXPECT_GE(seen.profile.stacks[use.stack].size(), 6);
    }
}

TEST_P(StaticPrograms, and_calls_without_the_c_library_are_seen) {
  make();
  EXPECT_EQ(amount(watched_program("instruction").profile, "written", "by_instruction"), 44);
}

// More stacks than the kernel can be told of in time: programs wait for us.
TEST_P(StaticPrograms, do_not_outrun_who_watches_them) {
  const auto many =
      fakes::compiled("many_stacks.c", folder / "build", {"-O1", "-g", "-static", "-w"}).string();
  EXPECT_EQ(calls(watched(many + " 13").profile, "written", "left"), (1 << 13) - 1);
}

INSTANTIATE_TEST_SUITE_P(Ways, StaticPrograms, testing::Values(Way::Kernel, Way::Stopped), name_of);

} // namespace
} // namespace dragnet::profile
