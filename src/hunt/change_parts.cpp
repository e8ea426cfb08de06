#include "hunt/change_parts.h"

#include "base/result.h"
#include "base/text.h"
#include "history/repository.h"
#include "model/commit.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::hunt {
namespace {

// "-12,3": one line where the count is left out.
bool read_range(std::string_view word, std::size_t& first, std::size_t& count) {
  const char* const end = word.data() + word.size();
  const auto begun = std::from_chars(word.data() + 1, end, first);
  count = 1;
  if (begun.ec != std::errc() || begun.ptr == end)
    return begun.ec == std::errc();
  return *begun.ptr == ',' && std::from_chars(begun.ptr + 1, end, count).ec == std::errc();
}

bool read_header(std::string_view line, ChangePart& part) {
  const auto words = split(line, ' ');
  return words.size() >= 4 && words[1].starts_with('-') && words[2].starts_with('+') &&
         read_range(words[1], part.old_first, part.old_count) &&
         read_range(words[2], part.new_first, part.new_count);
}

// Lines with their ends, which may be of any kind.
std::vector<std::string_view> whole_lines(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    found.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return found;
}

std::string name_in(std::string_view header) {
  for (const std::string_view mark : {"+++ b/", "--- a/"})
    for (const auto line : whole_lines(header))
      if (line.starts_with(mark))
        return std::string(trim(line.substr(mark.size())));
  return std::string(trim(whole_lines(header).front()));
}

bool appears_or_goes(std::string_view header) {
  return header.contains("\nnew file mode ") || header.contains("\ndeleted file mode ");
}

// One file of a diff: what comes before its hunks, and those.
struct FileDiff {
  std::string header;
  std::vector<ChangePart> hunks;
};

FileDiff file_diff(std::string_view text) {
  FileDiff file;
  for (const auto line : whole_lines(text)) {
    ChangePart part;
    if (line.starts_with("@@ ") && read_header(line, part))
      file.hunks.push_back(std::move(part));
    else
      (file.hunks.empty() ? file.header : file.hunks.back().text) += line;
  }
  return file;
}

// Where lines lie in the new file depends on the parts before them that are put in.
std::string hunk(const ChangePart& part, long& shift) {
  const long begin = static_cast<long>(part.old_first) + (part.old_count == 0 ? 1 : 0) + shift;
  shift += static_cast<long>(part.new_count) - static_cast<long>(part.old_count);
  return fmt::format("@@ -{},{} +{},{} @@\n{}", part.old_first, part.old_count,
                     begin - (part.new_count == 0 ? 1 : 0), part.new_count, part.text);
}

} // namespace

Result<ChangeParts> ChangeParts::between(const history::Repository& repository,
                                         const Commit& old_commit, const Commit& new_commit) {
  const auto diff = TRY(repository.git(
      {"-c", "core.quotePath=false", "diff", "--no-color", "--no-ext-diff", "--no-textconv",
       "--no-renames", "--full-index", "--binary", "--unified=0", "--src-prefix=a/",
       "--dst-prefix=b/", old_commit.id.text, new_commit.id.text, "--"}));
  return parsed(diff);
}

ChangeParts ChangeParts::parsed(std::string_view diff) {
  constexpr std::string_view mark = "diff --git ";
  ChangeParts made;
  while (diff.starts_with(mark)) {
    const std::size_t next = diff.find("\ndiff --git ");
    const std::string_view text = diff.substr(0, next == std::string_view::npos ? next : next + 1);
    diff.remove_prefix(text.size());
    auto file = file_diff(text);
    const std::string name = name_in(file.header);
    const std::size_t number = made.headers_.size();
    if (file.hunks.empty() || appears_or_goes(file.header)) {
      made.parts_.push_back({.file = number, .name = name, .text = std::string(text)});
      file.header.clear();
    } else
      for (auto& part : file.hunks) {
        part.file = number;
        part.name = name;
        made.parts_.push_back(std::move(part));
      }
    made.headers_.push_back(std::move(file.header));
  }
  return made;
}

std::string ChangeParts::patch(const std::vector<std::size_t>& numbers) const {
  std::string text;
  std::size_t file = headers_.size();
  long shift = 0;
  for (const std::size_t number : numbers) {
    const ChangePart& part = parts_[number];
    if (part.file != file) {
      text += headers_[part.file];
      file = part.file;
      shift = 0;
    }
    text += part.new_first == 0 && part.new_count == 0 && part.old_count == 0 ? part.text
                                                                              : hunk(part, shift);
  }
  return text;
}

} // namespace dragnet::hunt
