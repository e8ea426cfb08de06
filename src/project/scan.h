// The files of a repository that a scan may look at, and the calls in build files: what `survey`
// reads with.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::project {

/// The files below a folder in a fixed order, without hidden folders, build folders and the code of
/// others, and at most some thousands of them.
std::vector<std::filesystem::path> files_to_scan(const std::filesystem::path& root);

/// Reads files until a budget of bytes is used up; then, and for a file that is too large or
/// unreadable, gives nothing.
class BoundedReader {
public:
  std::string read(const std::filesystem::path& path);

private:
  std::size_t budget_ = std::size_t{16} << 20U;
};

/// A call of a function in a build file, and its words without quotes.
struct Call {
  std::string function; ///< in lower case
  std::vector<std::string> words;
};

/// The calls NAME(words...) in a text of CMake or Meson; comments from '#' to the end of the line
/// are skipped.
std::vector<Call> calls_in(std::string_view text);

} // namespace dragnet::project
