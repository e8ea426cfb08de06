// Content keys: everything that determines a result goes in, a short text that names it comes out.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace dragnet {

/// Collects labelled parts into one 128-bit key. Parts are length-prefixed, so that neighbours
/// never run together.
class KeyMaker {
public:
  KeyMaker();
  ~KeyMaker();
  KeyMaker(const KeyMaker&) = delete;
  KeyMaker& operator=(const KeyMaker&) = delete;
  KeyMaker(KeyMaker&&) = delete;
  KeyMaker& operator=(KeyMaker&&) = delete;

  KeyMaker& add(std::string_view label, std::string_view value);

  /// The key of what was added so far: 32 hexadecimal digits.
  std::string key() const;

private:
  void add_text(std::string_view text);
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

/// The key of a file's content.
Result<std::string> file_key(const std::filesystem::path& path);

/// A 64-bit number that is the same for the same text everywhere, for seeds.
std::uint64_t seed_of(std::string_view text);

} // namespace dragnet
