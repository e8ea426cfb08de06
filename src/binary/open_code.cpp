#include "binary/open_code.h"

#include "binary/code_places.h"

#include <cstddef>
#include <cstdint>
#include <map> // std::erase_if
#include <string>
#include <sys/stat.h>

namespace dragnet::binary {
namespace {

// Builds of many commits come and go; what is used again is read again.
constexpr std::size_t most_open = 64;

} // namespace

OpenCode::Version OpenCode::version_of(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0)
    return {};
  return {static_cast<std::uint64_t>(found.st_ino), static_cast<std::uint64_t>(found.st_size),
          found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

CodePlaces& OpenCode::in(const std::string& path) {
  const auto known = files_.find(path);
  if (known != files_.end())
    return known->second.places;
  return files_.emplace(path, Entry{version_of(path), CodePlaces(path)}).first->second.places;
}

void OpenCode::renew() {
  if (files_.size() > most_open)
    files_.clear();
  std::erase_if(files_,
                [](const auto& file) { return file.second.version != version_of(file.first); });
}

} // namespace dragnet::binary
