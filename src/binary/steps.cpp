#include "binary/steps.h"
#include "binary/instruction.h"
#include "binary/mix.h"
#include "model/function.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace dragnet::binary {

void Steps::begin(std::size_t size) {
  // A jump of two bytes becomes its shape and a meaning, and the usual decoder writes bytes ahead.
  constexpr std::size_t longest_growth = 8;
  constexpr std::size_t ahead = 64;
  if (size > numbers.size()) {
    text.resize((size * longest_growth) + ahead);
    lengths.resize(size);
    numbers.resize(size);
  }
  noted.clear();
  in_thread.clear();
  stamp += std::uint64_t{1} << 32U;
  instructions = count = end = offset = 0;
}

void Steps::add(const Instruction& instruction, std::span<const std::byte> rest) {
  numbers[offset] = stamp | instructions;
  const unsigned flag = instruction.padding ? FunctionTable::padding_flag : 0U;
  lengths[count++] = static_cast<std::uint8_t>(instruction.length | flag);
  if (!instruction.padding) {
    write(instruction, rest);
    if (instruction.in_thread)
      in_thread.push_back(static_cast<std::uint32_t>(instructions));
    ++instructions;
  }
  offset += instruction.length;
}

void Steps::write(const Instruction& instruction, std::span<const std::byte> rest) {
  std::byte* begin = &text[end];
  if (instruction.by_shape) {
    std::memcpy(begin, &instruction.shape, sizeof instruction.shape);
    end += sizeof instruction.shape;
  } else {
    std::memcpy(begin, rest.data(), instruction.length);
    end += instruction.length;
  }
  for (const Reference& reference :
       std::span(instruction.references).first(instruction.mentioned)) {
    if (!instruction.by_shape)
      std::memset(begin + reference.field, 0, reference.size);
    note(instruction.length, reference);
  }
}

void Steps::note(std::uint8_t length, const Reference& reference) {
  noted.push_back({.order = static_cast<std::uint32_t>(instructions),
                   .start = static_cast<std::uint32_t>(offset),
                   .place = static_cast<std::uint32_t>(end),
                   .length = length,
                   .reference = reference});
  end += sizeof(std::uint64_t);
}

void Steps::fill_in(const Noted& reference, std::uint64_t meaning) {
  std::memcpy(&text[reference.place], &meaning, sizeof meaning);
}

std::uint64_t Steps::hash() const {
  return hash_of(std::span(text).first(end));
}

} // namespace dragnet::binary
