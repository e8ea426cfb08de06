// Text from foreign files, made fit to be a name or to stand in a message.
#pragma once

#include <string>
#include <string_view>

namespace dragnet::formats {

/// The text with blanks in place of control characters, and without white space at its ends.
std::string clean_name(std::string_view text);

/// A text as it stands in messages: clean, and cut when it is long.
std::string shown(std::string_view text);

/// Whether a letter is a control character.
bool is_control(char letter);

} // namespace dragnet::formats
