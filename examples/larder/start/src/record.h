// A record, and the image: all records one after another, in memory as in the data file.
//
// A record is
//   1 byte   flags: 1 erased, 2 compressed, 4 checksum present
//   3 bytes  length of the key, low byte first
//   4 bytes  length of the value as stored
//   4 bytes  CRC-32 of the key xor that of the stored value; only with flag 4
//   the key, the value
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace larder {

using Offset = std::uint64_t;

struct Record {
  bool erased = false;
  bool compressed = false;
  std::optional<std::uint32_t> sum;
  std::string_view key;
  std::string_view value;
};

class Image {
public:
  /// Adds a record and says where it starts.
  Offset append(const Record& record);

  /// Replaces the image by the bytes of a data file, as far as they are whole records. Returns how
  /// many bytes at the end were not.
  std::size_t assign(std::string bytes);

  Record at(Offset offset) const;
  std::string_view key_at(Offset offset) const;
  /// Where the record after this one starts.
  Offset next(Offset offset) const;
  Offset end() const { return bytes_.size(); }
  std::string_view bytes_from(Offset offset) const {
    return std::string_view(bytes_).substr(offset);
  }

private:
  std::string bytes_;
};

} // namespace larder
