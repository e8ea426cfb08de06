#include "facts/facts_file.h"

#include "facts/unit_facts.h"
#include "model/profile.h"
#include "model/source.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace dragnet::facts {
namespace {

UnitFacts sample() {
  UnitFacts unit;
  unit.facts.collections = {"field list::items", "param f 0"};
  unit.facts.aliases = {{.collection = 1, .source = 0}};
  unit.facts.warnings = {"a.cpp does not parse"};
  unit.overrides = {{.method = "derived", .overridden = "base"}};
  unit.taken = {{.type = "void (int)", .function = "f"}};
  SourceFunction function;
  function.name = "_Z1fv";
  function.file = "src/a file.cpp";
  function.line = 12;
  function.body_hash = 0xfedcba9876543210U;
  function.calls = {{.kind = CallKind::Direct,
                     .targets = {"g"},
                     .arguments = {SourceArgument{.number = -5}, std::nullopt,
                                   SourceArgument{.collection = 1, .factor = 0.5, .more = 64}}},
                    {.kind = CallKind::Indirect, .targets = {"virtual h", "pointer void (int)"}},
                    {.kind = CallKind::Indirect, .targets = {}}};
  function.loops.push_back(
      {.times = 0, .walks = {0, 1}, .fills = {1}, .empties = {}, .rate = 0.125, .partial = true});
  function.decisions.push_back(
      {.parameter = 2, .comparison = Comparison::LessOrEqual, .number = 64});
  function.fills = {0};
  SourceBlock call{.kind = BlockKind::Call, .subject = 1, .identity = 77, .line = 14, .column = 3};
  SourceBlock body{.kind = BlockKind::Sequence, .weight = 9};
  body.parts = {call, {.kind = BlockKind::Exit}};
  SourceBlock loop{.kind = BlockKind::Loop, .identity = 5};
  loop.parts = {body};
  function.body.parts = {loop, {.kind = BlockKind::Branch, .subject = 1}};
  unit.facts.functions = {function};
  return unit;
}

TEST(FactsFile, reads_back_what_was_written) {
  const std::string text = to_text(sample());
  const auto read = parse(text);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(to_text(*read), text);
  const SourceFunction& function = read->facts.functions.at(0);
  EXPECT_EQ(function.body_hash, 0xfedcba9876543210U);
  EXPECT_EQ(function.loops.at(0).walks, (std::vector<CollectionNumber>{0, 1}));
  EXPECT_EQ(function.calls.at(1).targets.at(1), "pointer void (int)");
  EXPECT_TRUE(function.calls.at(2).targets.empty());
  const auto& arguments = function.calls.at(0).arguments;
  EXPECT_EQ(arguments.at(0)->number, -5);
  EXPECT_FALSE(arguments.at(1));
  EXPECT_EQ(arguments.at(2)->collection, 1U);
  EXPECT_EQ(arguments.at(2)->factor, 0.5);
  EXPECT_EQ(arguments.at(2)->more, 64);
  EXPECT_TRUE(function.loops.at(0).partial);
  EXPECT_EQ(function.decisions.at(0).comparison, Comparison::LessOrEqual);
  EXPECT_EQ(function.body.parts.at(0).parts.at(0).parts.at(0).column, 3U);
}

TEST(FactsFile, names_the_line_that_is_wrong) {
  const auto read = parse("dragnet facts 3\nC\tx\nA\t0\tone\n");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().what.find("line 3"), std::string::npos);
  EXPECT_FALSE(parse("dragnet facts 99\n"));
  EXPECT_FALSE(parse(""));
}

TEST(FactsFile, refuses_numbers_that_do_not_exist) {
  EXPECT_FALSE(parse("dragnet facts 3\nA\t0\t1\n"));
  EXPECT_FALSE(parse("dragnet facts 3\nF\tf\ta.c\t1\t0\nB\tc0,0,0,0,0,()\n"));
  EXPECT_FALSE(parse("dragnet facts 3\nF\tf\ta.c\t1\t0\nL\t0\t0\t\t\t1\t\nB\ts0,0,0,0,0,()\n"));
  EXPECT_FALSE(parse("dragnet facts 3\nF\tf\ta.c\t1\t0\nL\t0\t\t\t\t1\t\nB\tl0,0,0,0,0,()\n"))
      << "a loop has one body";
  EXPECT_FALSE(parse("dragnet facts 3\nF\tf\ta.c\t1\t0\nB\tb1,0,0,0,0,()\n"))
      << "there is no decision";
  EXPECT_FALSE(parse("dragnet facts 3\nF\tf\ta.c\t1\t0\nK\td\t1*0*0\tg\nB\ts0,0,0,0,0,()\n"))
      << "an argument is a collection that exists";
  EXPECT_FALSE(parse("dragnet facts 3\nF\tf\ta.c\t1\t0\nD\t0\t<>\t1\nB\ts0,0,0,0,0,()\n"));
  EXPECT_FALSE(parse("dragnet facts 3\nK\td\t\tf\n")) << "a call belongs to a function";
}

TEST(FactsFile, refuses_every_text_that_is_cut_off_within_a_block) {
  const std::string text = to_text(sample());
  const std::size_t block = text.find("B\t");
  for (std::size_t end = block; end + 1 < text.size(); ++end)
    EXPECT_FALSE(parse(text.substr(0, end)) && end > block + 1) << end;
}

TEST(FactsFile, refuses_blocks_that_are_nested_without_end) {
  std::string text = "dragnet facts 3\nF\tf\ta.c\t1\t0\nB\t";
  for (int i = 0; i < 100'000; ++i)
    text += "s0,0,0,0,0,(";
  EXPECT_FALSE(parse(text));
}

} // namespace
} // namespace dragnet::facts
