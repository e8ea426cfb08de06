#include "checksum.h"

#include <array>

namespace larder {
namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit)
      rest = (rest & 1) ? (rest >> 1) ^ 0xEDB88320u : rest >> 1;
    table[byte] = rest;
  }
  return table;
}

constexpr auto table = make_table();

} // namespace

std::uint32_t checksum(std::string_view bytes) {
  std::uint32_t sum = 0xFFFFFFFFu;
  for (unsigned char byte : bytes)
    sum = (sum >> 8) ^ table[(sum ^ byte) & 0xFF];
  return ~sum;
}

} // namespace larder
