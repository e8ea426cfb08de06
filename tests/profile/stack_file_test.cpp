// Stacks files are read as they are described, added up over processes and threads, and refused
// where they are damaged.
#include "profile/stack_file.h"

#include "binary/open_code.h"
#include "model/function.h"
#include "profile/stack_records.h"
#include "profile/stacks_image.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dragnet::profile {
namespace {

StacksImage small_image() {
  StacksImage image;
  image.add_module(0x7000, 0x8000, "./program");
  const auto file = image.add_file("/tmp/out (deleted)");
  const auto inner = image.add_stack({0x7011, 0x7021});
  const auto outer = image.add_stack({0x7021});
  image.add_use({inner, file, DRAGNET_WRITTEN, 0, 2, 100});
  image.add_use({inner, file, DRAGNET_WRITTEN, 1, 1, 50});
  image.add_use({outer, DRAGNET_NO_FILE, DRAGNET_ALLOCATED, 0, 1, 8});
  image.add_gap({0x7030, 3, 0});
  return image;
}

TEST(StackFile, leads_to_functions_of_the_build) {
  FunctionTable table;
  table.binary = "program";
  table.segments = {{.file_offset = 0x1000, .address = 0x401000, .size = 0x1000}};
  for (const auto& [name, address] :
       {std::pair("writes", 0x401010), std::pair("calls", 0x401020)}) {
    table.functions.emplace_back();
    table.functions.back().name = name;
    table.functions.back().address = static_cast<std::uint64_t>(address);
    table.functions.back().size = 8;
  }
  auto image = small_image();
  const auto process = parse_stacks(image.content());
  ASSERT_TRUE(process) << process.error().what;
  const std::vector processes{*process, *process};
  binary::OpenCode code;
  const auto profile = stack_profile(processes, {{"./program", &table}}, code);
  ASSERT_EQ(profile.uses.size(), 2);
  const auto& written = profile.uses[0];
  EXPECT_EQ(written.metric, "written");
  EXPECT_EQ(written.file, "/tmp/out");
  EXPECT_EQ(written.calls, 6);
  EXPECT_EQ(written.amount, 300);
  const auto& stack = profile.stacks[written.stack];
  ASSERT_EQ(stack.size(), 2);
  EXPECT_EQ(profile.frames[stack[0]].function, (FunctionId{"program", "calls"}));
  EXPECT_EQ(profile.frames[stack[1]].function, (FunctionId{"program", "writes"}));
  EXPECT_EQ(gaps(processes), std::vector<std::string>{"./program+0x1030: 3"});
}

TEST(StackFile, tells_what_happened_unwatched) {
  auto image = small_image();
  image.header.at_start = {1000, 10, 5, 1};
  image.header.at_end = {3000, 90, 9, 4};
  image.header.own = {100, 0, 1, 0};
  image.header.ended = 1;
  auto first = parse_stacks(image.content());
  image.header.at_start = {3200, 90, 11, 4};
  auto second = parse_stacks(image.content());
  ASSERT_TRUE(first && second);
  const auto sum = unwatched(std::vector{*first, *second});
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->read_bytes, 1000 + 200 + 2 * 100);
  EXPECT_EQ(sum->written_bytes, 10);
  EXPECT_EQ(sum->reads, 5 + 2 + 2);
  first->header.ended = 0;
  EXPECT_FALSE(unwatched(std::vector{*first, *second}));
}

TEST(StackFile, that_is_cut_or_damaged_is_refused) {
  auto image = small_image();
  const auto content = image.content();
  for (std::size_t size = 0; size < content.size(); size += 7)
    EXPECT_FALSE(parse_stacks(content.first(size))) << size;
  for (auto* count : {&image.header.module_count, &image.header.stack_count,
                      &image.header.use_count, &image.header.text_count}) {
    const auto before = *count;
    *count = 1000;
    EXPECT_FALSE(parse_stacks(image.content()));
    *count = before;
  }
  EXPECT_TRUE(parse_stacks(image.content()));
  image.add_use({99, DRAGNET_NO_FILE, DRAGNET_READ, 0, 1, 1});
  EXPECT_FALSE(parse_stacks(image.content()));
}

} // namespace
} // namespace dragnet::profile
