#include "analysis/structure/matching.h"

#include "analysis/structure/blocks.h"
#include "analysis/structure/written.h"
#include "model/source.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace dragnet::structure {
namespace {

TEST(Matching, of_blocks_stays_when_others_are_put_around_and_between_them) {
  const auto old_x = function("x", {call("a"), loop("l", {call("b")}), call("c")});
  const auto new_x =
      function("x", {call("a"), call("n"),
                     branch("if", {sequence({loop("l", {call("b")})}), sequence({})}), call("c")});
  const auto old_blocks = in_order(old_x.body);
  const auto new_blocks = in_order(new_x.body);
  const auto matches = matched(old_blocks, new_blocks);
  for (std::size_t i = 0; i < new_blocks.size(); ++i) {
    const SourceBlock& block = *new_blocks[i].block;
    if (block.kind == BlockKind::Loop) {
      ASSERT_TRUE(matches[i]);
      EXPECT_EQ(old_blocks[*matches[i]].block->identity, block.identity);
      EXPECT_EQ(matches[i + 1], *matches[i] + 1) << "the body follows its loop";
    }
    if (block.kind == BlockKind::Branch) {
      EXPECT_FALSE(matches[i]);
    }
  }
}

TEST(Matching, of_loops_whose_heads_were_edited_is_by_their_order) {
  const auto old_x = function("x", {call("a"), loop("i < n", {call("b")}), call("c"),
                                    branch("y", {sequence({call("d")}), sequence({})})});
  const auto new_x = function("x", {call("a"), loop("i != n", {call("b")}), call("c"),
                                    branch("y > 1", {sequence({call("e")}), sequence({})}),
                                    loop("new", {call("f")})});
  const auto old_blocks = in_order(old_x.body);
  const auto new_blocks = in_order(new_x.body);
  const auto matches = matched(old_blocks, new_blocks);
  std::vector<bool> found;
  for (std::size_t i = 0; i < new_blocks.size(); ++i)
    if (const BlockKind kind = new_blocks[i].block->kind;
        kind == BlockKind::Loop || kind == BlockKind::Branch) {
      found.push_back(matches[i].has_value());
      EXPECT_TRUE(!matches[i] || old_blocks[*matches[i]].block->kind == kind);
    }
  EXPECT_EQ(found, (std::vector<bool>{true, true, false}));
}

struct Two {
  SourceFunction before;
  SourceFunction after;

  // For each part of the only branch of the new version the part of the old one.
  std::vector<std::optional<std::size_t>> parts() const {
    const auto old_blocks = placed_blocks(before);
    const auto new_blocks = placed_blocks(after);
    const auto matches = matched(old_blocks, new_blocks);
    const auto old_parts = parts_in(old_blocks);
    std::vector<std::optional<std::size_t>> result;
    for (const std::size_t part : parts_in(new_blocks)) {
      result.emplace_back();
      for (std::size_t i = 0; i < old_parts.size(); ++i)
        if (matches[part] == old_parts[i])
          result.back() = i;
    }
    return result;
  }

  static std::vector<std::size_t> parts_in(const std::vector<PlacedBlock>& blocks) {
    std::vector<std::size_t> parts;
    for (std::size_t i = 0; i < blocks.size() && parts.empty(); ++i)
      if (blocks[i].block->kind == BlockKind::Branch)
        for (std::size_t part = i + 1; part < blocks[i].end; part = blocks[part].end)
          parts.push_back(part);
    return parts;
  }
};

using Parts = std::vector<std::optional<std::size_t>>;

TEST(Matching, finds_the_parts_of_a_choice_that_got_one_more) {
  const auto a = sequence({call("a"), leave()});
  const auto b = sequence({call("b"), call("name"), leave()});
  const auto edited_b = sequence({call("b"), leave()});
  const Two two{.before = function("x", {branch("kind", {a, b, sequence({})})}),
                .after = function("x", {branch("kind", {a, sequence({call("n"), leave()}), edited_b,
                                                        sequence({})})})};
  EXPECT_EQ(two.parts(), (Parts{0, std::nullopt, 1, 2}));
}

TEST(Matching, sees_that_a_condition_is_the_opposite_now) {
  const auto a = sequence({call("a")});
  const auto b = sequence({call("b")});
  const Two two{.before = function("x", {branch("y", {a, b})}),
                .after = function("x", {branch("!y", {b, a})})};
  EXPECT_EQ(two.parts(), (Parts{1, 0}));
}

TEST(Matching, does_not_take_a_new_guard_for_a_branch_that_does_something_else) {
  const Two two{.before = function("x", {branch("y && z", {sequence({call("a")}), sequence({})})}),
                .after = function("x", {branch("!y", {sequence({leave()}), sequence({})}),
                                        branch("z", {sequence({call("a")}), sequence({})})})};
  EXPECT_EQ(two.parts(), (Parts{std::nullopt, std::nullopt}));
}

} // namespace
} // namespace dragnet::structure
