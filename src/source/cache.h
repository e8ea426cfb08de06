// Translations that were made before, by the content of all files that they were made from.
#pragma once

#include "base/result.h"
#include "facts/unit_facts.h"
#include "source/translation.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::source {

class Cache {
public:
  /// In a folder, which is made when something is kept.
  explicit Cache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// The facts of a unit whose files have not changed since they were made. For several threads.
  std::optional<facts::UnitFacts> find(const CompileCommand& command);

  Result<> keep(const CompileCommand& command, const Translation& translation);

private:
  using Files = std::vector<std::string>;

  static std::string command_key(const CompileCommand& command);
  std::optional<std::string> content_key(const Files& files);
  std::optional<std::string> key_of_file(const std::string& file);
  std::vector<Files> lists_of(const std::string& command_key) const;

  std::filesystem::path folder_;
  std::mutex lock_;
  std::map<std::string, std::optional<std::string>> file_keys_;
};

} // namespace dragnet::source
