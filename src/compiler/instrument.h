// Turns a command of a compiler into one that compiles for us, although the build files know
// nothing of it: with hooks in functions, so that a program can be traced, or with code aligned
// otherwise, to see what its placement does.
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

/// The command with functions, loops and jumps aligned to lines of the cache: whatever was compiled
/// before them, they lie there as they did.
std::vector<std::string> aligned(std::vector<std::string> words, Maker maker);

/// The folders of a search path, ':' between them, without those to leave out.
std::string without_folders(std::string_view path, const std::vector<std::string>& left_out);

/// The folders of a search path.
std::vector<std::string> folders_of(std::string_view path);

} // namespace dragnet::compiler
