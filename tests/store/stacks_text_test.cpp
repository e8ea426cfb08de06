#include "store/stacks_text.h"

#include "store/watched_samples.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::store {
namespace {

TEST(StacksText, reads_back_equal) {
  const WatchedRun watched = some_watched_run();
  const auto read = parse_stacks(stacks_text(watched));
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->profile.frames, watched.profile.frames);
  EXPECT_EQ(read->profile.stacks, watched.profile.stacks);
  EXPECT_EQ(read->profile.accounted, watched.profile.accounted);
  EXPECT_EQ(read->profile.lost, watched.profile.lost);
  EXPECT_EQ(read->gaps, watched.gaps);
  EXPECT_EQ(read->way, watched.way);
  EXPECT_EQ(read->chosen_way, watched.chosen_way);
  ASSERT_EQ(read->profile.uses.size(), watched.profile.uses.size());
  for (std::size_t i = 0; i < watched.profile.uses.size(); ++i) {
    EXPECT_EQ(read->profile.uses[i].stack, watched.profile.uses[i].stack);
    EXPECT_EQ(read->profile.uses[i].metric, watched.profile.uses[i].metric);
    EXPECT_EQ(read->profile.uses[i].file, watched.profile.uses[i].file);
    EXPECT_EQ(read->profile.uses[i].calls, watched.profile.uses[i].calls);
    EXPECT_EQ(read->profile.uses[i].amount, watched.profile.uses[i].amount);
  }
}

TEST(StacksText, names_the_line_that_is_wrong) {
  for (const std::string wrong :
       {"frame 0 - 0 called f", "frame x - 0 called f", "stack 0", "use 0 - 1 1 written",
        "colour red", "lost many", "accounted x written", ""}) {
    const auto read = parse_stacks("dragnet stacks 1\nlost 0\n" + wrong + "\nlost 0\n");
    ASSERT_FALSE(read) << wrong;
    EXPECT_NE(read.error().what.find("line 3"), std::string::npos) << wrong;
  }
  const std::string begun = "dragnet stacks 1\nbinary b\n";
  for (const std::string wrong : {"frame 0 0 1 called f", "frame 1 - 0 called f",
                                  "frame 0 - 0 jumped f", "frame 0 - x called f"})
    EXPECT_FALSE(parse_stacks(begun + wrong + "\n")) << wrong;
  EXPECT_FALSE(parse_stacks("something else\n"));
  EXPECT_FALSE(parse_stacks(""));
}

} // namespace
} // namespace dragnet::store
