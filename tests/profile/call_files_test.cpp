// Programs traced for real: built by dragnet-cc with each compiler, run with the tracer.
#include "profile/call_files.h"

#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "fakes/source_folder.h"
#include "fakes/temporary_folder.h"
#include "model/trace.h"
#include "profile/trace_files.h"
#include "runtime/calls_format.h"
#include "runtime/instruction_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace dragnet::profile {
namespace {

namespace fs = std::filesystem;

class CallFiles : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    const auto wrapper = helper_program("dragnet-cc");
    ASSERT_TRUE(wrapper) << wrapper.error().what;
    program = folder / "traced";
    const fs::path source = fakes::source_folder();
    const auto made =
        run_command({wrapper->string(), GetParam(), "-O2", "-g", "-pthread", "-Wall", "-Werror",
                     "-fno-optimize-sibling-calls", "-I" + (source / "src").string(), "-o",
                     program.string(), (source / "tests/programs/traced.cpp").string()});
    ASSERT_TRUE(made && made->status == 0) << (made ? made->errors : made.error().what);
    read_names();
  }

  void read_names() {
    const auto listed = run_command({"nm", "--defined-only", program.string()});
    ASSERT_TRUE(listed && listed->status == 0);
    for (std::size_t at = 0; at < listed->output.size();) {
      const std::size_t end = listed->output.find('\n', at);
      const auto line = listed->output.substr(at, end - at);
      if (line.size() > 19 && (line[17] == 'T' || line[17] == 't'))
        names[std::stoull(line, nullptr, 16)] = line.substr(19);
      at = end + 1;
    }
  }

  // Programs are linked so that code lies at its place in the file.
  std::string name_of(const TracedFunction& function) const {
    const auto found = names.find(function.file_offset);
    return function.path == program.string() && found != names.end() ? found->second : "";
  }

  // The invariants: nothing is lost, and no function ends before it begins.
  std::vector<TracedProcess> traced(const std::string& way, const std::string& mode = "order",
                                    const std::string& boundary = "") {
    const auto tracer = helper_program("dragnet-calls.so");
    EXPECT_TRUE(tracer);
    into = folder / (way + mode);
    fs::create_directory(into);
    std::vector<std::string> variables{"LD_PRELOAD=" + tracer->string(),
                                       DRAGNET_CALLS_INTO "=" + into.string(),
                                       DRAGNET_CALLS_MODE "=" + mode};
    if (!boundary.empty())
      variables.push_back(DRAGNET_CALLS_BOUNDARY "=" + boundary);
    auto words = inside;
    words.insert(words.end(), {program.string(), way});
    const auto ended = run_command(words, {.folder = {}, .environment = variables});
    EXPECT_TRUE(ended && ended->errors.empty()) << ended->errors;
    auto processes = read_calls(into);
    EXPECT_TRUE(processes) << processes.error().what;
    for (const auto& process : *processes) {
      EXPECT_EQ(process.header.lost, 0U);
      for (const auto& execution : process.executions)
        for (const auto& span : execution)
          EXPECT_LT(span.first, span.last);
    }
    return std::move(*processes);
  }

  std::map<std::string, std::uint64_t> calls(const TracedProcess& process) const {
    std::map<std::string, std::uint64_t> made;
    for (std::size_t i = 1; i < process.functions.size(); ++i)
      made[name_of(process.functions[i])] += process.costs[i].calls;
    return made;
  }

  const FunctionSpan* span_of(const TracedProcess& process, const Execution& execution,
                              const std::string& name) const {
    for (const auto& span : execution)
      if (name_of(process.functions[span.function]) == name)
        return &span;
    return nullptr;
  }

  // Whether something of `later` happened after `earlier` was first entered, in one execution.
  bool affects(const TracedProcess& process, const std::string& earlier,
               const std::string& later) const {
    return std::ranges::any_of(process.executions, [&](const Execution& execution) {
      const auto* a = span_of(process, execution, earlier);
      const auto* b = span_of(process, execution, later);
      return a != nullptr && b != nullptr && b->last > a->first;
    });
  }

  std::map<std::string, std::uint64_t> costs(const TracedProcess& process) const {
    std::map<std::string, std::uint64_t> made;
    for (std::size_t i = 1; i < process.functions.size(); ++i)
      made[name_of(process.functions[i])] += process.costs[i].cost;
    return made;
  }

  fakes::TemporaryFolder folder;
  std::vector<std::string> inside; // what the program is started with
  fs::path program;
  fs::path into;
  std::map<std::uint64_t, std::string> names;
};

TEST_P(CallFiles, count_calls_and_keep_first_and_last_events) {
  const auto processes = traced("plain");
  ASSERT_EQ(processes.size(), 1U);
  auto made = calls(processes[0]);
  EXPECT_EQ(made["work"], 1U);
  EXPECT_EQ(made["leaf"], 10U);
  EXPECT_EQ(made["main"], 1U);
  ASSERT_EQ(processes[0].executions.size(), 1U);
  EXPECT_TRUE(affects(processes[0], "leaf", "work"));
  EXPECT_TRUE(affects(processes[0], "leaf", "main"));
  EXPECT_TRUE(affects(processes[0], "work", "leaf"));
}

TEST_P(CallFiles, have_the_same_costs_each_time_where_instructions_are_counted) {
  const auto clock = helper_program("dragnet-clock.so");
  ASSERT_TRUE(clock);
  EXPECT_EQ(traced("plain", "timed").at(0).header.counted, 0U);
  fs::remove_all(into);
  inside = {"qemu-x86_64", "-plugin", clock->string(), "-E", DRAGNET_CALLS_CLOCK "=instructions"};
  const auto once = traced("plain", "timed");
  fs::remove_all(into);
  const auto again = traced("plain", "timed");
  ASSERT_EQ(once.size(), 1U);
  EXPECT_EQ(once[0].header.counted, 1U);
  auto of = costs(once[0]);
  EXPECT_EQ(of, costs(again.at(0)));
  EXPECT_GE(of["leaf"], 10U) << "each of ten calls executes something";
  EXPECT_LT(of["leaf"], 1000U) << "the library's own instructions do not count";
}

TEST_P(CallFiles, follow_deep_recursion) {
  const auto processes = traced("deep");
  EXPECT_EQ(calls(processes.at(0))["descend"], 1001U);
}

TEST_P(CallFiles, survive_exceptions_and_long_jumps) {
  for (const std::string way : {"throw", "jump"}) {
    const auto processes = traced(way);
    ASSERT_EQ(processes.size(), 1U) << way;
    auto made = calls(processes[0]);
    EXPECT_EQ(made["leaf"], 3U) << way;
    // What was skipped is over: work runs after it, not in it.
    EXPECT_TRUE(affects(processes[0], way == "throw" ? "throws" : "jumps", "work"));
    EXPECT_TRUE(affects(processes[0], "work", way == "throw" ? "catches" : "is_jumped_to"));
  }
}

TEST_P(CallFiles, see_handlers_of_signals) {
  const auto processes = traced("signal");
  EXPECT_EQ(calls(processes.at(0))["handler"], 10U);
}

TEST_P(CallFiles, add_threads_up) {
  const auto processes = traced("threads");
  auto made = calls(processes.at(0));
  EXPECT_EQ(made["in_thread"], 4U);
  EXPECT_EQ(made["leaf"], 4000U);
  EXPECT_EQ(processes[0].executions.size(), 1U);
}

TEST_P(CallFiles, give_a_forked_child_its_own) {
  const auto processes = traced("fork");
  ASSERT_EQ(processes.size(), 2U);
  const bool first_is_parent = processes[0].header.forked == 0;
  const auto& parent = processes[first_is_parent ? 0 : 1];
  const auto& child = processes[first_is_parent ? 1 : 0];
  EXPECT_EQ(child.header.forked, 1U);
  EXPECT_EQ(child.header.parent, parent.header.process);
  EXPECT_EQ(calls(parent)["leaf"], 2U);
  EXPECT_EQ(calls(child)["leaf"], 5U);
  EXPECT_EQ(calls(parent)["in_child"], 0U);
  EXPECT_TRUE(affects(child, "in_child", "main"));
}

TEST_P(CallFiles, outlive_a_killed_process) {
  const auto processes = traced("die");
  ASSERT_EQ(processes.size(), 1U);
  EXPECT_EQ(calls(processes[0])["leaf"], 3U);
  EXPECT_TRUE(affects(processes[0], "work", "dies"));
  EXPECT_TRUE(affects(processes[0], "work", "main"));
}

TEST_P(CallFiles, are_cut_where_the_boundary_returns) {
  const auto found =
      std::ranges::find(names, "handle_request", [](const auto& each) { return each.second; });
  ASSERT_NE(found, names.end());
  const auto processes =
      traced("requests", "order", fmt::format("{:x}:{}", found->first, program.string()));
  ASSERT_EQ(processes.size(), 1U);
  EXPECT_EQ(processes[0].scope(), ExecutionScope::Thread);
  ASSERT_EQ(processes[0].executions.size(), 4U); // the last holds the end of main
  EXPECT_EQ(calls(processes[0])["leaf"], 6U);
  EXPECT_EQ(calls(processes[0])["handle_request"], 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NE(span_of(processes[0], processes[0].executions[i], "main"), nullptr);
  EXPECT_EQ(span_of(processes[0], processes[0].executions[3], "work"), nullptr);
}

TEST_P(CallFiles, are_cut_where_the_program_marks_it) {
  const auto processes = traced("marks");
  ASSERT_EQ(processes.size(), 1U);
  EXPECT_EQ(processes[0].executions.size(), 4U);
  EXPECT_EQ(calls(processes[0])["work"], 3U);
}

TEST_P(CallFiles, tell_costs_where_they_are_timed) {
  const auto processes = traced("threads", "timed");
  std::uint64_t cost = 0;
  for (const auto& each : processes.at(0).costs)
    cost += each.cost;
  EXPECT_GT(cost, 0U);
}

TEST_P(CallFiles, come_with_a_full_trace_on_request) {
  const auto processes = traced("threads", "trace");
  ASSERT_EQ(processes.size(), 1U);
  const auto trace = ProcessTrace::open(into, processes[0].name);
  ASSERT_TRUE(trace) << trace.error().what;
  std::map<EventKind, std::uint64_t> events;
  std::map<std::size_t, std::uint64_t> high;
  std::uint64_t last = 0;
  each_by_time(trace->threads(), [&](std::size_t thread, std::span<const TraceEvent> part) {
    for (const auto& event : part) {
      ++events[event.kind()];
      if (event.kind() == EventKind::Time) {
        high[thread] = event.high_ticks();
        continue;
      }
      EXPECT_GE(high[thread] | event.ticks(), last);
      last = high[thread] | event.ticks();
    }
  });
  std::uint64_t calls_made = 0;
  for (const auto& each : processes[0].costs)
    calls_made += each.calls;
  EXPECT_GE(calls_made, 4009U);
  EXPECT_EQ(events[EventKind::Enter], calls_made);
  EXPECT_EQ(events[EventKind::Leave], calls_made);
}

// A file with one module, two functions and one thread.
class SmallCallFile : public testing::Test {
protected:
  SmallCallFile() {
    const auto read = read_file(fakes::source_folder() / "tests/fuzz/calls_corpus/one_lane");
    EXPECT_TRUE(read);
    content = *read;
  }

  Result<TracedProcess> parsed() const {
    return parse_calls(std::as_bytes(std::span(content)), {});
  }

  std::string content;
};

TEST_F(SmallCallFile, is_read) {
  const auto process = parsed();
  ASSERT_TRUE(process) << process.error().what;
  ASSERT_EQ(process->functions.size(), 3U);
  EXPECT_EQ(process->functions[2].path, "/a/b/cde");
  EXPECT_EQ(process->functions[2].file_offset, 0x1200U);
  EXPECT_EQ(process->costs[2].calls, 3U);
  ASSERT_EQ(process->executions.size(), 1U);
  ASSERT_EQ(process->executions[0].size(), 2U);
  EXPECT_GT(process->executions[0][0].last, process->executions[0][1].first); // still on the stack
}

TEST_F(SmallCallFile, is_refused_where_it_is_cut) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, content.size() - 1}) {
    auto whole = content;
    content.resize(size);
    EXPECT_FALSE(parsed());
    content = whole;
  }
}

TEST_F(SmallCallFile, is_read_or_refused_whatever_its_bytes_are) {
  std::size_t refused = 0;
  for (std::size_t at = 0; at < content.size(); at += at < 200 ? 1 : 97) {
    const char before = content[at];
    content[at] = static_cast<char>(0xff);
    const auto process = parsed();
    refused += process ? 0 : 1;
    for (std::size_t i = 0; process && i < process->executions.size(); ++i)
      for (const auto& span : process->executions[i])
        EXPECT_LT(span.function, process->functions.size());
    content[at] = before;
  }
  EXPECT_GT(refused, 10U);
}

TEST(EventsByTime, are_those_of_all_threads_in_order) {
  const auto event = [](std::uint64_t time) { return TraceEvent::make(EventKind::Enter, 1, time); };
  const std::uint64_t late = std::uint64_t{1} << 40;
  const std::vector<TraceEvent> first{event(1), event(2), event(9), TraceEvent::make_time(late),
                                      event(3)};
  const std::vector<TraceEvent> second{event(2), event(5), TraceEvent::make_time(late), event(1)};
  const std::vector<TraceEvent> none;
  const std::vector<std::span<const TraceEvent>> threads{first, second, none};
  std::string order;
  each_by_time(threads, [&](std::size_t thread, std::span<const TraceEvent> part) {
    for (const auto& each : part)
      if (each.kind() != EventKind::Time)
        order += fmt::format("{}:{} ", thread, each.ticks());
  });
  EXPECT_EQ(order, "0:1 0:2 1:2 1:5 0:9 1:1 0:3 ");
}

INSTANTIATE_TEST_SUITE_P(Compilers, CallFiles, testing::Values("g++", "clang++-19"),
                         [](const auto& each) { return each.param == "g++" ? "gcc" : "clang"; });

} // namespace
} // namespace dragnet::profile
