// How one run is carried out: its surroundings, its outcome, its samples.
#include "base/process.h"
#include "fakes/child_process.h"
#include "fakes/compiled_program.h"
#include "fakes/source_folder.h"
#include "lab/counting.h"
#include "lab/tiny_project.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace dragnet::lab {
namespace fs = std::filesystem;
namespace {

using Trials = TinyProject;

TEST_F(Trials, run_at_the_root_of_the_project) {
  one_run("pwd -P > " + quoted_witness("place"));
  EXPECT_EQ(witness("place").at(0), project.root.string());
}

TEST_F(Trials, see_a_fixed_environment) {
  const fakes::Variable secret("DRAGNET_TEST_SECRET", "1");
  const fakes::Variable named("DRAGNET_TEST_NAMED", "2");
  project.environment = {"DRAGNET_TEST_NAMED"};
  benchmark.environment = {{"OWN", "3"}, {"TZ", "Europe/Berlin"}};
  open();
  one_run("echo [$DRAGNET_TEST_SECRET] $DRAGNET_TEST_NAMED $OWN $TZ $LANG > " +
          quoted_witness("seen"));
  EXPECT_EQ(witness("seen").at(0), "[] 2 3 Europe/Berlin C.UTF-8");
}

TEST_F(Trials, have_an_empty_folder_of_their_own_each_time) {
  benchmark.command = "echo $DRAGNET_TMP $(ls -A \"$DRAGNET_TMP\" | wc -l) >> " +
                      quoted_witness("seen") + "; touch \"$DRAGNET_TMP\"/left";
  runs(built(second), 2);
  const auto seen = witness("seen");
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_TRUE(seen[0].ends_with(" 0") && seen[1].ends_with(" 0"));
  EXPECT_EQ(seen[0].size(), seen[1].size())
      << "a longer name could be the difference that is measured";
}

TEST_F(Trials, that_fail_are_an_outcome_with_a_log) {
  const Run run = one_run("echo it is broken >&2; exit 3");
  EXPECT_EQ(run.outcome, RunOutcome::Failed);
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(run.log, "it is broken\n");
  EXPECT_TRUE(run.samples.empty());
}

TEST_F(Trials, that_failed_once_are_not_tried_again) {
  benchmark.command = "echo tried >> " + quoted_witness("seen") + "; exit 1";
  EXPECT_EQ(runs(built(second), 5).size(), 1U);
  open();
  EXPECT_EQ(runs(built(second), 5).size(), 1U);
  EXPECT_EQ(witness("seen").size(), 1U);
}

TEST_F(Trials, that_crash_tell_the_signal) {
  const Run itself = one_run("kill -SEGV $$");
  EXPECT_EQ(itself.outcome, RunOutcome::Crashed);
  EXPECT_EQ(itself.status, SIGSEGV);
  const Run child = one_run("sh -c 'kill -ABRT $$'; exit $?");
  EXPECT_EQ(child.outcome, RunOutcome::Crashed);
  EXPECT_EQ(child.status, SIGABRT);
}

TEST_F(Trials, that_take_too_long_are_an_outcome) {
  benchmark.limit = Seconds(0.2);
  EXPECT_EQ(one_run("sleep 1000").outcome, RunOutcome::TimedOut);
}

TEST_F(Trials, are_prepared_each_time_and_the_preparation_is_not_measured) {
  benchmark.prepare =
      "sleep 0.4; echo x > \"$DRAGNET_TMP\"/input; echo prepared >> " + quoted_witness("seen");
  benchmark.command = "test -e \"$DRAGNET_TMP\"/input";
  const auto made = runs(built(second), 2);
  ASSERT_EQ(made.size(), 2U);
  for (const auto& run : made) {
    EXPECT_EQ(run.outcome, RunOutcome::Finished) << "it shares its folder with its preparation";
    EXPECT_LT(run.samples.at("wall"), 0.35);
  }
  EXPECT_EQ(witness("seen").size(), 2U);
}

TEST_F(Trials, whose_preparation_fails_do_not_run) {
  benchmark.prepare = "echo no input; exit 4";
  const Run run = one_run("touch " + quoted_witness("seen"));
  EXPECT_EQ(run.outcome, RunOutcome::Failed);
  EXPECT_EQ(run.status, 4);
  EXPECT_EQ(run.log, "its prepare command failed\nno input\n");
  EXPECT_FALSE(fs::exists(witnesses / "seen"));
}

constexpr std::string_view suite_script = R"(
case "$*" in
*--benchmark_list_tests=true*) echo BM_Sort/10; echo BM_Copy; exit 0;;
esac
for word; do case $word in --benchmark_out=*) out=${word#*=};; --benchmark_filter=*) filter=${word#*=};; esac; done
name=$(printf '%s' "$filter" | sed 's/^^//; s/\$$//')
echo '{"context":{},"benchmarks":[{"name":"'$name'","run_name":"'$name'","run_type":"iteration","iterations":10,
"real_time":2.5,"cpu_time":2.0,"time_unit":"ms"}]}' > "$out"
)";

class Suites : public TinyProject {
protected:
  void SetUp() override {
    TinyProject::SetUp();
    history.write("program.sh", suite_script);
    second = history.commit("A suite");
    project.benchmarks[0].suite = Suite::GoogleBenchmark;
    project.benchmarks[0].command = "sh \"$DRAGNET_BUILD\"/program.sh";
    project.benchmarks.push_back(benchmark);
    project.benchmarks[1].name = "plain";
    open();
  }
};

TEST_F(Suites, are_taken_apart_into_their_cases) {
  const auto all = lab->cases(built(second), {});
  ASSERT_TRUE(all) << all.error().what;
  EXPECT_EQ(all->names(), (std::vector<std::string>{"work/BM_Sort/10", "work/BM_Copy", "plain"}));
  EXPECT_EQ(lab->cases(built(second), {"work/BM_Copy"})->names(),
            std::vector<std::string>{"work/BM_Copy"});
  EXPECT_EQ(lab->cases(built(second), {"*Sort*"})->names(),
            std::vector<std::string>{"work/BM_Sort/10"});
}

TEST_F(Suites, say_which_name_is_unknown) {
  const auto cases = lab->cases(built(second), {"work/BM_Cpoy"});
  ASSERT_FALSE(cases);
  EXPECT_TRUE(cases.error().what.contains("'work/BM_Cpoy'"));
  EXPECT_EQ(cases.error().hint, "did you mean 'work/BM_Copy'?");
}

TEST_F(Suites, are_measured_by_their_own_clock) {
  const auto cases = lab->cases(built(second), {"work/BM_Copy"});
  benchmark = cases->benchmarks.at(0);
  const auto made = runs(built(second), 1);
  ASSERT_EQ(made.at(0).outcome, RunOutcome::Finished) << made.at(0).log;
  EXPECT_DOUBLE_EQ(made.at(0).samples.at("wall"), 0.0025);
  EXPECT_DOUBLE_EQ(made.at(0).samples.at("cpu"), 0.002);
}

TEST_F(Suites, that_report_nothing_have_failed) {
  benchmark = lab->cases(built(second), {"work/BM_Copy"})->benchmarks.at(0);
  benchmark.command = "true";
  const auto made = runs(built(second), 1);
  EXPECT_EQ(made.at(0).outcome, RunOutcome::Failed);
  EXPECT_TRUE(made.at(0).samples.empty());
}

TEST_F(Suites, that_cannot_be_listed_are_errors_with_the_command_to_try) {
  project.benchmarks[0].command = "exit 3;";
  open();
  const auto cases = lab->cases(built(second), {});
  ASSERT_FALSE(cases);
  EXPECT_TRUE(cases.error().what.contains("'work'") && cases.error().what.contains("3"))
      << cases.error().what;
  EXPECT_TRUE(cases.error().hint.contains("--benchmark_list_tests=true"));
}

TEST_F(Suites, that_cannot_be_listed_say_a_command_that_can_be_pasted) {
  project.benchmarks[0].command = "exit 33;";
  open();
  const auto cases = lab->cases(built(second), {});
  ASSERT_FALSE(cases);
  const std::string hint = cases.error().hint;
  const auto pasted = run_command({"sh", "-c", hint.substr(hint.find(": ") + 2)});
  EXPECT_EQ(pasted->status, 33) << hint << "\n" << pasted->errors;
}

class Counting : public TinyProject {
protected:
  void SetUp() override {
    TinyProject::SetUp();
    if (find_program("valgrind").empty())
      GTEST_SKIP() << "valgrind is not installed";
    const auto source = read_file(fakes::source_folder() / "tests/programs/counts.c");
    ASSERT_TRUE(source);
    history.write("counts.c", *source);
    second = history.commit("A program that counts");
    project.build.command = "cc -O1 -o \"$DRAGNET_BUILD\"/counts counts.c";
    open();
    benchmark.command = "\"$DRAGNET_BUILD\"/counts 100000";
  }
  double instructions(const std::string& command) {
    benchmark.command = command;
    benchmark.name = command;
    const auto made = runs(built(second), 1, Method::Counted);
    EXPECT_FALSE(made.empty());
    EXPECT_EQ(made.at(0).outcome, RunOutcome::Finished) << made.at(0).log;
    return made.at(0).finished() ? made.at(0).samples.at("instructions") : 0;
  }
};

TEST_F(Counting, gives_the_same_number_each_time) {
  const auto made = runs(built(second), 2, Method::Counted);
  ASSERT_EQ(made.size(), 2U);
  EXPECT_GT(made[0].samples.at("instructions"), 100'000);
  EXPECT_EQ(made[0].samples, made[1].samples);
}

TEST_F(Counting, sees_more_work) {
  const double little = instructions("\"$DRAGNET_BUILD\"/counts 100000");
  const double more = instructions("\"$DRAGNET_BUILD\"/counts 200000");
  EXPECT_GT(more - little, 200'000);
  EXPECT_LT(more - little, 1'500'000);
}

TEST_F(Counting, includes_children) {
  const double one = instructions("\"$DRAGNET_BUILD\"/counts 500000; true");
  const double two =
      instructions("\"$DRAGNET_BUILD\"/counts 500000; \"$DRAGNET_BUILD\"/counts 500000; true");
  EXPECT_GT(two - one, 1'000'000);
}

TEST_F(Counting, tells_failures_as_timing_does) {
  for (const std::string command : {"exit 3", "sh -c 'kill -ABRT $$'; exit $?", "kill -SEGV $$"}) {
    benchmark.command = command;
    benchmark.name = command;
    const auto timed = runs(built(second), 1, Method::Timed);
    const auto counted = runs(built(second), 1, Method::Counted);
    EXPECT_EQ(name(counted.at(0).outcome), name(timed.at(0).outcome)) << command;
    EXPECT_EQ(counted.at(0).status, timed.at(0).status) << command;
  }
}

TEST_F(Counting, works_in_a_folder_with_a_percent_sign) {
  const fakes::GitHistory odd(folder / "100%done %p");
  odd.write("file", "x");
  const std::string commit = odd.commit("First");
  project.root = odd.root();
  project.build.command = "true";
  open();
  benchmark.command = "true";
  const auto made = runs(built(commit), 1, Method::Counted);
  EXPECT_EQ(made.at(0).outcome, RunOutcome::Finished) << made.at(0).log;
  project.root = history.root();
}

TEST(InstructionsIn, reads_the_summary_of_a_result_file) {
  EXPECT_EQ(instructions_in("desc: x\nevents: Ir\nfn=main\n1 5\nsummary: 12345\n"), 12345);
  EXPECT_EQ(instructions_in("events: Ir\nsummary: 12345678901234\n"), 12345678901234.0);
  EXPECT_EQ(instructions_in("events: Ir\n"), 0);
  EXPECT_EQ(instructions_in(""), 0);
  EXPECT_EQ(instructions_in("events: Ir\nsummary: x\n"), 0);
}

} // namespace
} // namespace dragnet::lab
