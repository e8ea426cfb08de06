#include "generate.h"

#include <algorithm>
#include <array>

namespace larder {
namespace {

constexpr std::size_t number_size = 8;
constexpr std::string_view path = "pantry/shelf/left/upper/preserves/jar/";
constexpr std::array<std::string_view, 32> words = {
    "apple",  "barley", "butter", "cabbage", "carrot", "cheese",  "cherry",  "cinnamon",
    "clove",  "flour",  "garlic", "ginger",  "honey",  "jam",     "lentils", "mustard",
    "nutmeg", "oats",   "onion",  "paprika", "pepper", "plum",    "raisins", "rice",
    "rye",    "salt",   "sugar",  "tea",     "thyme",  "treacle", "vinegar", "yeast"};

} // namespace

std::uint64_t Numbers::next() {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return state_;
}

KeyMaker::KeyMaker(std::size_t size) {
  while (key_.size() + number_size < size)
    key_.append(path.substr(0, size - number_size - key_.size()));
  key_.append(number_size, '0');
}

std::string_view KeyMaker::key(std::uint32_t number) {
  // An odd factor is a permutation: neighbours are far apart, and no key comes twice.
  number *= 2654435761u;
  char* at = key_.data() + key_.size();
  for (std::size_t digit = 0; digit < number_size; ++digit, number >>= 4)
    *--at = "0123456789abcdef"[number & 15];
  return key_;
}

std::string make_text(std::size_t size) {
  std::string text;
  Numbers numbers(7);
  while (text.size() < size) {
    text.append(make_word(numbers.next()));
    text.push_back(' ');
  }
  return text;
}

std::string_view make_word(std::uint64_t number) { return words[(number >> 20) % words.size()]; }

} // namespace larder
