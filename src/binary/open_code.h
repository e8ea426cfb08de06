// Programs and libraries whose code is asked about again and again: each is read once, as long as
// it stays the same.
#pragma once

#include "binary/code_places.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace dragnet::binary {

class OpenCode {
public:
  /// What stands where in a file. Good until `renew`.
  CodePlaces& in(const std::string& path);

  /// Forgets what has changed, and everything where that has become much.
  void renew();

private:
  using Version = std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::int64_t>;
  struct Entry {
    Version version;
    CodePlaces places;
  };
  static Version version_of(const std::string& path);

  std::map<std::string, Entry> files_;
};

} // namespace dragnet::binary
