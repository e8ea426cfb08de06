// Profiles of real programs: equal to callgrind's, the same each time, whole in all processes.
#include "profile/profiler.h"

#include "profile/profiling.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace dragnet::profile {
namespace {

constexpr auto direct = CallKind::Direct;
constexpr auto indirect = CallKind::Indirect;

// Every function has the same calls in both profiles, and the same instructions within 1 %.
void expect_equal(const Profile& ours, const Profile& theirs) {
  const auto name = [](const auto& counts) { return counts.function.name; };
  ASSERT_GT(ours.functions.size(), 3);
  std::map<std::string, FunctionCounts> other;
  for (const auto& function : theirs.functions)
    other[name(function)] = function;
  EXPECT_EQ(ours.functions.size(), theirs.functions.size());
  for (const auto& function : ours.functions) {
    const auto& same = other[name(function)];
    EXPECT_EQ(function.calls, same.calls) << name(function);
    EXPECT_NEAR(static_cast<double>(function.instructions), static_cast<double>(same.instructions),
                0.01 * static_cast<double>(same.instructions))
        << name(function);
  }
}

TEST_F(Profiling, equals_callgrind_on_calls_in_all_ways) {
  for (const std::string level : {"-O0", "-O2"}) {
    const auto program = compiled("calls_in_all_ways.c", {level});
    expect_equal(counted(program), by_callgrind({program}));
  }
}

TEST_F(Profiling, equals_callgrind_on_virtual_calls_and_exceptions) {
  for (const std::string level : {"-O0", "-O2"}) {
    const auto program = compiled("virtual_calls.cpp", {level, "-std=c++20"});
    expect_equal(counted(program), by_callgrind({program}));
  }
}

TEST_F(Profiling, equals_callgrind_on_a_program_at_fixed_addresses_and_a_static_one) {
  for (const std::string kind : {"-no-pie", "-static"}) {
    const auto program = compiled("calls_in_all_ways.c", {"-O1", kind});
    const auto ours = by_name(counted(program));
    const auto theirs = by_name(by_callgrind({program}));
    for (const std::string name :
         {"main", "loop", "fibonacci", "choose", "compare", "copy_bytes"}) {
      EXPECT_EQ(ours.at(name).calls, theirs.at(name).calls) << name << kind;
      EXPECT_EQ(ours.at(name).instructions, theirs.at(name).instructions) << name << kind;
    }
  }
}

TEST_F(Profiling, gives_the_same_twice) {
  const auto program = compiled("virtual_calls.cpp", {"-O2", "-std=c++20"});
  const auto first = counted(program);
  const auto second = counted(program);
  EXPECT_EQ(first.counting, Counting::Emulated);
  EXPECT_EQ(first.instructions, second.instructions);
  ASSERT_EQ(first.functions.size(), second.functions.size());
  for (std::size_t i = 0; i < first.functions.size(); ++i) {
    EXPECT_EQ(first.functions[i].function, second.functions[i].function);
    EXPECT_EQ(first.functions[i].calls, second.functions[i].calls);
    EXPECT_EQ(first.functions[i].instructions, second.functions[i].instructions);
  }
  ASSERT_EQ(first.edges.size(), second.edges.size());
  for (std::size_t i = 0; i < first.edges.size(); ++i)
    EXPECT_EQ(first.edges[i].calls, second.edges[i].calls);
}

TEST_F(Profiling, tells_direct_and_indirect_calls_exactly) {
  const auto profile = counted(compiled("calls_in_all_ways.c", {"-O2"}));
  EXPECT_EQ(calls(profile, "main", "fibonacci", direct), 1);
  EXPECT_EQ(calls(profile, "fibonacci", "fibonacci", direct), calls(profile, "fibonacci") - 1);
  EXPECT_EQ(calls(profile, "main", "through_pointer", direct), 1000);
  EXPECT_EQ(calls(profile, "through_pointer", "add_one", indirect), 334);
  EXPECT_EQ(calls(profile, "through_pointer", "add_two", indirect), 666);
  EXPECT_EQ(calls(profile, "tail_through_pointer", "add_one", indirect), 250);
  EXPECT_EQ(calls(profile, "tail_through_pointer", "add_two", indirect), 750);
  EXPECT_EQ(calls(profile, "tail_caller", "tail_target", direct), 1000);
  EXPECT_EQ(calls(profile, "choose", "add_one", direct), 250);
  EXPECT_EQ(calls(profile, "choose", "add_one", indirect), 0);
  EXPECT_EQ(calls(profile, "main", "compare", indirect), 0);
  EXPECT_GT(calls(profile, "compare"), 500);
  EXPECT_EQ(calls(profile, "jump_out"), 60);
}

TEST_F(Profiling, sees_all_processes_however_they_start_and_end) {
  const auto program = compiled("many_processes.c", {"-O1", "-pthread"});
  const std::map<std::string, unsigned> expected{{"", 10},      {"fork", 25},   {"spawn", 15},
                                                 {"bare", 15},  {"exec", 15},   {"shell", 15},
                                                 {"_exit", 10}, {"threads", 20}};
  for (const auto& [way, works] : expected)
    EXPECT_EQ(calls(counted(program + " " + way), "work"), works) << way;
  for (const std::string way : {"kill", "crash"})
    EXPECT_EQ(calls(counted(program + " " + way + "; true"), "work"), 10) << way;
}

TEST_F(Profiling, counts_what_each_thread_calls) {
  const auto program = compiled("many_processes.c", {"-O1", "-pthread"});
  const auto profile = counted(program + " threads");
  EXPECT_EQ(calls(profile, "thread"), 2);
  EXPECT_EQ(calls(profile, "work_times"), 3);
}

TEST_F(Profiling, follows_calls_into_a_shared_library_and_back) {
  const auto library =
      fakes::compiled("shared_part.c", folder / "build", {"-O2", "-shared", "-fPIC"});
  std::filesystem::rename(library, folder / "build/libshared.so");
  add_table(folder / "build/libshared.so");
  const auto program = compiled("uses_shared_part.c", {"-O2", "-L" + (folder / "build").string(),
                                                       "-lshared", "-Wl,-rpath,$ORIGIN"});
  const auto profile = counted(program);
  EXPECT_EQ(calls(profile, "main", "shared_sum", direct), 2);
  EXPECT_EQ(calls(profile, "shared_sum", "own_step", indirect), 20);
  EXPECT_EQ(calls(profile, "own_step", "shared_step", direct), 20);
  EXPECT_EQ(calls(profile, "shared_step"), 27);
  EXPECT_FALSE(profile.libraries.empty());
}

TEST_F(Profiling, sees_a_program_behind_scripts) {
  const auto program = compiled("many_processes.c", {"-O1", "-pthread"});
  const auto script = (folder / "build/script.sh").string();
  std::ofstream(script) << "#!/bin/sh\nfor i in 1 2 3; do env -i " << program << " child; done\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  EXPECT_EQ(calls(counted(script), "work"), 15);
}

TEST_F(Profiling, counts_all_programs_when_none_is_of_the_build) {
  const auto library =
      fakes::compiled("shared_part.c", folder / "build", {"-O2", "-shared", "-fPIC"});
  add_table(library);
  const auto command = "python3 -c \"import ctypes; l = ctypes.CDLL('" + library.string() +
                       "'); print([l.shared_step(i) for i in range(7)])\"";
  const auto profile = counted(command);
  EXPECT_EQ(profile.counting, Counting::Emulated);
  EXPECT_EQ(calls(profile, "shared_step"), 7);
}

TEST_F(Profiling, refuses_a_benchmark_that_runs_nothing_of_the_build) {
  compiled("many_processes.c", {"-O1", "-pthread"});
  const auto profiled = profile(*executor, question("true"), tables, {});
  ASSERT_FALSE(profiled);
  EXPECT_TRUE(profiled.error().what.starts_with("the benchmark ran no program of the build"));
  EXPECT_FALSE(profiled.error().hint.empty());
}

TEST_F(Profiling, refuses_a_benchmark_that_fails) {
  compiled("many_processes.c", {"-O1", "-pthread"});
  const auto profiled = profile(*executor, question("echo oh no; exit 3"), tables, {});
  ASSERT_FALSE(profiled);
  EXPECT_EQ(profiled.error().what, "the benchmark exited with 3:\noh no");
}

TEST_F(Profiling, falls_back_to_callgrind_where_the_program_ends_otherwise_in_the_emulator) {
  const auto program = compiled("calls_in_all_ways.c", {"-O1"});
  // The environment tells the two apart.
  const auto profile = counted("test -n \"$DRAGNET_COUNT_BELOW\" && exit 1; " + program);
  EXPECT_EQ(profile.counting, Counting::Callgrind);
  EXPECT_EQ(calls(profile, "fibonacci"), 1973);
}

TEST_F(Profiling, samples_what_takes_too_long_to_count) {
  const auto program = compiled("spins.c", {"-O1"});
  auto asked = question(program);
  asked.limit = Seconds(0.05);
  const auto profiled = profile(*executor, asked, tables, {});
  ASSERT_TRUE(profiled) << profiled.error().what;
  EXPECT_EQ(profiled->counting, Counting::Sampled);
  EXPECT_GT(profiled->instructions, 0);
}

} // namespace
} // namespace dragnet::profile
