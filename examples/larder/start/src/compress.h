// A small Lempel-Ziv coder for values: quick rather than thorough.
//
// A coded block is a sequence of
//   0nnnnnnn, then n + 1 bytes            literal bytes
//   1nnnnnnn, distance low, distance high copy n + 4 bytes from that far back
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace larder {

/// Codes one block after another; remembers nothing of a block but the memory it needed.
class Compressor {
public:
  /// Replaces `coded` by the block in its coded form.
  void compress(std::string_view block, std::string& coded);

private:
  struct Match {
    std::size_t distance = 0;
    std::size_t length = 0;
  };
  Match find_match(std::string_view block, std::size_t at);

  // Places where a hash of four bytes was last seen, counted from the first block on, so that the
  // table need not be cleared for each block.
  std::array<std::uint64_t, 4096> seen_{};
  std::uint64_t block_start_ = 1;
};

/// Replaces `block` by what was coded; false if `coded` is not a coded block.
bool decompress(std::string_view coded, std::string& block);

} // namespace larder
