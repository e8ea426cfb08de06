// Any bytes as an answer of a server, whole and in pieces: both read the same.
#include "base/ensure.h"
#include "load/response.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  dragnet::load::ResponseReader whole(false);
  const bool is_read = static_cast<bool>(whole.add(text));
  dragnet::load::ResponseReader pieces(false);
  bool are_read = true;
  for (std::size_t at = 0; at < text.size() && are_read; at += 3)
    are_read = static_cast<bool>(pieces.add(std::string_view(text).substr(at, 3)));
  dragnet::ensure(is_read == are_read, "pieces are read as the whole is");
  dragnet::ensure(!is_read || whole.is_whole() == pieces.is_whole(), "both end alike");
  dragnet::ensure(!is_read || whole.response().body_size == pieces.response().body_size,
                  "both have the same body");
  return 0;
}
