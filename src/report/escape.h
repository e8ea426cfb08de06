// Foreign text - names, subjects, what programs print - made safe for where it goes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dragnet::report {

/// The text with bytes that are not UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// On one line and without a way to steer a terminal: characters for control and for the direction
/// of writing become blanks; bytes that are not UTF-8 are replaced.
std::string plain(std::string_view text);

/// The same of a line of source: what stands in front stays, a tab as four blanks; shortened.
std::string plain_source(std::string_view line);

/// The first so many bytes at most, three dots included when something was cut; characters stay
/// whole. The text must be UTF-8.
std::string shortened(std::string text, std::size_t most);

/// The last lines of a log, each plain and of at most 200 bytes.
std::string end_of_log(std::string_view log, std::size_t most_lines);

/// A plain text that Markdown shows as it is: nothing is markup, HTML, a link, or a mention that
/// would send somebody a message. It may stand in a table.
std::string in_markdown(std::string_view text);

/// The same as an item of a list, with its newline.
std::string item_in_markdown(std::string_view text);

/// The same as code, for names.
std::string code_in_markdown(std::string_view text);

/// For text and attributes of XML: characters that XML forbids are left out.
std::string in_xml(std::string_view text);

/// A path as a relative reference of a URI.
std::string path_in_uri(std::string_view path);

} // namespace dragnet::report
