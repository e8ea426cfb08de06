// Mixing numbers into hashes at the speed of a multiplication. The hashes name code and data within
// one version of Dragnet; they are not for adversaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace dragnet::binary {

/// Two numbers as one: the halves of their product, after a change of bits so that 0 is not
/// special.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a ^ 0x9e3779b97f4a7c15U) * (b ^ 0xe7037ed1a0b428dbU);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

/// The hash of bytes and of their number.
inline std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t hash = bytes.size();
  std::uint64_t word = 0;
  for (; bytes.size() >= sizeof word; bytes = bytes.subspan(sizeof word)) {
    std::memcpy(&word, bytes.data(), sizeof word);
    hash = mix(hash, word);
  }
  word = 0;
  if (!bytes.empty())
    std::memcpy(&word, bytes.data(), bytes.size());
  return mix(hash, word);
}

inline std::uint64_t hash_of(std::string_view text) {
  return hash_of(std::as_bytes(std::span(text)));
}

} // namespace dragnet::binary
