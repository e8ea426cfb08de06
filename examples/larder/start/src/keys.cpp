#include "keys.h"

#include <algorithm>
#include <cstring>

namespace larder {
namespace {

constexpr std::uint64_t factor = 0x9E3779B97F4A7C15u;
constexpr std::size_t long_key = 64;

std::uint64_t eight_bytes(const char* at) {
  std::uint64_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t bytes) {
  hash = (hash ^ bytes) * factor;
  return hash ^ (hash >> 29);
}

// Long keys are mostly paths that share a long prefix: step over it eight bytes at a time.
int compare_long_keys(std::string_view left, std::string_view right) {
  const std::size_t limit = std::min(left.size(), right.size());
  std::size_t same = 0;
  while (same + 8 <= limit && eight_bytes(&left[same]) == eight_bytes(&right[same]))
    same += 8;
  return left.substr(same).compare(right.substr(same));
}

} // namespace

std::uint64_t hash_key(std::string_view key) {
  std::uint64_t hash = key.size();
  const char* at = key.data();
  const char* end = at + key.size();
  for (; end - at >= 8; at += 8)
    hash = mix(hash, eight_bytes(at));
  if (at < end && key.size() >= 8)
    return mix(hash, eight_bytes(end - 8));
  for (; at < end; ++at)
    hash = mix(hash, static_cast<unsigned char>(*at));
  return hash;
}

int compare_keys(std::string_view left, std::string_view right) {
  if (left.size() > long_key && right.size() > long_key)
    return compare_long_keys(left, right);
  return left.compare(right);
}

} // namespace larder
