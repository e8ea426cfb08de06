#include "lab/feeding.h"

#include "base/units.h"
#include "lab/tiny_project.h"
#include "model/run.h"
#include "project/project.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace dragnet::lab {
namespace {

class Feedings : public TinyProject {
protected:
  // The runs of a command on sequences of inputs, in their order.
  std::vector<Run> fed(const std::string& command, project::Feed feed,
                       const std::vector<std::vector<std::string>>& sequences,
                       std::size_t at_once = 1) {
    project.provoke = project::Provoke{"input.txt", command, feed, Seconds(1)};
    open();
    std::vector<Feeding> feedings;
    for (const auto& inputs : sequences)
      feedings.push_back({built(first).folder, inputs});
    auto made = lab::feed(*lab, feedings, Method::Timed, at_once);
    EXPECT_TRUE(made) << made.error().what;
    return made ? std::move(*made) : std::vector<Run>();
  }
};

TEST_F(Feedings, arrive_on_standard_input) {
  const auto made =
      fed("test \"$(cat)\" = \"a\nb c\"", project::Feed::Input, {{"a", "b c"}, {"a"}});
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[0].outcome, RunOutcome::Finished);
  EXPECT_GT(made[0].samples.at("wall"), 0);
  EXPECT_EQ(made[1].outcome, RunOutcome::Failed);
}

TEST_F(Feedings, arrive_in_a_file) {
  const auto made =
      fed("test \"$(cat \"$DRAGNET_INPUT\")\" = \"it's\"", project::Feed::File, {{"it's"}});
  ASSERT_EQ(made.size(), 1U);
  EXPECT_TRUE(made[0].finished());
}

TEST_F(Feedings, arrive_as_arguments) {
  const auto made = fed("sh -c 'test \"$1$2\" = \"a b'\"'\"'c\"' program", project::Feed::Arguments,
                        {{"a b", "'c"}});
  ASSERT_EQ(made.size(), 1U);
  EXPECT_TRUE(made[0].finished());
}

TEST_F(Feedings, end_in_different_ways_each_in_its_place) {
  std::vector<std::vector<std::string>> sequences;
  for (int i = 0; i < 4; ++i)
    for (const auto* command : {"true", "false", "kill -SEGV $$", "sleep 60"})
      if (i == 0 || command != std::string("sleep 60"))
        sequences.push_back({command});
  const auto made = fed("sh", project::Feed::Input, sequences, 3);
  ASSERT_EQ(made.size(), sequences.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    const std::string& command = sequences[i].front();
    const auto expected = command == "true"       ? RunOutcome::Finished
                          : command == "false"    ? RunOutcome::Failed
                          : command == "sleep 60" ? RunOutcome::TimedOut
                                                  : RunOutcome::Crashed;
    EXPECT_EQ(name(made[i].outcome), name(expected)) << command;
  }
}

TEST(FedCommands, stand_for_their_inputs_as_benchmarks) {
  using project::Feed;
  EXPECT_EQ(command_on({"", "tool", Feed::Input}, "a b", {}), "tool < 'a b'");
  EXPECT_EQ(command_on({"", "tool", Feed::File}, "f", {}), "export DRAGNET_INPUT='f'; tool");
  EXPECT_EQ(command_on({"", "tool", Feed::Arguments}, "f", {"x", "y z"}), "tool 'x' 'y z'");
}

} // namespace
} // namespace dragnet::lab
