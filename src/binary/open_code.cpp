#include "binary/open_code.h"

#include "binary/code_places.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
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
  for (auto file = files_.begin(); file != files_.end();)
    file = file->second.version == version_of(file->first) ? std::next(file) : files_.erase(file);
}

} // namespace dragnet::binary
