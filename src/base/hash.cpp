#include "base/hash.h"

#include "base/files.h"
#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <xxhash.h>

#include <array>

namespace dragnet {
namespace {

std::string hexadecimal(XXH128_hash_t hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace

void KeyMaker::Free::operator()(XXH3_state_s* state) const {
  XXH3_freeState(state);
}

KeyMaker::KeyMaker() : state_(XXH3_createState()) {
  XXH3_128bits_reset(state_.get());
}

KeyMaker::~KeyMaker() = default;

KeyMaker& KeyMaker::add(std::string_view label, std::string_view value) {
  add_text(label);
  add_text(value);
  return *this;
}

void KeyMaker::add_text(std::string_view text) {
  const std::uint64_t size = text.size();
  std::array<unsigned char, 8> prefix{};
  for (std::size_t i = 0; i < prefix.size(); ++i)
    prefix[i] = static_cast<unsigned char>(size >> (8 * i));
  XXH3_128bits_update(state_.get(), prefix.data(), prefix.size());
  XXH3_128bits_update(state_.get(), text.data(), text.size());
}

std::string KeyMaker::key() const {
  return hexadecimal(XXH3_128bits_digest(state_.get()));
}

Result<std::string> file_key(const std::filesystem::path& path) {
  const std::string content = TRY(read_file(path));
  return hexadecimal(XXH3_128bits(content.data(), content.size()));
}

std::uint64_t seed_of(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

} // namespace dragnet
