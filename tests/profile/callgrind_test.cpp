// Callgrind's output: compressed names and positions, calls, and what is not as it should be.
#include "profile/callgrind.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::profile {
namespace {

const std::string sample_output = R"(# callgrind format
version: 1
creator: callgrind-3.19.0
positions: instr line
events: Ir
summary: 500

ob=(1) /build/program
fl=(1) program.c
fn=(1) first
0x401100 10 4
+4 +1 4
cob=(2) /lib/libc.so.6
cfi=(2) puts.c
cfn=(3) puts
calls=4 0x900010 0
* * 400
cfn=(2) second
calls=3 0x401140 20
+4 * 60

fn=(2)
0x401140 20 3
+3 +2 6
-3 * 1
ob=(2)
fn=(3)
0x900010 0 400
totals: 500
)";

TEST(Callgrind, is_read_with_its_abbreviations) {
  const auto output = parse_callgrind(sample_output);
  ASSERT_TRUE(output) << output.error().what;
  ASSERT_EQ(output->objects.size(), 2);
  EXPECT_EQ(output->objects[1], "/lib/libc.so.6");
  ASSERT_EQ(output->calls.size(), 2);
  EXPECT_EQ(output->calls[0].from, 0x401104);
  EXPECT_EQ(output->calls[0].to_object, 1);
  EXPECT_EQ(output->calls[1].from, 0x401108);
  EXPECT_EQ(output->calls[1].to_object, 0);
  EXPECT_EQ(output->calls[1].to, 0x401140);
  EXPECT_EQ(output->calls[1].calls, 3);
  ASSERT_EQ(output->costs.size(), 6);
  EXPECT_EQ(output->costs[4].address, 0x401140);
  EXPECT_EQ(output->costs[4].instructions, 1);
}

TEST(Callgrind, becomes_a_profile) {
  FunctionTable table;
  table.binary = "program";
  for (const std::uint64_t address : {0x401100U, 0x401140U}) {
    Function function;
    function.name = address == 0x401100 ? "first" : "second";
    function.address = address;
    function.size = 0x40;
    table.functions.push_back(function);
  }
  const Tables tables{{"/build/program", &table}};
  const auto output = parse_callgrind(sample_output);
  ASSERT_TRUE(output);
  const auto profile = attribute({*output, *output}, tables, {});
  EXPECT_EQ(profile.counting, Counting::Callgrind);
  EXPECT_EQ(profile.instructions, 2 * (8 + 10 + 400));
  ASSERT_EQ(profile.functions.size(), 2);
  EXPECT_EQ(profile.functions[0].instructions, 16);
  EXPECT_EQ(profile.functions[1].calls, 6);
  EXPECT_EQ(profile.functions[1].instructions, 20);
  ASSERT_EQ(profile.edges.size(), 1);
  EXPECT_EQ(profile.edges[0].calls, 6);
  ASSERT_EQ(profile.libraries.size(), 1);
  EXPECT_EQ(profile.libraries[0].instructions, 800);
}

TEST(Callgrind, without_addresses_is_refused) {
  const auto output = parse_callgrind("positions: line\nevents: Ir\n");
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().hint, "run it with --dump-instr=yes");
}

TEST(Callgrind, that_is_damaged_is_refused_with_the_line) {
  for (const std::string line : {"calls=x 0x1 2", "0xzz 1 2", "+", "ob=(9)", "nonsense"}) {
    const auto output = parse_callgrind("positions: instr\nob=(1) /x\n" + line + "\n");
    ASSERT_FALSE(output) << line;
    EXPECT_TRUE(output.error().what.starts_with("line 3 ")) << output.error().what;
  }
}

} // namespace
} // namespace dragnet::profile
