// Servers are visited: started, found ready, asked, stopped; and what can go wrong with that.

#include "base/process.h"
#include "base/result.h"
#include "base/units.h"
#include "fakes/source_folder.h"
#include "lab/feeding.h"
#include "lab/tiny_project.h"
#include "load/user.h"
#include "model/run.h"
#include "project/project.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::lab {
namespace {

class Servings : public TinyProject {
protected:
  void SetUp() override {
    TinyProject::SetUp();
    const auto source = fakes::source_folder() / "tests/programs/serves.c";
    const auto made = run_command({"cc", "-O1", "-o", server(), source.string(), "-pthread"});
    ASSERT_TRUE(made) << made.error().what;
  }

  std::string server() const { return (witnesses / "serves").string(); }

  Result<std::vector<Run>> visited(const std::vector<std::vector<std::string>>& sequences,
                                   const std::string& manner = "", std::size_t users = 1) {
    project.provoke = project::Provoke{"input.txt", server() + " $DRAGNET_PORT " + manner,
                                       project::Feed::Http, Seconds(2), serving};
    open();
    std::vector<Feeding> feedings;
    for (const auto& inputs : sequences)
      feedings.push_back({built(first).folder, inputs, users});
    return lab::feed(*lab, feedings, Method::Timed, at_once);
  }
  RunOutcome outcome_of(const std::vector<std::string>& requests) {
    const auto made = visited({requests});
    EXPECT_TRUE(made) << made.error().what;
    return made ? made->front().outcome : RunOutcome::Failed;
  }
  std::string trouble(const std::string& manner) {
    const auto made = visited({{"GET /size/1"}}, manner);
    EXPECT_FALSE(made);
    return made ? "" : made.error().what;
  }

  project::Serving serving;
  std::size_t at_once = 1;
};

TEST_F(Servings, answer_all_requests_over_one_connection) {
  const auto made = visited({{"GET /size/100000", "GET /chunks/3", "GET /close", "GET /nowhere",
                              "POST /size/1 a=b", "HEAD /nowhere"}});
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_EQ(made->front().outcome, RunOutcome::Finished) << made->front().log;
  EXPECT_GT(made->front().samples.at("wall"), 0);
}

TEST_F(Servings, remember_who_logged_in) {
  EXPECT_EQ(outcome_of({"GET /private"}), RunOutcome::Finished);
  serving.login = {"POST /login name=me"};
  const auto made = visited({{"GET /private", "GET /private"}}, "", 5);
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_TRUE(made->front().finished()) << made->front().log;
}

TEST_F(Servings, run_beside_each_other) {
  at_once = 3;
  const auto made = visited(std::vector<std::vector<std::string>>(6, {"GET /work/100"}));
  ASSERT_TRUE(made) << made.error().what;
  for (const auto& run : *made)
    EXPECT_TRUE(run.finished()) << run.log;
}

TEST_F(Servings, end_in_different_ways) {
  EXPECT_EQ(outcome_of({"GET /fail"}), RunOutcome::Failed);
  EXPECT_EQ(outcome_of({"GET /none"}), RunOutcome::Failed);
  EXPECT_EQ(outcome_of({"GET /crash"}), RunOutcome::Crashed);
  EXPECT_EQ(outcome_of({"GET /late"}), RunOutcome::TimedOut);
}

TEST_F(Servings, that_do_not_get_ready_are_told) {
  EXPECT_TRUE(trouble("deaf").starts_with("the server was not ready after 2"));
  serving.ready = "/fail";
  EXPECT_TRUE(trouble("").starts_with("the server was not ready after 2"));
  serving.ready.clear();
}

TEST_F(Servings, that_end_at_once_are_told) {
  project.provoke = project::Provoke{"input.txt", "echo 'no such file'; exit 4",
                                     project::Feed::Http, Seconds(2), serving};
  open();
  const std::vector<Feeding> feedings{{built(first).folder, {"GET /"}, 1}};
  const auto made = lab::feed(*lab, feedings, Method::Timed, 1);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().what, "the server ended before it was ready\nno such file");
}

TEST_F(Servings, are_ended_with_all_that_they_started) {
  for (const auto* manner : {"stubborn", "heir"}) {
    serving.port = *load::free_port();
    const auto made = visited({{"GET /size/1"}}, manner);
    EXPECT_FALSE(load::is_listening(static_cast<std::uint16_t>(serving.port))) << manner;
    if (std::string(manner) == "heir") {
      ASSERT_TRUE(made) << made.error().what;
      EXPECT_TRUE(made->front().finished());
    }
  }
}

TEST_F(Servings, do_not_share_a_port_with_others) {
  serving.port = *load::free_port();
  const auto made = visited({{"GET /size/1"}, {"GET /size/2"}});
  ASSERT_TRUE(made) << made.error().what;
  EXPECT_TRUE(made->back().finished());
}

} // namespace
} // namespace dragnet::lab
