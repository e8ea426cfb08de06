#include "project/scan.h"

#include "base/files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::project {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_files = 5000;
constexpr std::size_t deepest_folder = 8;
constexpr std::size_t largest_file = std::size_t{256} << 10U;
constexpr std::string_view separators = " \t\r\n,;";

bool is_skipped(const std::string& folder) {
  constexpr std::array<std::string_view, 10> skipped{
      "third_party", "third-party", "thirdparty", "node_modules", "vendor",
      "external",    "subprojects", "deps",       "_deps",        "CMakeFiles"};
  return folder.starts_with('.') || folder.starts_with("build") ||
         folder.starts_with("cmake-build") || std::ranges::find(skipped, folder) != skipped.end();
}

std::vector<fs::directory_entry> sorted_entries(const fs::path& folder) {
  std::error_code problem;
  std::vector<fs::directory_entry> entries;
  for (auto at = fs::directory_iterator(folder, problem);
       !problem && at != fs::directory_iterator(); at.increment(problem))
    entries.push_back(*at);
  std::ranges::sort(entries, {},
                    [](const fs::directory_entry& entry) { return entry.path().native(); });
  return entries;
}

// Files before folders, so that what lies near the root is seen when the number runs out.
void collect(const fs::path& folder, std::size_t depth, std::vector<fs::path>& files) {
  std::vector<fs::path> folders;
  for (const auto& entry : sorted_entries(folder)) {
    std::error_code problem;
    const auto status = entry.symlink_status(problem);
    if (fs::is_regular_file(status) && files.size() < most_files)
      files.push_back(entry.path());
    else if (fs::is_directory(status) && !is_skipped(entry.path().filename().string()))
      folders.push_back(entry.path());
  }
  for (const auto& next : folders)
    if (depth < deepest_folder && files.size() < most_files)
      collect(next, depth + 1, files);
}

bool is_name_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The position after a comment or after a space; the same position when there is neither.
std::size_t after_blank(std::string_view text, std::size_t at) {
  if (text[at] == '#')
    return std::min(text.find('\n', at), text.size());
  return separators.contains(text[at]) ? at + 1 : at;
}

// The text between two quotes. An apostrophe without a partner on its line stands for itself: CMake
// does not quote by it.
std::string quoted_word(std::string_view text, std::size_t& at) {
  const char quote = text[at];
  std::size_t end = at + 1;
  while (end < text.size() && text[end] != quote && (quote == '"' || text[end] != '\n'))
    end += text[end] == '\\' ? 2 : 1;
  end = std::min(end, text.size());
  if (quote == '\'' && (end == text.size() || text[end] == '\n')) {
    ++at;
    return "'";
  }
  std::string word(text.substr(at + 1, end - at - 1));
  at = std::min(end + 1, text.size());
  return word;
}

// The words from an opening parenthesis to the closing one, those of inner parentheses included.
std::vector<std::string> words_in_call(std::string_view text, std::size_t& at) {
  std::vector<std::string> words;
  int depth = 1;
  while (at < text.size() && depth > 0) {
    if (const std::size_t next = after_blank(text, at); next != at) {
      at = next;
    } else if (text[at] == '(' || text[at] == ')') {
      depth += text[at++] == '(' ? 1 : -1;
    } else if (text[at] == '"' || text[at] == '\'') {
      words.push_back(quoted_word(text, at));
    } else {
      const std::size_t end = std::min(text.find_first_of(" \t\r\n,;()\"'#", at), text.size());
      words.emplace_back(text.substr(at, end - at));
      at = end;
    }
  }
  return words;
}

std::string lower(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return made;
}

} // namespace

std::vector<fs::path> files_to_scan(const fs::path& root) {
  std::vector<fs::path> files;
  collect(root, 0, files);
  return files;
}

std::string BoundedReader::read(const fs::path& path) {
  std::error_code problem;
  const auto size = fs::file_size(path, problem);
  if (problem || size > largest_file || size > budget_)
    return {};
  budget_ -= static_cast<std::size_t>(size);
  auto text = read_file(path);
  return text ? *std::move(text) : std::string();
}

std::vector<Call> calls_in(std::string_view text) {
  std::vector<Call> calls;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t next = after_blank(text, at); next != at) {
      at = next;
    } else if (is_name_letter(text[at])) {
      const std::size_t start = at;
      while (at < text.size() && is_name_letter(text[at]))
        ++at;
      const std::string name = lower(text.substr(start, at - start));
      while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
        ++at;
      if (at < text.size() && text[at] == '(')
        calls.push_back({name, words_in_call(text, ++at)});
    } else if (text[at] == '"' || text[at] == '\'') {
      quoted_word(text, at);
    } else {
      ++at;
    }
  }
  return calls;
}

} // namespace dragnet::project
