#include "hunt/check_blame.h"

#include "analysis/blame/answer.h"
#include "model/check.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::hunt {
namespace {

void add(blame::Answer& answer, const std::string& name, double share) {
  auto& suspect = answer.suspects.emplace_back();
  suspect.function = {"program", name};
  suspect.place = SourcePlace{name + ".c", 7};
  suspect.blame.credited = share;
}

TEST(BlameSentences, name_those_that_explain_the_most) {
  blame::Answer answer;
  answer.ranking.difference = 1000;
  add(answer, "first", 700);
  add(answer, "second", 200);
  add(answer, "third", 20);
  EXPECT_EQ(
      blame_sentence(answer),
      "by traces of both commits to blame: first (first.c:7) for 70 %, second (second.c:7) for "
      "20 %");
}

TEST(BlameSentences, say_nothing_where_nothing_is_slower) {
  blame::Answer answer;
  answer.ranking.difference = -1000;
  add(answer, "first", 700);
  EXPECT_EQ(blame_sentence(answer), "");
  answer.ranking.difference = 100000;
  EXPECT_EQ(blame_sentence(answer), "");
}

} // namespace
} // namespace dragnet::hunt
