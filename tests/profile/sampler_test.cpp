// Sampling: the shares of functions come out, in children too; what the kernel says is read with
// care.
#include "profile/sampler.h"

#include "profile/profiling.h"
#include "profile/sample_records.h"

#include <linux/perf_event.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace dragnet::profile {
namespace {

TEST_F(Profiling, by_samples_shows_shares_of_time) {
  const auto program = compiled("spins.c", {"-O1"});
  const auto sampled = sample(question(program + "; " + program).job, tables, {});
  ASSERT_TRUE(sampled) << sampled.error().what;
  EXPECT_EQ(sampled->counting, Counting::Sampled);
  auto functions = by_name(*sampled);
  const auto all = static_cast<double>(sampled->instructions);
  ASSERT_GT(all, 200);
  EXPECT_NEAR(static_cast<double>(functions["long_part"].instructions) / all, 0.75, 0.15);
  EXPECT_NEAR(static_cast<double>(functions["turn"].instructions) / all, 0.25, 0.15);
  EXPECT_EQ(functions["turn"].calls, 0);
}

TEST_F(Profiling, by_samples_refuses_a_command_that_fails_or_takes_too_long) {
  auto job = question("exit 3").job;
  EXPECT_FALSE(sample(job, tables, {}));
  job = question("sleep 20").job;
  job.limit = Seconds(0.1);
  const auto sampled = sample(job, tables, {});
  ASSERT_FALSE(sampled);
  EXPECT_EQ(sampled.error().what, "the benchmark took longer than its limit");
}

// Records as the kernel lays them out.
class Records {
public:
  template <class... Numbers>
  void add(std::uint32_t type, std::uint16_t misc, Numbers... numbers) {
    perf_event_header header{type, misc, 0};
    std::vector<std::byte> body;
    (append(body, numbers), ...);
    header.size = static_cast<std::uint16_t>(sizeof header + body.size());
    append(bytes, header);
    bytes.insert(bytes.end(), body.begin(), body.end());
  }
  std::vector<std::byte> bytes;

private:
  template <class Number>
  static void append(std::vector<std::byte>& to, const Number& number) {
    const auto at = to.size();
    to.resize(at + sizeof number);
    std::memcpy(&to[at], &number, sizeof number);
  }
};

struct Path {
  char text[16] = "/build/program";
};

constexpr auto u32 = [](std::uint32_t number) { return number; };
constexpr auto u64 = [](std::uint64_t number) { return number; };

void add_mapping(Records& records, std::uint32_t process, std::uint64_t address) {
  records.add(PERF_RECORD_MMAP2, 0, u32(process), u32(process), u64(address), u64(0x1000),
              u64(0x1000), u64(0), u64(0), u64(0), u64(0), Path{}, u32(process), u32(process),
              u64(1));
}

TEST(SampleRecords, lead_from_samples_to_functions_across_forks) {
  Records records;
  add_mapping(records, 5, 0x7000);
  records.add(PERF_RECORD_FORK, 0, u32(6), u32(5), u32(6), u32(5), u64(2), u32(5), u32(5), u64(2));
  records.add(PERF_RECORD_SAMPLE, 0, u64(0x7010), u32(6), u32(6), u64(3));
  records.add(PERF_RECORD_SAMPLE, 0, u64(0x9010), u32(6), u32(6), u64(4));
  FunctionTable table;
  table.binary = "program";
  table.segments = {{.file_offset = 0x1000, .address = 0x401000, .size = 0x1000}};
  table.functions.emplace_back();
  table.functions[0].name = "first";
  table.functions[0].address = 0x401010;
  table.functions[0].size = 8;
  auto events = parse_sample_records(records.bytes);
  ASSERT_TRUE(events) << events.error().what;
  const auto profile = attribute(*events, {{"/build/program", &table}}, {});
  ASSERT_TRUE(profile) << profile.error().what;
  EXPECT_EQ(profile->instructions, 2);
  ASSERT_EQ(profile->functions.size(), 1);
  EXPECT_EQ(profile->functions[0].instructions, 1);
}

TEST(SampleRecords, that_are_cut_are_refused) {
  Records records;
  add_mapping(records, 5, 0x7000);
  for (std::size_t size = 1; size < records.bytes.size(); ++size)
    EXPECT_FALSE(parse_sample_records(std::span(records.bytes).first(size))) << size;
}

TEST(SampleRecords, of_which_many_were_lost_are_refused) {
  Records records;
  records.add(PERF_RECORD_LOST, 0, u64(1), u64(100), u32(5), u32(5), u64(2));
  auto events = parse_sample_records(records.bytes);
  ASSERT_TRUE(events);
  EXPECT_FALSE(attribute(*events, {}, {}));
}

} // namespace
} // namespace dragnet::profile
