#include "check/stack_reasons.h"

#include "analysis/explain/similarity.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dragnet::check {
namespace {

using explain::Cause;
using explain::SimilarityReport;
using explain::SimilarityRow;

SimilarityReport report_of(const std::string& metric, explain::RunUse before, explain::RunUse now) {
  SimilarityRow row;
  row.metric = metric;
  row.before = before;
  row.now = now;
  Cause cause;
  cause.function = {"bin/tool", "_ZN3log6appendEv"};
  cause.place = SourcePlace{"src/log.cpp", 81};
  cause.rows = {0};
  SimilarityReport report;
  report.rows = {row};
  report.causes = {cause};
  return report;
}

TEST(StackSentences, say_what_is_done_now_and_was_before) {
  const auto said = stack_sentences(
      report_of("written", {.calls = 1, .amount = 5000}, {.calls = 5000, .amount = 5000}), 3);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said.front().find("log::append (src/log.cpp:81)"), std::string::npos) << said.front();
  EXPECT_NE(said.front().find("in 1 call."), std::string::npos) << said.front();
  EXPECT_TRUE(said.front().starts_with("It writes ")) << said.front();
}

TEST(StackSentences, know_what_is_new_and_what_is_gone) {
  const auto added = stack_sentences(report_of("fsync", {}, {.calls = 1}), 3);
  EXPECT_EQ(added, std::vector<std::string>{
                       "It waits for the disk once under log::append (src/log.cpp:81), did not "
                       "before."});
  const auto gone = stack_sentences(report_of("opened", {.calls = 12}, {}), 3);
  ASSERT_EQ(gone.size(), 1U);
  EXPECT_TRUE(gone.front().starts_with("It no longer opens files under log::append"))
      << gone.front();
}

TEST(StackSentences, are_not_more_than_asked_for) {
  auto report = report_of("written", {}, {.calls = 1, .amount = 1});
  report.causes.resize(5, report.causes.front());
  EXPECT_EQ(stack_sentences(report, 3).size(), 3U);
  report.causes.front().effect = 0.5;
  report.causes[1].effect = 0.1;
  EXPECT_EQ(stack_sentences(report, 3).size(), 2U) << "the others are next to nothing";
  EXPECT_TRUE(stack_sentences({}, 3).empty());
}

} // namespace
} // namespace dragnet::check
