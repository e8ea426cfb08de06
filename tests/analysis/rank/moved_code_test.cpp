#include "analysis/rank/rank.h"
#include "analysis/rank/revision.h"
#include "analysis/rank/simulation.h"
#include "analysis/rank/test_model.h"
#include "analysis/structure/extraction.h"
#include "analysis/structure/program.h"

#include <gtest/gtest.h>
#include <vector>

namespace dragnet::rank {
namespace {

TEST(MovedCode, repeats_its_loops_as_often_as_before) {
  // The loop walks something that nothing else tells the size of.
  Extraction commit;
  commit.next.functions.back().loops[0].walks.clear();
  const structure::Program program(commit.base, commit.next);
  std::vector<SourceProfile> profiles;
  for (const double size : {4.0, 4000.0})
    profiles.push_back(Simulation(commit.base, {size}).run("test", "main"));
  for (const Estimate& estimate : ranked(program, profiles, Method::Ours)) {
    EXPECT_LT(estimate.change, 50) << "moving costs next to nothing";
    EXPECT_GT(estimate.change, -50);
  }
}

TEST(MovedCode, is_new_code_for_the_published_method) {
  Extraction commit;
  commit.next.functions.back().loops[0].walks.clear();
  const structure::Program program(commit.base, commit.next);
  const std::vector profiles{Simulation(commit.base, {4000}).run("test", "main")};
  const auto loops = published_loops({.program = program,
                                      .test = model_of(program, profiles[0]),
                                      .usual = usual_costs(program, profiles, {})});
  const auto& added = program.functions()[program.find("walk_all").value()];
  EXPECT_NE(loops.next[added.next.first_loop], 4000) << "it takes the mean of the known loops";
}

} // namespace
} // namespace dragnet::rank
