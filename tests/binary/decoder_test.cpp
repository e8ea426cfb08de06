// The decoder is compared with GNU objdump, which knows the whole instruction set.
#include "base/process.h"
#include "base/text.h"
#include "binary/elf_file.h"
#include "binary/instruction.h"

#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace dragnet::binary {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> result;
  for (const int value : values)
    result.push_back(static_cast<std::byte>(value));
  return result;
}

Instruction decoded(std::span<const std::byte> code, std::uint64_t address, const Place& place) {
  Instruction instruction;
  decode_x86(code, address, place, instruction);
  return instruction;
}

Instruction decoded(std::initializer_list<int> values) {
  return decoded(bytes(values), 0x1000, {});
}

TEST(Decoder, resolves_relative_calls_and_jumps) {
  const Instruction call = decoded({0xe8, 0x10, 0, 0, 0});
  EXPECT_EQ(call.length, 5);
  EXPECT_EQ(call.references[0].how, Refers::Call);
  EXPECT_EQ(call.references[0].target, 0x1015U);
  const Instruction back = decoded({0x75, 0xfe});
  EXPECT_EQ(back.references[0].how, Refers::Jump);
  EXPECT_EQ(back.references[0].target, 0x1000U);
}

TEST(Decoder, does_not_tell_near_from_far_jumps) {
  EXPECT_EQ(decoded({0x75, 0x10}).shape, decoded({0x0f, 0x85, 0x10, 0, 0, 0}).shape);
  EXPECT_EQ(decoded({0xeb, 0x10}).shape, decoded({0xe9, 0x10, 0, 0, 0}).shape);
  EXPECT_NE(decoded({0x75, 0x10}).shape, decoded({0x74, 0x10}).shape);
}

TEST(Decoder, knows_what_is_read_at_an_address) {
  const Instruction load = decoded({0xf2, 0x0f, 0x10, 0x05, 4, 0, 0, 0}); // movsd 4(%rip), %xmm0
  EXPECT_EQ(load.references[0].how, Refers::Memory);
  EXPECT_EQ(load.references[0].width, 8);
  EXPECT_EQ(load.references[0].target, 0x100cU);
  const Instruction take = decoded({0x48, 0x8d, 0x05, 4, 0, 0, 0}); // lea 4(%rip), %rax
  EXPECT_EQ(take.references[0].how, Refers::Address);
}

TEST(Decoder, masks_only_the_address) {
  EXPECT_EQ(decoded({0x48, 0x8d, 0x05, 4, 0, 0, 0}).shape,
            decoded({0x48, 0x8d, 0x05, 9, 9, 0, 0}).shape);
  EXPECT_NE(decoded({0x48, 0x8d, 0x05, 4, 0, 0, 0}).shape,
            decoded({0x48, 0x8d, 0x0d, 4, 0, 0, 0}).shape);
  EXPECT_NE(decoded({0xb8, 4, 0, 0, 0}).shape, decoded({0xb8, 5, 0, 0, 0}).shape);
}

TEST(Decoder, finds_constants_that_are_addresses_only_within_the_program) {
  const Place place{.low = 0x400000, .high = 0x500000};
  const auto inside = decoded(bytes({0xbf, 0x10, 0x20, 0x40, 0}), 0x401000, place);
  EXPECT_EQ(inside.references[0].target, 0x402010U);
  const auto outside = decoded(bytes({0xbf, 0x10, 0x20, 0, 0}), 0x401000, place);
  EXPECT_EQ(outside.references[0].how, Refers::Nothing);
}

TEST(Decoder, decodes_usual_instructions_as_the_general_way_does) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2'000'000; ++round) {
    std::array<std::byte, 48> code{};
    for (auto& byte : code)
      byte = static_cast<std::byte>(random());
    const Place place = round % 4 == 0 ? Place{.low = 0, .high = 1U << 31U} : Place{};
    Instruction fast;
    Instruction plain;
    decode_x86(code, 0x1000, place, fast);
    decode_x86_plainly(code, 0x1000, place, plain);
    ASSERT_EQ(fast.length, plain.length) << round;
    if (fast.length == 0)
      continue;
    ASSERT_EQ(fast.shape, plain.shape) << round;
    ASSERT_EQ(fast.padding, plain.padding) << round;
    ASSERT_EQ(fast.mentioned, plain.mentioned) << round;
    for (std::size_t i = 0; i < fast.mentioned; ++i) {
      ASSERT_EQ(fast.references.at(i).target, plain.references.at(i).target) << round;
      ASSERT_EQ(fast.references.at(i).how, plain.references.at(i).how) << round;
      ASSERT_EQ(fast.references.at(i).width, plain.references.at(i).width) << round;
    }
  }
}

TEST(Decoder, refuses_what_is_cut_off) {
  EXPECT_EQ(decoded({0xe8, 0x10}).length, 0);
  EXPECT_EQ(decoded({0x66, 0x66}).length, 0);
  EXPECT_EQ(decoded({}, 0, {}).length, 0);
}

// Address and text of each instruction that objdump sees in a program.
std::vector<std::pair<std::uint64_t, std::string>> disassembly(const std::string& path) {
  const auto ended = run_command({"objdump", "-d", "--no-show-raw-insn", "-j", ".text", path});
  std::vector<std::pair<std::uint64_t, std::string>> found;
  if (!ended)
    return found;
  for (const std::string& line : lines(ended->output)) {
    const auto parts = split(line, '\t');
    const auto address_text = trim(parts[0]);
    if (parts.size() < 2 || !address_text.ends_with(':'))
      continue;
    std::uint64_t address = 0;
    std::from_chars(address_text.data(), address_text.data() + address_text.size() - 1, address,
                    16);
    found.emplace_back(address, parts[1]);
  }
  return found;
}

void expect_same_lengths(const std::string& path) {
  const auto file = ElfFile::open(path);
  ASSERT_TRUE(file);
  const Section* text = file->section_named(".text");
  const auto truth = disassembly(path);
  ASSERT_GT(truth.size(), 1000U) << path;
  std::size_t wrong = 0;
  std::string first;
  for (std::size_t i = 0; i + 1 < truth.size(); ++i) {
    const auto& [address, instruction] = truth[i];
    // objdump gives up on these bytes itself, or shows a wait and what it waits for as one.
    if (instruction.find("(bad)") != std::string::npos || instruction.starts_with(".") ||
        instruction.starts_with("fst") || instruction.starts_with("finit"))
      continue;
    const auto code = text->content.subspan(address - text->address);
    const auto length = decoded(code, address, {}).length;
    if (address + length != truth[i + 1].first && ++wrong == 1)
      first = instruction;
  }
  EXPECT_EQ(wrong, 0U) << path << ": " << first;
}

TEST(Decoder, finds_the_same_instructions_as_objdump) {
#ifdef __x86_64__
  for (const char* path :
       {"/proc/self/exe", "/usr/bin/git", "/lib/x86_64-linux-gnu/libc.so.6",
        "/lib/x86_64-linux-gnu/libm.so.6", "/lib/x86_64-linux-gnu/libstdc++.so.6"})
    if (std::filesystem::exists(path))
      expect_same_lengths(std::filesystem::canonical(path));
#endif
}

} // namespace
} // namespace dragnet::binary
