// Programs profiled for real: inside the emulator by our own way, and by callgrind for comparison.
#pragma once

#include "base/files.h"
#include "base/process.h"
#include "fakes/compiled_program.h"
#include "fakes/nm_table.h"
#include "fakes/temporary_folder.h"
#include "profile/callgrind.h"
#include "profile/profiler.h"
#include "run/executor.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::profile {

class Profiling : public testing::Test {
protected:
  void SetUp() override {
    auto started = run::LocalExecutor::start();
    ASSERT_TRUE(started) << started.error().what;
    executor.emplace(std::move(*started));
    std::filesystem::create_directories(folder / "build");
    std::filesystem::create_directories(folder / "scratch");
  }

  std::string compiled(const std::string& source, const std::vector<std::string>& options) {
    const auto program = fakes::compiled(source, folder / "build", options);
    add_table(program);
    return program.string();
  }

  void add_table(const std::filesystem::path& binary) {
    owned.push_back(std::make_unique<FunctionTable>(fakes::nm_table(binary)));
    EXPECT_FALSE(owned.back()->functions.empty());
    tables[binary.string()] = owned.back().get();
  }

  Question question(const std::string& command) const {
    Question asked;
    asked.job.words = {"/bin/sh", "-c", command};
    asked.job.variables = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
    asked.job.folder = folder.path();
    asked.job.limit = Seconds(60);
    asked.build = folder / "build";
    asked.scratch = folder / "scratch";
    asked.limit = Seconds(60);
    return asked;
  }

  // The invariant: what functions and libraries executed is no more than was executed in all, and
  // no calls between functions are more than their callees had.
  Profile counted(const std::string& command) {
    auto profiled = profile(*executor, question(command), tables, {});
    EXPECT_TRUE(profiled) << profiled.error().what;
    if (!profiled)
      return {};
    check(*profiled);
    return std::move(*profiled);
  }

  static void check(const Profile& profile) {
    std::uint64_t sum = 0;
    for (const auto& function : profile.functions)
      sum += function.instructions;
    for (const auto& library : profile.libraries)
      sum += library.instructions;
    EXPECT_LE(sum, profile.instructions);
    std::map<FunctionId, std::uint64_t> into;
    for (const auto& edge : profile.edges)
      into[edge.callee] += edge.calls;
    for (const auto& function : profile.functions)
      EXPECT_LE(into[function.function], function.calls) << function.function.name;
  }

  Profile by_callgrind(const std::vector<std::string>& command) {
    const auto output = (folder / "callgrind.out").string();
    std::vector<std::string> words{"valgrind", "--tool=callgrind", "--dump-instr=yes",
                                   "--skip-plt=no", "--callgrind-out-file=" + output};
    words.insert(words.end(), command.begin(), command.end());
    const auto ended = run_command(words);
    EXPECT_TRUE(ended && ended->status == 0) << (ended ? ended->errors : ended.error().what);
    const auto text = read_file(output);
    auto parsed = parse_callgrind(text ? *text : "");
    EXPECT_TRUE(parsed) << parsed.error().what;
    return parsed ? attribute({std::move(*parsed)}, tables, {}) : Profile{};
  }

  static std::map<std::string, FunctionCounts> by_name(const Profile& profile) {
    std::map<std::string, FunctionCounts> functions;
    for (const auto& function : profile.functions)
      functions[function.function.name] = function;
    return functions;
  }

  static std::uint64_t calls(const Profile& profile, const std::string& name) {
    return by_name(profile)[name].calls;
  }

  static std::uint64_t calls(const Profile& profile, const std::string& caller,
                             const std::string& callee, CallKind kind) {
    std::uint64_t sum = 0;
    for (const auto& edge : profile.edges)
      if (edge.caller.name == caller && edge.callee.name == callee && edge.kind == kind)
        sum += edge.calls;
    return sum;
  }

  fakes::TemporaryFolder folder;
  std::optional<run::LocalExecutor> executor;
  std::vector<std::unique_ptr<FunctionTable>> owned;
  Tables tables;
};

} // namespace dragnet::profile
