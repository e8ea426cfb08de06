// A project of two commits whose program is a shell script that notes each of its runs in a witness
// file.
#pragma once

#include "base/files.h"
#include "base/text.h"
#include "fakes/git_history.h"
#include "fakes/temporary_folder.h"
#include "lab/laboratory.h"
#include "project/project.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace dragnet::lab {

// The invariant: after every case the store is whole, nothing is left in the scratch folder, and no
// checkout either.
class TinyProject : public testing::Test {
protected:
  using Run = dragnet::Run; // the base class has a function of this name

  void SetUp() override {
    history.write("program.sh", script("old"));
    history.write("input.txt", "1\n");
    first = history.commit("First");
    history.write("program.sh", script("new"));
    second = history.commit("Second");
    project.name = "tiny";
    project.root = history.root();
    project.build.command =
        "echo built >> " + quoted_witness("builds") + "; cp program.sh \"$DRAGNET_BUILD\"";
    project.warm_up = 0;
    benchmark.name = "work";
    benchmark.command = "sh \"$DRAGNET_BUILD\"/program.sh input.txt";
    benchmark.metrics = {"wall"};
    benchmark.limit = Seconds(30);
    project.benchmarks = {benchmark};
    open();
  }
  void TearDown() override {
    lab.reset();
    const auto state = state_of(project.root);
    EXPECT_EQ(fakes::entry_count(state.scratch()), 0U);
    EXPECT_FALSE(std::filesystem::exists(state.places().checkout));
    EXPECT_FALSE(std::filesystem::exists(history.root() / ".git/worktrees"));
    EXPECT_EQ(history.git({"status", "--porcelain"}), "")
        << "our folder shows up in the user's status";
    open();
    const auto whole = lab->store().check_integrity();
    EXPECT_TRUE(whole) << whole.error().what;
  }

  void open(Memory memory = Memory::Use) {
    lab.reset();
    auto opened = Laboratory::open(project, memory, progress);
    ASSERT_TRUE(opened) << opened.error().what;
    lab = std::move(*opened);
  }
  Build built(const std::string& commit) {
    auto build = lab->build(*lab->repository().commit(commit));
    EXPECT_TRUE(build) << build.error().what;
    return build ? std::move(*build) : Build{};
  }
  std::vector<Run> runs(const Build& build, std::size_t count, Method method = Method::Timed) {
    auto made = lab->runs(build, benchmark, method, count);
    EXPECT_TRUE(made) << made.error().what;
    return made ? std::move(*made) : std::vector<Run>();
  }
  Run one_run(const std::string& command) {
    benchmark.name = command; // a name has one definition in a laboratory
    benchmark.command = command;
    const auto made = runs(built(second), 1);
    return made.empty() ? Run{} : made.front();
  }
  Duel duel() { return {built(first), built(second), benchmark, Method::Timed}; }

  std::string quoted_witness(const std::string& name) const {
    return shell_quoted((witnesses / name).string());
  }
  std::vector<std::string> witness(const std::string& name) const {
    const auto text = read_file(witnesses / name);
    return text ? lines(*text) : std::vector<std::string>();
  }
  std::string script(const std::string& version) const {
    return "echo " + version + " $1 $(ls -A \"$DRAGNET_TMP\" | wc -l) >> " +
           quoted_witness("runs") + "\ntouch \"$DRAGNET_TMP\"/left\n";
  }

  fakes::TemporaryFolder witnesses;
  fakes::TemporaryFolder folder;
  fakes::GitHistory history{folder / "the project"};
  std::string first;
  std::string second;
  project::Project project;
  Benchmark benchmark;
  SilentProgress progress;
  std::unique_ptr<Laboratory> lab;
};

} // namespace dragnet::lab
