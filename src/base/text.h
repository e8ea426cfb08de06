// Text in general: splitting, joining, and finding the word that was probably meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet {

/// The parts between separators, empty ones included; one empty part for an empty text.
std::vector<std::string> split(std::string_view text, char separator);

/// The lines without their ends; a missing newline at the end makes no difference.
std::vector<std::string> lines(std::string_view text);

/// The text without white space at both ends.
std::string_view trim(std::string_view text);

/// The parts with a separator between each two.
std::string join(std::span<const std::string> parts, std::string_view separator);

/// The text with each occurrence of `from` replaced.
std::string replace_all(std::string text, std::string_view from, std::string_view to);

/// How many letters must be inserted, deleted, changed or swapped with their neighbour to get from
/// one word to the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word that was probably meant, or an empty text when none is near.
std::string nearest(std::string_view word, std::span<const std::string> known);

/// "did you mean 'x'?" for the nearest known word, or "known are: ..." when none is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

/// The text in single quotes so that sh takes it as one word.
std::string shell_quoted(std::string_view text);

} // namespace dragnet
