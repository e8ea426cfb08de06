#include "analysis/blame/trace_folder.h"

#include "analysis/blame/call_tree.h"
#include "analysis/blame/plain_traces.h"
#include "model/trace.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace dragnet::blame {
namespace {

// The invariant: all time between a thread's first and last event is some node's.
class TraceFolders : public testing::Test {
protected:
  void fold(const PlainTrace& trace, std::uint64_t start = 1000) {
    std::map<std::size_t, std::uint64_t> first;
    std::map<std::size_t, std::uint64_t> last;
    std::uint64_t time = start;
    for (const auto& event : trace) {
      time += 10;
      first.emplace(event.thread, time);
      last[event.thread] = time;
    }
    for (const auto& [thread, event] : kept(trace, start))
      folder.add(thread, std::span(&event, 1));
    folder.finish();
    std::uint64_t expected = 0;
    for (const auto& [thread, begin] : first)
      expected += last[thread] - begin;
    std::uint64_t cost = 0;
    for (const auto& node : folder.tree().nodes())
      cost += node.cost;
    EXPECT_EQ(cost, expected);
  }

  std::string path(std::uint32_t node) const {
    if (node == CallTree::root)
      return "";
    const auto& here = folder.tree().nodes()[node];
    return path(here.parent) + static_cast<char>('a' + here.function);
  }

  std::map<std::string, CallNode> by_path() const {
    std::map<std::string, CallNode> paths;
    for (std::uint32_t i = 1; i < folder.tree().nodes().size(); ++i)
      paths[path(i)] = folder.tree().nodes()[i];
    return paths;
  }

  std::vector<Execution> executions;
  TraceFolder folder{26, ExecutionScope::Process, [this](auto execution) {
                       executions.emplace_back(execution.begin(), execution.end());
                     }};
};

constexpr auto enter = EventKind::Enter;
constexpr auto leave = EventKind::Leave;

TEST_F(TraceFolders, counts_calls_and_own_cost_by_path) {
  fold({{0, enter, 0},
        {0, enter, 1},
        {0, leave, 1},
        {0, enter, 1},
        {0, leave, 1},
        {0, leave, 0},
        {0, enter, 1},
        {0, leave, 1}});
  auto paths = by_path();
  ASSERT_EQ(paths.size(), 3U);
  EXPECT_EQ(paths["a"].calls, 1U);
  EXPECT_EQ(paths["a"].cost, 30U);
  EXPECT_EQ(paths["ab"].calls, 2U);
  EXPECT_EQ(paths["ab"].cost, 20U);
  EXPECT_EQ(paths["b"].calls, 1U);
}

TEST_F(TraceFolders, leads_recursion_back_to_its_place) {
  fold({{0, enter, 0},
        {0, enter, 1},
        {0, enter, 0},
        {0, enter, 1},
        {0, leave, 1},
        {0, leave, 0},
        {0, leave, 1},
        {0, enter, 2},
        {0, leave, 2},
        {0, leave, 0}});
  auto paths = by_path();
  EXPECT_EQ(paths.size(), 3U);
  EXPECT_EQ(paths["a"].calls, 2U);
  EXPECT_EQ(paths["ab"].calls, 2U);
  EXPECT_EQ(paths["ac"].calls, 1U);
}

TEST_F(TraceFolders, ends_frames_that_did_not_say_so) {
  fold({{0, enter, 0}, {0, enter, 1}, {0, enter, 2}, {0, leave, 0}, {0, enter, 3}, {0, leave, 3}});
  EXPECT_EQ(by_path().count("d"), 1U);
  EXPECT_EQ(folder.passed_over(), 0U);
}

TEST_F(TraceFolders, passes_over_what_does_not_fit) {
  fold({{0, enter, 0}, {0, leave, 1}, {0, enter, 4000000}, {0, leave, 0}});
  EXPECT_EQ(folder.passed_over(), 2U);
  EXPECT_EQ(by_path().size(), 1U);
}

TEST_F(TraceFolders, follows_a_clock_that_outgrows_its_events) {
  fold({{0, enter, 0}, {1, enter, 1}, {0, enter, 2}, {0, leave, 2}, {1, leave, 1}, {0, leave, 0}},
       (std::uint64_t{3} << 40) - 25);
  EXPECT_EQ(by_path()["b"].cost, 30U);
}

TEST_F(TraceFolders, keeps_the_time_of_random_traces) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    executions.clear();
    folder = TraceFolder(26, ExecutionScope::Process, [this](auto execution) {
      executions.emplace_back(execution.begin(), execution.end());
    });
    fold(RandomCalls(seed, 26).make());
    for (const auto& execution : executions)
      for (const auto& span : execution)
        ASSERT_LE(span.first, span.last);
  }
}

} // namespace
} // namespace dragnet::blame
