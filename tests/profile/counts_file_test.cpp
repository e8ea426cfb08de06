// Counts files: what was put in comes out; what is damaged is refused.
#include "profile/counts_file.h"

#include "fakes/temporary_folder.h"
#include "profile/counts_image.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace dragnet::profile {
namespace {

CountsImage sample_image() {
  CountsImage image;
  image.add_module(0x4000, 0x8000, "/build/program");
  image.add_block(block(0x4000, 3, DRAGNET_ENDS_IN_INDIRECT_CALL), 10);
  image.add_block(block(0x4100, 2, DRAGNET_ENDS_IN_RETURN), 4);
  image.add_edge(0, 1, 4);
  return image;
}

TEST(CountsFile, gives_back_what_was_put_in) {
  auto image = sample_image();
  const auto counts = parse_counts(image.content());
  ASSERT_TRUE(counts) << counts.error().what;
  EXPECT_EQ(counts->process, 7);
  ASSERT_EQ(counts->modules.size(), 1);
  EXPECT_EQ(counts->modules[0].path, "/build/program");
  EXPECT_EQ(counts->modules[0].file_offset, 0x1000);
  ASSERT_EQ(counts->blocks.size(), 2);
  EXPECT_EQ(counts->blocks[1].start, 0x4100);
  EXPECT_EQ(counts->counts, (std::vector<std::uint64_t>{10, 4}));
  ASSERT_EQ(counts->edges.size(), 1);
  EXPECT_EQ(counts->edges[0].count, 4);
}

TEST(CountsFile, takes_an_instruction_away_that_the_next_block_executes) {
  for (const std::uint32_t size : {3U, 4U}) { // 4 bytes at 0x4ffd reach into the next page
    CountsImage image;
    image.add_module(0x4000, 0x8000, "/build/program");
    auto before = block(0x4fe0, 4, DRAGNET_ENDS_OTHERWISE);
    before.bytes = 0x1e;
    before.last_size = 1;
    image.add_block(before, 1);
    auto across = block(0x4ffd, 1, DRAGNET_ENDS_OTHERWISE);
    across.first_size = size;
    image.add_block(across, 1);
    const auto counts = parse_counts(image.content());
    ASSERT_TRUE(counts) << counts.error().what;
    EXPECT_EQ(counts->blocks[0].instructions, size == 4 ? 3 : 4);
    EXPECT_EQ(counts->blocks[1].instructions, 1);
  }
}

TEST(CountsFile, is_refused_wherever_it_is_cut) {
  auto image = sample_image();
  const auto whole = image.content();
  for (std::size_t size = 0; size < whole.size(); size += 61)
    EXPECT_FALSE(parse_counts(whole.first(size))) << size;
}

TEST(CountsFile, is_refused_when_it_is_something_else) {
  auto image = sample_image();
  image.header.magic = 42;
  EXPECT_EQ(parse_counts(image.content()).error().what,
            "the counts file is damaged: it does not begin as one");
}

TEST(CountsFile, is_refused_when_it_has_more_records_than_room) {
  auto image = sample_image();
  image.header.block_count = 9;
  EXPECT_FALSE(parse_counts(image.content()));
}

TEST(CountsFile, is_refused_when_a_path_lies_outside) {
  auto image = sample_image();
  image.header.path_count = 3;
  EXPECT_FALSE(parse_counts(image.content()));
}

TEST(CountsFile, is_refused_when_an_edge_leads_nowhere) {
  auto image = sample_image();
  image.add_edge(0, 2, 1);
  EXPECT_FALSE(parse_counts(image.content()));
}

TEST(CountsFile, is_refused_when_a_block_lies_outside_its_module) {
  auto image = sample_image();
  image.add_block(block(0x8000, 1, DRAGNET_ENDS_OTHERWISE), 1);
  EXPECT_FALSE(parse_counts(image.content()));
}

TEST(CountsFile, says_that_records_were_lost) {
  auto image = sample_image();
  image.header.lost = 3;
  const auto counts = parse_counts(image.content());
  ASSERT_FALSE(counts);
  EXPECT_TRUE(counts.error().what.starts_with("the counts are not whole: 3 records"));
}

TEST(CountsFile, of_a_process_that_never_began_is_left_out) {
  const fakes::TemporaryFolder folder;
  std::ofstream(folder / "1-0.counts") << std::string(8192, '\0');
  std::ofstream(folder / "2-0.counts");
  auto image = sample_image();
  const auto content = image.content();
  std::ofstream(folder / "3-0.counts", std::ios::binary)
      .write(reinterpret_cast<const char*>(content.data()),
             static_cast<std::streamsize>(content.size()));
  const auto processes = read_counts(folder.path());
  ASSERT_TRUE(processes) << processes.error().what;
  EXPECT_EQ(processes->size(), 1);
}

} // namespace
} // namespace dragnet::profile
