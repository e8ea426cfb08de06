#include "report/check.h"

#include "base/text.h"
#include "report/check_samples.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::report {
namespace {

using namespace samples; // NOLINT(google-build-using-namespace): they are this test's vocabulary

constexpr std::size_t limit = 60'000;

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

// The comment without its blocks of code, in which nothing has a meaning.
std::string outside_blocks(const std::string& text) {
  std::string rest;
  std::string fence;
  for (const std::string& line : lines(text)) {
    const bool ticks = line.size() >= 3 && line.find_first_not_of('`') == std::string::npos;
    if (fence.empty() && ticks)
      fence = line;
    else if (ticks && line.size() >= fence.size())
      fence.clear();
    else if (fence.empty())
      rest += line + "\n";
  }
  EXPECT_TRUE(fence.empty()) << "a block is not closed";
  return rest;
}

// The invariant of every comment: it fits, begins with its mark, and closes what it opens.
std::string markdown(const CheckedCommit& checked) {
  const std::string made = check_markdown(checked);
  EXPECT_LE(made.size(), limit);
  EXPECT_TRUE(made.starts_with("<!-- dragnet-check: "));
  EXPECT_EQ(occurrences(outside_blocks(made), "-->"), 1U);
  EXPECT_EQ(occurrences(outside_blocks(made), "details>\n"), 2U);
  EXPECT_TRUE(made.ends_with("\n</details>\n"));
  EXPECT_EQ(made, check_markdown(checked)) << "the same check gives the same comment";
  return made;
}

TEST(CheckMarkdown, reads_like_this) {
  EXPECT_EQ(
      markdown(with({regressed("get"), failed("open"), skipped("list", Treatment::Dismissed)})),
      R"(<!-- dragnet-check: larder -->
### Regressed: 1 of 3 benchmarks: get; 1 failed

<code>1111111111</code> Old one → <code>2222222222</code> New one

| benchmark | metric | old | new | change | pairs | verdict |
|---|---|--:|--:|--:|--:|---|
| <code>get</code> | wall | 41.2 ms ± 0.2 | 51.2 ms ± 0.2 | +24.3 % \(+20.0 % to +30.0 %\) | 3 | regressed |
| <code>open</code> | wall | - | - | - | 0 | failed |

<code>get</code> regressed:
- Store::find executes 1.5 times the instructions
- Store::find \(src/store.cpp:42\) changed: 60.0 % -&gt; 75.0 % of the instructions, called 1.00 k -&gt; 3.00 k times, explains +20.1 %

<code>open</code> failed:
- wall: it crashed with signal 11 on the new side

<details>
<summary>Details: 0 unchanged, 1 dismissed, 0 not reached</summary>

<code>open</code> printed at its end:

```
first line
last line
```

- <code>list</code> dismissed: nothing that it executes changed \(3 functions changed elsewhere\)

3 pairs measured, 0 remembered; 12.0 s of measuring in a budget of 5 min 0 s; 40.0 s in all, 20.0 s of it building.
Predictions so far: hit rate no cases, dismiss rate no cases; untrained: whatever executes changed code is run.

- one thing to know

</details>
)");
}

TEST(CheckMarkdown, fits_with_200_benchmarks_full_of_text) {
  const std::string made = markdown(long_check(200, 10'000));
  RecordProperty("bytes", static_cast<int>(made.size()));
  EXPECT_TRUE(made.contains("left out here for want of room")) << made.substr(0, 2000);
  EXPECT_GT(made.size(), 50'000U) << "room should be used";
}

TEST(CheckMarkdown, fits_with_5000_benchmarks) {
  EXPECT_TRUE(markdown(long_check(5000, 300)).contains("for want of room"));
}

TEST(CheckMarkdown, fits_whatever_its_letters_become) {
  for (const auto* piece : {"@", "#1", "&a", "\xff", "://", "µ", "`", "\n", "@@ "})
    EXPECT_GT(markdown(long_check(200, 2000, piece)).size(), 10'000U) << piece;
}

TEST(CheckMarkdown, lists_what_was_not_reached_among_the_details) {
  const std::string made = markdown(mixed());
  EXPECT_FALSE(made.contains("| <code>sync</code>"));
  EXPECT_TRUE(made.contains("- <code>sync</code> not reached: the budget was spent before; "));
}

TEST(CheckMarkdown, counts_exactly_what_it_leaves_out) {
  const std::string made = markdown(long_check(200, 10'000));
  const std::size_t shown = occurrences(made, "\n| <code>") / 2;
  EXPECT_TRUE(made.contains(std::to_string(200 - shown) + " more benchmarks are left out here"))
      << shown;
}

TEST(CheckMarkdown, leaves_nothing_out_when_there_is_room) {
  EXPECT_FALSE(markdown(mixed()).contains("left out"));
}

TEST(CheckMarkdown, lets_nothing_foreign_be_markup) {
  const std::string made = outside_blocks(markdown(hostile_check()));
  EXPECT_FALSE(made.contains("<script>"));
  EXPECT_FALSE(made.contains("@everyone")) << "a mention sends messages";
  EXPECT_FALSE(made.contains("http://")) << "no links";
  EXPECT_FALSE(made.contains("[x]("));
  EXPECT_FALSE(made.contains('\x1b'));
  for (const std::string& line : lines(made))
    if (line.starts_with("| <code>")) {
      EXPECT_EQ(occurrences(replace_all(line, "\\|", ""), "|"), 8U) << line;
    }
}

TEST(CheckMarkdown, keeps_a_log_inside_its_block) {
  CheckedBenchmark bad = failed("a");
  bad.log = "```\n</details>\n````";
  EXPECT_TRUE(markdown(with({bad})).contains("\n`````\n```\n</details>\n````\n`````\n"));
}

TEST(CheckMarkdown, names_the_project_without_ending_the_comment) {
  CheckedCommit checked = with({});
  checked.project = "a --> b--c";
  EXPECT_TRUE(markdown(checked).starts_with("<!-- dragnet-check: a%20-%2D%3E%20b-%2Dc -->\n"))
      << markdown(checked);
}

} // namespace
} // namespace dragnet::report
