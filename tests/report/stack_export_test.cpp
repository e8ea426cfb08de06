#include "report/stack_export.h"

#include "base/files.h"
#include "base/json.h"
#include "base/process.h"
#include "base/text.h"
#include "tests/analysis/explain/stack_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace dragnet::report {
namespace {

using explain::profile_of;

StackExport sample() {
  StackExport made;
  made.title = "insert at 2222222222";
  made.metric = "written";
  made.profile = profile_of({{"main@10;run@20;emit@30;/lib/libc.so:write", 10, 4000},
                             {"main@11;log@40;/lib/libc.so:write", 5, 500},
                             {"main@10;load@50", 1, 7000, "read"}});
  return made;
}

StackExport pair() {
  StackExport made = sample();
  made.before = profile_of({{"main@10;run@20;emit@30;/lib/libc.so:write", 10, 1000},
                            {"main@12;old@60;/lib/libc.so:write", 2, 90}});
  return made;
}

// Names that mean something in one of the formats.
StackExport hostile() {
  StackExport made;
  made.title = "a\nb\x1b[31m";
  made.metric = "written";
  const std::vector<std::string> names{
      "a;b", "two words 7", "line\nfn=x",  "(1) compressed", "\xff\xfe",
      "",    "calls=1 2",   "\"quoted\\\""};
  for (const std::string& name : names) {
    StackFrame frame;
    frame.function = {"app", name};
    frame.place = SourcePlace{"file\nwith newline", 3};
    made.profile.frames.push_back(frame);
  }
  made.profile.stacks = {{0, 1, 2, 3, 4, 5, 6, 7}, {}};
  made.profile.uses = {{0, "written", "f", 1, 10}, {1, "written", "f", 1, 5}};
  return made;
}

TEST(FoldedStacks, have_a_line_each) {
  EXPECT_EQ(folded_stacks(sample()), "main;log;write 500\nmain;run;emit;write 4000\n");
}

TEST(FoldedStacks, of_a_pair_have_two_columns) {
  EXPECT_EQ(folded_stacks(pair()),
            "main;log;write 0 500\nmain;old;write 90 0\nmain;run;emit;write 1000 4000\n");
}

TEST(FoldedStacks, can_have_calls) {
  StackExport calls = sample();
  calls.quantity = explain::Quantity::Calls;
  EXPECT_EQ(folded_stacks(calls), "main;log;write 5\nmain;run;emit;write 10\n");
}

TEST(FoldedStacks, keep_to_their_form_with_hostile_names) {
  const auto made = lines(folded_stacks(hostile()));
  ASSERT_EQ(made.size(), 2U);
  EXPECT_EQ(made[0], "? 5");
  EXPECT_EQ(std::ranges::count(made[1], ';'), 7);
  EXPECT_TRUE(made[1].ends_with(" 10"));
  EXPECT_TRUE(made[1].starts_with("a:b;two words 7;line fn=x;"));
}

TEST(Speedscope, has_samples_and_weights_that_belong_together) {
  const auto document = parse_json(speedscope_json(pair(), "1.0"));
  ASSERT_TRUE(document);
  EXPECT_EQ((*document)["$schema"], "https://www.speedscope.app/file-format-schema.json");
  ASSERT_EQ((*document)["profiles"].size(), 2U);
  const std::size_t frames = (*document)["shared"]["frames"].size();
  for (const auto& profile : (*document)["profiles"]) {
    EXPECT_EQ(profile["type"], "sampled");
    EXPECT_EQ(profile["unit"], "bytes");
    EXPECT_EQ(profile["samples"].size(), profile["weights"].size());
    std::uint64_t sum = 0;
    for (const auto& weight : profile["weights"])
      sum += weight.get<std::uint64_t>();
    EXPECT_EQ(profile["endValue"], sum);
    EXPECT_EQ(profile["startValue"], 0);
    for (const auto& sample : profile["samples"])
      for (const auto& frame : sample)
        EXPECT_LT(frame.get<std::size_t>(), frames);
  }
  EXPECT_EQ((*document)["shared"]["frames"][0]["name"], "main");
  EXPECT_EQ((*document)["shared"]["frames"][0]["file"], "src/app.cpp");
  EXPECT_TRUE(parse_json(speedscope_json(hostile(), "1.0")));
}

TEST(Callgrind, has_own_costs_and_calls) {
  const std::string made = callgrind_text(sample(), "1.0");
  EXPECT_TRUE(made.starts_with("# callgrind format\nversion: 1\ncreator: dragnet 1.0\n"));
  EXPECT_TRUE(made.contains("events: written\nsummary: 4500\n"));
  EXPECT_TRUE(made.contains("calls=10 0\n20 4000\n")) << made;
}

std::string annotated(const StackExport& stacks, bool inclusive) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) /
      ("callgrind.out." +
       std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  std::ofstream(file) << callgrind_text(stacks, "1.0");
  const auto output =
      run_command({"callgrind_annotate", "--threshold=100", "--auto=no",
                   inclusive ? "--inclusive=yes" : "--inclusive=no", file.string()});
  std::filesystem::remove(file);
  EXPECT_TRUE(output);
  if (!output)
    return "";
  EXPECT_EQ(output->status, 0) << output->errors;
  EXPECT_EQ(output->errors, "");
  return replace_all(output->output, ",", "");
}

class CallgrindAnnotate : public testing::Test {
protected:
  void SetUp() override {
    if (find_program("callgrind_annotate").empty())
      GTEST_SKIP() << "callgrind_annotate is not installed";
  }
};

TEST_F(CallgrindAnnotate, reads_totals_and_own_costs) {
  const std::string text = annotated(sample(), false);
  EXPECT_TRUE(text.contains("4500 (100.0%)  PROGRAM TOTALS")) << text;
  EXPECT_TRUE(text.contains("4500 (100.0%)  ???:write")) << text;
}

TEST_F(CallgrindAnnotate, reads_what_functions_cost_with_their_callees) {
  const std::string text = annotated(pair(), true);
  EXPECT_TRUE(text.contains("1090 (100.0%) 4500 (100.0%)  src/app.cpp:main")) << text;
  EXPECT_TRUE(text.contains("src/app.cpp:emit")) << text;
}

TEST_F(CallgrindAnnotate, counts_recursion_once) {
  StackExport made;
  made.metric = "written";
  made.profile = profile_of({{"main;f;g;f;g;f;put", 1, 100}});
  const std::string text = annotated(made, true);
  EXPECT_TRUE(text.contains("100 (100.0%)  ???:f")) << text;
  EXPECT_TRUE(text.contains("100 (100.0%)  ???:main")) << text;
}

TEST_F(CallgrindAnnotate, reads_hostile_names) {
  EXPECT_TRUE(annotated(hostile(), true).contains("15 (100.0%)  PROGRAM TOTALS"));
}

} // namespace
} // namespace dragnet::report
