#include "formats/clean.h"

#include "base/text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace dragnet::formats {

bool is_control(char letter) {
  return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F;
}

std::string clean_name(std::string_view text) {
  std::string made(text);
  std::ranges::replace_if(made, is_control, ' ');
  return std::string(trim(made));
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string made = clean_name(text.substr(0, longest));
  if (text.size() <= longest)
    return made;
  // A letter of several bytes must not be cut in two.
  while (!made.empty() && (static_cast<unsigned char>(made.back()) & 0x80U) != 0)
    made.pop_back();
  return made + "...";
}

} // namespace dragnet::formats
