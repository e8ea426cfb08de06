// From made-up blocks to functions.
#include "profile/attribution.h"

#include "profile/counts_image.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::profile {
namespace {

// A program with two functions and a linkage stub in front of them, loaded at 0x10000 higher than
// linked.
class Attribution : public testing::Test {
protected:
  Attribution() {
    table.binary = "program";
    table.segments = {{.file_offset = 0x1000, .address = 0x401000, .size = 0x1000}};
    table.functions = {function("first", 0x401100, 0x40), function("second", 0x401140, 0x100)};
    image.add_module(loaded(0x401000), loaded(0x402000), "/build/program");
  }
  static std::uint64_t loaded(std::uint64_t linked) { return linked + 0x10000; }
  static Function function(const std::string& name, std::uint64_t address, std::uint64_t size) {
    Function made;
    made.name = name;
    made.address = address;
    made.size = size;
    return made;
  }
  Profile attributed() {
    auto counts = parse_counts(image.content());
    EXPECT_TRUE(counts) << counts.error().what;
    const std::vector processes{*counts};
    return attribute(processes, tables, [](const std::string& path) { return "id of " + path; });
  }

  FunctionTable table;
  Tables tables{{"/build/program", &table}};
  CountsImage image;
};

TEST_F(Attribution, adds_up_blocks_and_calls) {
  image.add_block(block(loaded(0x401100), 3, DRAGNET_ENDS_IN_CALL, loaded(0x401140)), 10);
  image.add_block(block(loaded(0x401140), 2, DRAGNET_ENDS_IN_RETURN), 10);
  image.add_block(block(loaded(0x40110c), 1, DRAGNET_ENDS_IN_RETURN), 10);
  const auto profile = attributed();
  EXPECT_EQ(profile.instructions, 60);
  ASSERT_EQ(profile.functions.size(), 2);
  EXPECT_EQ(profile.functions[0].calls, 10);
  EXPECT_EQ(profile.functions[0].instructions, 40);
  EXPECT_EQ(profile.functions[1].instructions, 20);
  ASSERT_EQ(profile.edges.size(), 1);
  EXPECT_EQ(profile.edges[0].caller.name, "first");
  EXPECT_EQ(profile.edges[0].callee.name, "second");
  EXPECT_EQ(profile.edges[0].calls, 10);
}

TEST_F(Attribution, splits_a_block_that_runs_into_the_next_function) {
  image.add_block(block(loaded(0x401138), 4, DRAGNET_ENDS_IN_RETURN), 5);
  const auto profile = attributed();
  ASSERT_EQ(profile.functions.size(), 2);
  EXPECT_EQ(profile.functions[0].instructions, 10);
  EXPECT_EQ(profile.functions[1].instructions, 10);
  EXPECT_EQ(profile.functions[1].calls, 0);
}

TEST_F(Attribution, sees_through_a_linkage_stub) {
  image.add_block(block(loaded(0x401100), 3, DRAGNET_ENDS_IN_CALL, loaded(0x401010)), 10);
  const auto stub = image.add_block(block(loaded(0x401010), 1, DRAGNET_ENDS_IN_INDIRECT_JUMP), 10);
  const auto callee = image.add_block(block(loaded(0x401140), 2, DRAGNET_ENDS_IN_RETURN), 10);
  image.add_edge(stub, callee, 9);
  const auto profile = attributed();
  ASSERT_EQ(profile.edges.size(), 1);
  EXPECT_EQ(profile.edges[0].kind, CallKind::Direct);
  EXPECT_EQ(profile.edges[0].calls, 10);
}

TEST_F(Attribution, names_libraries_outside_the_build_and_code_made_at_run_time) {
  image.add_module(0x900000, 0x901000, "/lib/libc.so.6");
  auto foreign = block(0x900010, 2, DRAGNET_ENDS_IN_RETURN);
  foreign.module = 1;
  image.add_block(foreign, 3);
  auto nameless = block(0xa00000, 1, DRAGNET_ENDS_IN_RETURN);
  nameless.module = DRAGNET_NO_MODULE;
  image.add_block(nameless, 4);
  const auto profile = attributed();
  EXPECT_EQ(profile.instructions, 10);
  ASSERT_EQ(profile.libraries.size(), 2);
  EXPECT_EQ(profile.libraries[0].instructions, 4);
  EXPECT_EQ(profile.libraries[1].path, "/lib/libc.so.6");
  EXPECT_EQ(profile.libraries[1].identity, "id of /lib/libc.so.6");
  EXPECT_EQ(profile.libraries[1].instructions, 6);
}

TEST_F(Attribution, leaves_blocks_out_that_were_never_executed) {
  image.add_block(block(loaded(0x401100), 3, DRAGNET_ENDS_IN_CALL, loaded(0x401140)), 0);
  const auto profile = attributed();
  EXPECT_TRUE(profile.functions.empty());
  EXPECT_TRUE(profile.edges.empty());
}

TEST_F(Attribution, writes_entries_as_file_offsets) {
  const auto bytes = entries_file(tables);
  // magic, binaries, path size, 16 bytes of path, entries, 2 offsets
  ASSERT_EQ(bytes.size(), 8 + 8 + 8 + 16 + 8 + 16);
  EXPECT_EQ(static_cast<unsigned char>(bytes[48]), 0x00);
  EXPECT_EQ(static_cast<unsigned char>(bytes[49]), 0x11);
}

} // namespace
} // namespace dragnet::profile
