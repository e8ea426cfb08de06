#include "check/source_hunks.h"

#include "base/text.h"
#include "model/check.h"

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::check {
namespace {

// "-12,3": where a hunk begins and how many lines it has; one where that is left out.
bool read_range(std::string_view text, char sign, std::size_t& first, std::size_t& count) {
  if (!text.starts_with(sign))
    return false;
  const char* const end = text.data() + text.size();
  const auto begun = std::from_chars(text.data() + 1, end, first);
  count = 1;
  if (begun.ec != std::errc() || begun.ptr == end)
    return begun.ec == std::errc();
  return *begun.ptr == ',' && std::from_chars(begun.ptr + 1, end, count).ec == std::errc();
}

bool read_header(const std::string& line, DiffHunk& hunk) {
  if (!line.starts_with("@@ "))
    return false;
  const auto words = split(line, ' ');
  return words.size() >= 4 && read_range(words[1], '-', hunk.old_first, hunk.old_count) &&
         read_range(words[2], '+', hunk.new_first, hunk.new_count);
}

bool covers(const DiffHunk& hunk, std::size_t line, DiffSide side) {
  const std::size_t first = side == DiffSide::Old ? hunk.old_first : hunk.new_first;
  const std::size_t count = side == DiffSide::Old ? hunk.old_count : hunk.new_count;
  return line >= first && line < first + count;
}

// Hunks begin with lines that did not change, which may be of the function before.
std::size_t middle(const DiffHunk& hunk, DiffSide side) {
  return side == DiffSide::Old ? hunk.old_first + (hunk.old_count / 2)
                               : hunk.new_first + (hunk.new_count / 2);
}

} // namespace

std::vector<DiffHunk> parse_hunks(std::string_view diff) {
  std::vector<DiffHunk> hunks;
  for (const std::string& line : lines(diff)) {
    if (DiffHunk hunk; read_header(line, hunk))
      hunks.push_back(std::move(hunk));
    if (!hunks.empty())
      hunks.back().text += line + "\n";
  }
  return hunks;
}

std::vector<DiffHunk> SourceHunks::diff(const std::string& context, const std::string& file) const {
  const auto text = repository_.git({"diff", "--no-color", "--no-ext-diff", "--find-renames",
                                     context, base_, commit_, "--", ":(top)" + file});
  return text ? parse_hunks(*text) : std::vector<DiffHunk>();
}

const SourceHunks::FileHunks& SourceHunks::of_file(const std::string& file) {
  const auto found = files_.find(file);
  if (found != files_.end())
    return found->second;
  FileHunks hunks;
  if (!file.starts_with('/'))
    hunks = {diff("--function-context", file), diff("--unified=3", file)};
  return files_.emplace(file, std::move(hunks)).first->second;
}

std::string SourceHunks::at(const SourcePlace& place, DiffSide side) {
  const FileHunks& file = of_file(place.file);
  std::string text;
  for (const DiffHunk& function : file.functions) {
    if (!covers(function, place.line, side))
      continue;
    for (const DiffHunk& hunk : file.narrow)
      if (covers(function, middle(hunk, side), side))
        text += hunk.text;
  }
  return text;
}

} // namespace dragnet::check
