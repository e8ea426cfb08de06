#include "source/cache.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/result.h"
#include "base/text.h"
#include "facts/facts_file.h"
#include "facts/unit_facts.h"
#include "source/translation.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::source {
namespace {

// A unit includes few different sets of files over a history.
constexpr std::size_t most_lists = 16;

} // namespace

std::string Cache::command_key(const CompileCommand& command) {
  KeyMaker key;
  key.add("version", facts::reader_version).add("folder", command.folder.string());
  key.add("file", command.file.string());
  for (const std::string& word : command.words)
    key.add("word", word);
  return key.key();
}

std::optional<std::string> Cache::key_of_file(const std::string& file) {
  {
    const std::scoped_lock lock(lock_);
    if (const auto found = file_keys_.find(file); found != file_keys_.end())
      return found->second;
  }
  auto key = file_key(file);
  auto made = key ? std::optional(*std::move(key)) : std::nullopt;
  const std::scoped_lock lock(lock_);
  return file_keys_.emplace(file, std::move(made)).first->second;
}

std::optional<std::string> Cache::content_key(const Files& files) {
  KeyMaker all;
  for (const std::string& file : files) {
    const auto key = key_of_file(file);
    if (!key)
      return std::nullopt;
    all.add(file, *key);
  }
  return all.key();
}

// One file list a paragraph, the newest first.
std::vector<Cache::Files> Cache::lists_of(const std::string& command_key) const {
  std::vector<Files> lists;
  const auto text = read_file(folder_ / (command_key + ".files"));
  if (!text)
    return lists;
  lists.emplace_back();
  for (const std::string& line : lines(*text))
    if (line.empty())
      lists.emplace_back();
    else
      lists.back().push_back(line);
  return lists;
}

std::optional<facts::UnitFacts> Cache::find(const CompileCommand& command) {
  const std::string name = command_key(command);
  for (const Files& files : lists_of(name)) {
    const auto content = content_key(files);
    if (!content || files.empty())
      continue;
    const auto text = read_file(folder_ / (name + "-" + *content + ".facts"));
    if (!text)
      continue;
    if (auto parsed = facts::parse(*text))
      return *std::move(parsed);
  }
  return std::nullopt;
}

Result<> Cache::keep(const CompileCommand& command, const Translation& translation) {
  const auto content = content_key(translation.files);
  if (!content || translation.files.empty())
    return success();
  TRY(make_folder(folder_));
  const std::string name = command_key(command);
  TRY(write_file(folder_ / (name + "-" + *content + ".facts"), to_text(translation.facts)));
  auto lists = lists_of(name);
  std::erase(lists, translation.files);
  lists.insert(lists.begin(), translation.files);
  lists.resize(std::min(lists.size(), most_lists));
  std::string text;
  for (const Files& files : lists)
    text += (text.empty() ? "" : "\n") + join(files, "\n") + "\n";
  return write_file(folder_ / (name + ".files"), text);
}

} // namespace dragnet::source
