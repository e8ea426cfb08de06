#include "hunt/journal.h"

#include "analysis/provoke/chromosome.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/result.h"
#include "base/text.h"

#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace dragnet::hunt {
namespace {

using provoke::Chromosome;
using provoke::Evaluation;

std::string key_of(const Chromosome& chromosome) {
  std::string text;
  for (const auto gene : chromosome)
    text += fmt::format("{} ", gene);
  return KeyMaker().add("chromosome", text).key();
}

template <class Number>
bool read(std::string_view text, Number& value) {
  const auto ended = std::from_chars(text.data(), text.data() + text.size(), value);
  return ended.ec == std::errc() && ended.ptr == text.data() + text.size();
}

std::optional<std::pair<std::string, Evaluation>> read_line(const std::string& line) {
  const auto words = split(line, ' ');
  Evaluation evaluation;
  unsigned ending = 0;
  unsigned version = 0;
  // The full stop at the end shows that the line is whole.
  if (words.size() != 6 || words[5] != "." || !read(words[1], ending) || !read(words[2], version) ||
      !read(words[3], evaluation.fitness) || !read(words[4], evaluation.base) ||
      ending > static_cast<unsigned>(provoke::Ending::Hung) ||
      version > static_cast<unsigned>(provoke::Version::Both))
    return std::nullopt;
  evaluation.ending = static_cast<provoke::Ending>(ending);
  evaluation.version = static_cast<provoke::Version>(version);
  return std::pair(words[0], evaluation);
}

} // namespace

Result<Journal> Journal::open(std::filesystem::path file) {
  Journal journal(std::move(file));
  std::error_code problem;
  if (!std::filesystem::exists(journal.file_, problem))
    return journal;
  const auto text = TRY(read_file(journal.file_));
  for (const auto& line : lines(text))
    if (const auto known = read_line(line))
      journal.kept_[known->first].evaluations.push_back(known->second);
  return journal;
}

std::optional<Evaluation> Journal::take(const Chromosome& chromosome) {
  const auto found = kept_.find(key_of(chromosome));
  if (found == kept_.end() || found->second.asked == found->second.evaluations.size())
    return std::nullopt;
  ++taken_;
  return found->second.evaluations[found->second.asked++];
}

Result<> Journal::add(const Chromosome& chromosome, const Evaluation& evaluation) {
  const std::string key = key_of(chromosome);
  // In front, so that what a killed process left of a line does not spoil this one.
  const std::string line =
      fmt::format("\n{} {} {} {} {} .\n", key, static_cast<unsigned>(evaluation.ending),
                  static_cast<unsigned>(evaluation.version), evaluation.fitness, evaluation.base);
  const FileDescriptor file(::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!file.is_open() ||
      ::write(file.number(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    return file_error("write", file_, errno);
  Kept& kept = kept_[key];
  kept.evaluations.push_back(evaluation);
  kept.asked = kept.evaluations.size();
  return success();
}

} // namespace dragnet::hunt
