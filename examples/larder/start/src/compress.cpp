#include "compress.h"

#include <algorithm>
#include <cstring>

namespace larder {
namespace {

constexpr std::size_t shortest_match = 4;
constexpr std::size_t longest_match = 127 + shortest_match;
constexpr std::size_t longest_literal = 128;
constexpr std::size_t farthest = 65535;

std::uint32_t four_bytes(const char* at) {
  std::uint32_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

std::size_t bucket(std::uint32_t bytes) { return (bytes * 2654435761u) >> 20; }

std::size_t common_length(const char* left, const char* right, std::size_t limit) {
  std::size_t length = 0;
  while (length < limit && left[length] == right[length])
    ++length;
  return length;
}

void append_literals(std::string_view bytes, std::string& coded) {
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), longest_literal);
    coded.push_back(static_cast<char>(count - 1));
    coded.append(bytes.substr(0, count));
    bytes.remove_prefix(count);
  }
}

void append_match(std::size_t distance, std::size_t length, std::string& coded) {
  coded.push_back(static_cast<char>(128 + length - shortest_match));
  coded.push_back(static_cast<char>(distance & 0xFF));
  coded.push_back(static_cast<char>(distance >> 8));
}

} // namespace

Compressor::Match Compressor::find_match(std::string_view block, std::size_t at) {
  const std::uint32_t bytes = four_bytes(block.data() + at);
  std::uint64_t& place = seen_[bucket(bytes)];
  const std::uint64_t candidate = place;
  place = block_start_ + at;
  if (candidate < block_start_)
    return {};
  const std::size_t from = candidate - block_start_;
  if (at - from > farthest || four_bytes(block.data() + from) != bytes)
    return {};
  const std::size_t limit = std::min(block.size() - at, longest_match);
  return {at - from, common_length(block.data() + from, block.data() + at, limit)};
}

void Compressor::compress(std::string_view block, std::string& coded) {
  coded.clear();
  std::size_t literals = 0;
  std::size_t at = 0;
  while (at + shortest_match <= block.size()) {
    const Match match = find_match(block, at);
    if (match.length < shortest_match) {
      ++at;
      continue;
    }
    append_literals(block.substr(literals, at - literals), coded);
    append_match(match.distance, match.length, coded);
    at += match.length;
    literals = at;
  }
  append_literals(block.substr(literals), coded);
  block_start_ += block.size();
}

bool decompress(std::string_view coded, std::string& block) {
  block.clear();
  while (!coded.empty()) {
    const auto control = static_cast<unsigned char>(coded[0]);
    coded.remove_prefix(1);
    if (control < 128) {
      const std::size_t count = control + 1u;
      if (coded.size() < count)
        return false;
      block.append(coded.substr(0, count));
      coded.remove_prefix(count);
      continue;
    }
    if (coded.size() < 2)
      return false;
    const std::size_t distance =
        static_cast<unsigned char>(coded[0]) + 256u * static_cast<unsigned char>(coded[1]);
    coded.remove_prefix(2);
    if (distance == 0 || distance > block.size())
      return false;
    // Byte by byte, because a match may overlap what it produces.
    for (std::size_t left = control - 128 + shortest_match; left > 0; --left)
      block.push_back(block[block.size() - distance]);
  }
  return true;
}

} // namespace larder
