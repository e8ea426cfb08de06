// Keys and values made up for workloads: the same ones in each run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace larder {

/// Numbers that look random; the same sequence for the same seed.
class Numbers {
public:
  explicit Numbers(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t next();

private:
  std::uint64_t state_;
};

/// Keys of one size that differ in their last eight letters only, as paths do.
class KeyMaker {
public:
  explicit KeyMaker(std::size_t size);
  /// The key with this number; valid until the next call.
  std::string_view key(std::uint32_t number);

private:
  std::string key_;
};

/// About this many bytes of text that repeats itself as text does.
std::string make_text(std::size_t size);

/// One made-up word; words with different numbers may be the same.
std::string_view make_word(std::uint64_t number);

} // namespace larder
