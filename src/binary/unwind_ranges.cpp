// .eh_frame is a sequence of entries, each with its length in front: common ones (CIE), whose
// augmentation string says how addresses are written, and one per function (FDE) that names its
// CIE, the first address and the number of bytes (Linux Standard Base 5.0, 10.6.1).

#include "binary/unwind_ranges.h"
#include "binary/elf_file.h"
#include "binary/ranges.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace dragnet::binary {
namespace {

// Reads numbers one after the other; what lies beyond the end makes it fail for good.
class Cursor {
public:
  Cursor(std::span<const std::byte> content, std::size_t at) : content_(content), at_(at) {}

  template <class Number>
  Number read() {
    Number number{};
    if (at_ > content_.size() || content_.size() - at_ < sizeof number) {
      failed_ = true;
      return 0;
    }
    std::memcpy(&number, &content_[at_], sizeof number);
    at_ += sizeof number;
    return number;
  }

  // A number in seven bits a byte.
  void skip_leb128() {
    while ((read<std::uint8_t>() & 0x80U) != 0 && !failed_) {
    }
  }

  std::string_view text() {
    const std::size_t begin = at_;
    while (!failed_ && read<std::uint8_t>() != 0) {
    }
    return failed_
               ? std::string_view{}
               : std::string_view(reinterpret_cast<const char*>(&content_[begin]), at_ - begin - 1);
  }

  bool failed() const { return failed_; }
  std::size_t at() const { return at_; }

private:
  std::span<const std::byte> content_;
  std::size_t at_;
  bool failed_ = false;
};

// A number as an encoding byte says; its upper half, what it is relative to, is for the caller.
std::optional<std::int64_t> encoded(Cursor& cursor, std::uint8_t encoding) {
  switch (encoding & 0x0fU) {
  case 0x00:
  case 0x04:
  case 0x0c:
    return cursor.read<std::int64_t>();
  case 0x02:
    return cursor.read<std::uint16_t>();
  case 0x03:
    return cursor.read<std::uint32_t>();
  case 0x0a:
    return cursor.read<std::int16_t>();
  case 0x0b:
    return cursor.read<std::int32_t>();
  default:
    return std::nullopt;
  }
}

// How the CIE at an offset writes addresses.
std::optional<std::uint8_t> address_encoding(std::span<const std::byte> frames, std::size_t at) {
  Cursor cursor(frames, at);
  cursor.read<std::uint32_t>(); // its length
  const bool common = cursor.read<std::uint32_t>() == 0;
  const auto version = cursor.read<std::uint8_t>();
  const std::string_view augmentation = cursor.text();
  if (!common || cursor.failed())
    return std::nullopt;
  cursor.skip_leb128(); // code alignment
  cursor.skip_leb128(); // data alignment
  if (version == 1)
    cursor.read<std::uint8_t>(); // return address register
  else
    cursor.skip_leb128();
  std::uint8_t result = 0;
  for (const char letter : augmentation) {
    if (letter == 'z')
      cursor.skip_leb128();
    else if (letter == 'L')
      cursor.read<std::uint8_t>();
    else if (letter == 'R')
      result = cursor.read<std::uint8_t>();
    else if (letter == 'P')
      encoded(cursor, cursor.read<std::uint8_t>());
  }
  return cursor.failed() ? std::nullopt : std::optional(result);
}

std::optional<Range> described(const Section& frames, std::size_t entry, std::size_t cie) {
  const auto encoding = address_encoding(frames.content, cie);
  if (!encoding)
    return std::nullopt;
  Cursor cursor(frames.content, entry + 8);
  const std::uint64_t here = frames.address + cursor.at();
  const auto begin = encoded(cursor, *encoding);
  const auto size = encoded(cursor, *encoding & 0x0fU);
  if (!begin || !size || cursor.failed())
    return std::nullopt;
  const bool relative = (*encoding & 0x70U) == 0x10;
  return Range{.address = static_cast<std::uint64_t>(*begin) + (relative ? here : 0),
               .size = static_cast<std::uint64_t>(*size),
               .name = {},
               .file = {}};
}

} // namespace

std::vector<Range> unwind_ranges(const ElfFile& file) {
  std::vector<Range> ranges;
  const Section* frames = file.section_named(".eh_frame");
  if (frames == nullptr)
    return ranges;
  for (std::size_t entry = 0; entry + 8 <= frames->content.size();) {
    Cursor cursor(frames->content, entry);
    const auto length = cursor.read<std::uint32_t>();
    const auto back = cursor.read<std::uint32_t>();
    if (length < 4 || length >= 0xfffffff0)
      break;
    if (back != 0 && back <= entry + 4)
      if (const auto range = described(*frames, entry, entry + 4 - back))
        ranges.push_back(*range);
    entry += 4 + std::size_t{length};
  }
  return ranges;
}

} // namespace dragnet::binary
