// Turns a command of a compiler into one that puts hooks into the functions that it compiles, so
// that a program can be traced although its build files know nothing of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::compiler {

enum class Maker : std::uint8_t {
  Clang, ///< can put hooks in after inlining: fewer calls, and the code is nearly that of users
  Gcc    ///< puts them in before
};

/// Whose compiler it is, by the name that it was called by and the file that this leads to.
Maker maker_of(std::string_view name, std::string_view file);

/// The command, a compiler and its arguments, with hooks wanted. What was asked to be left out of
/// hooks by the user stays so.
std::vector<std::string> instrumented(std::vector<std::string> words, Maker maker);

/// The folders of a search path, ':' between them, without those to leave out.
std::string without_folders(std::string_view path, const std::vector<std::string>& left_out);

/// The folders of a search path.
std::vector<std::string> folders_of(std::string_view path);

} // namespace dragnet::compiler
