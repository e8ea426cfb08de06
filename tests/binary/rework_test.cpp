#include "binary/outline.h"
#include "binary/rework.h"
#include "binary/workshop.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace dragnet::binary {
namespace {

// A block by its operations, and where it goes: on to the next one, or to another by its number.
struct Piece {
  std::vector<std::uint16_t> operations;
  int jump = -1;
  bool falls_through = true;
};

// Tokens differ from version to version, as they do when registers are given out anew.
Outline outline_of(const std::vector<Piece>& pieces, std::uint16_t registers) {
  Outline outline;
  std::vector<std::uint32_t> firsts;
  for (const Piece& piece : pieces) {
    firsts.push_back(static_cast<std::uint32_t>(outline.size()));
    for (const std::uint16_t operation : piece.operations) {
      Outlined one;
      one.operation = operation;
      one.token = static_cast<std::uint16_t>(operation + registers);
      outline.push_back(one);
    }
    outline.back().falls_through = piece.falls_through;
  }
  std::size_t end = 0;
  for (const Piece& piece : pieces) {
    end += piece.operations.size();
    if (piece.jump >= 0)
      outline[end - 1].target = firsts[static_cast<std::size_t>(piece.jump)];
  }
  return outline;
}

FunctionChange change_of(const std::vector<Piece>& before, const std::vector<Piece>& now) {
  const Outline old_outline = outline_of(before, 1000);
  const Outline new_outline = outline_of(now, 2000);
  const FunctionTable none;
  FunctionChange change;
  describe_edits({.before = old_outline, .now = new_outline, .old_table = none, .new_table = none},
                 change);
  return change;
}

// entry, loop, rare, exit
std::vector<Piece> loop() {
  return {{{1, 2, 3}}, {{4, 5, 6, 7}, 3}, {{8, 9, 10}, 1, false}, {{11, 12}, -1, false}};
}

TEST(Rework, sees_blocks_and_the_ways_between_them) {
  const auto blocks = blocks_of(outline_of(loop(), 0));
  ASSERT_EQ(blocks.size(), 4U);
  EXPECT_EQ(blocks[1].after, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(blocks[1].before, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_TRUE(blocks[3].after.empty());
}

TEST(Rework, ignores_other_registers) {
  const auto change = change_of(loop(), loop());
  EXPECT_GT(change.edited, 0U);
  EXPECT_TRUE(change.edits.empty());
}

TEST(Rework, ignores_another_order_of_blocks) {
  const std::vector<Piece> moved{
      {{1, 2, 3}}, {{4, 5, 6, 7}, 3}, {{11, 12}, -1, false}, {{8, 9, 10}, 1, false}};
  // The jump goes the other way round now.
  EXPECT_TRUE(change_of(loop(), moved).edits.empty());
}

TEST(Rework, ignores_copies_of_a_block) {
  std::vector<Piece> copied = loop();
  copied.push_back({{8, 9, 10}, 1, false});
  EXPECT_TRUE(change_of(loop(), copied).edits.empty());
}

TEST(Rework, counts_what_a_block_gains_where_it_stands) {
  std::vector<Piece> longer = loop();
  longer[1].operations = {4, 5, 20, 6, 7};
  const auto change = change_of(loop(), longer);
  ASSERT_EQ(change.edits.size(), 1U);
  EXPECT_EQ(change.edits[0].instructions, 1);
  EXPECT_EQ(change.edits[0].place.before, std::vector<std::uint32_t>{3}); // the loop's first
  EXPECT_TRUE(change.edits[0].place.certain);
}

TEST(Rework, knows_that_a_block_in_the_only_way_is_executed) {
  const std::vector<Piece> inserted{{{1, 2, 3}},
                                    {{4, 5, 6, 7}, 4},
                                    {{30, 31, 32}, 3, false}, // a jump to the next
                                    {{8, 9, 10}, 1, false},
                                    {{11, 12}, -1, false}};
  const auto change = change_of(loop(), inserted);
  ASSERT_EQ(change.edits.size(), 1U);
  EXPECT_EQ(change.edits[0].instructions, 3);
  EXPECT_TRUE(change.edits[0].place.certain);
}

TEST(Rework, doubts_that_a_block_is_executed_that_can_be_bypassed) {
  const std::vector<Piece> inserted{{{1, 2, 3}},       {{4, 5, 6, 7}, 5}, {{8, 9, 10}, 4},
                                    {{30, 31, 32}, 4}, {{13}, 1, false},  {{11, 12}, -1, false}};
  const auto change = change_of(loop(), inserted);
  bool doubtful = false;
  for (const Edit& edit : change.edits)
    doubtful = doubtful || (edit.instructions == 3 && !edit.place.certain);
  EXPECT_TRUE(doubtful);
}

// As in generated code: thousands of blocks jump to the same one.
TEST(Rework, takes_no_time_where_everything_meets) {
  constexpr int many = 4000;
  std::vector<Piece> pieces;
  for (int i = 0; i < many; ++i)
    pieces.push_back({{1, 2, static_cast<std::uint16_t>(3 + (i % 7)), 4}, many, true});
  pieces.push_back({{11, 12}, -1, false});
  EXPECT_TRUE(change_of(pieces, pieces).edits.empty());
}

class ReworkOfPrograms : public Workshop {};

TEST_F(ReworkOfPrograms, names_the_calls_that_are_put_in) {
  const std::string start = "int g(int x) __attribute__((noinline));\n"
                            "int g(int x) { return x * 77 / 5 + 3; }\n"
                            "int f(int* a, int n) { int s = 0; for (int i = 0; i < n; ++i) s += ";
  compiled("old", start + "a[i] * 3; return s; }", {"-O1", "-shared", "-fPIC"});
  compiled("new", start + "g(a[i]) * 3; return s; }",
           {"-O1", "-shared", "-fPIC", "-fvisibility=hidden"});
  compiled("same", start + "g(a[i]) * 3; return s; }",
           {"-O1", "-shared", "-fPIC", "-fvisibility=hidden"});
  const auto found = compared("old", "new").difference;
  const auto f = std::ranges::find(found.changes, "f", &FunctionChange::name);
  ASSERT_NE(f, found.changes.end());
  ASSERT_EQ(f->calls.size(), 1U);
  EXPECT_EQ(f->calls[0].callee, "g");
  EXPECT_EQ(f->calls[0].calls, 1);
  EXPECT_TRUE(compared("new", "same").difference.changes.empty());
}

TEST_F(ReworkOfPrograms, recognises_a_function_that_has_another_name_and_other_code) {
  const std::string body = "(int* a, int n) { int s = 0; for (int i = 0; i < n; ++i) { s ^= a[i] * "
                           "3; s += a[i] / 7; if (s > 99) s -= a[0]; else s += 5; } return s";
  compiled("old", "int first" + body + "; }", {"-O1", "-shared", "-fPIC"});
  compiled("new", "int second" + body + " + 1234; }", {"-O1", "-shared", "-fPIC"});
  const auto found = compared("old", "new").difference;
  ASSERT_EQ(found.changes.size(), 1U);
  EXPECT_EQ(found.changes[0].kind, ChangeKind::Changed);
  EXPECT_EQ(found.changes[0].name, "second");
  EXPECT_EQ(found.changes[0].old_name, "first");
}

} // namespace
} // namespace dragnet::binary
