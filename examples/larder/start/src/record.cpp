#include "record.h"

#include <cstring>
#include <utility>

namespace larder {
namespace {

constexpr std::size_t head_size = 8;
constexpr unsigned char erased_flag = 1;
constexpr unsigned char compressed_flag = 2;
constexpr unsigned char sum_flag = 4;

struct Head {
  unsigned char flags;
  std::size_t key_size;
  std::size_t value_size;

  std::size_t key_start() const { return head_size + ((flags & sum_flag) ? 4 : 0); }
  std::size_t size() const { return key_start() + key_size + value_size; }
};

std::uint32_t read_number(const char* at) {
  std::uint32_t number;
  std::memcpy(&number, at, sizeof number);
  return number;
}

char* write_number(char* at, std::uint32_t number) {
  std::memcpy(at, &number, sizeof number);
  return at + sizeof number;
}

Head read_head(const char* at) {
  const std::uint32_t first = read_number(at);
  return {static_cast<unsigned char>(first & 0xFF), first >> 8, read_number(at + 4)};
}

unsigned char flags_of(const Record& record) {
  return (record.erased ? erased_flag : 0) | (record.compressed ? compressed_flag : 0) |
         (record.sum ? sum_flag : 0);
}

} // namespace

Offset Image::append(const Record& record) {
  const Offset offset = bytes_.size();
  const std::uint32_t first = flags_of(record) | static_cast<std::uint32_t>(record.key.size() << 8);
  char head[head_size + 4];
  char* end = write_number(head, first);
  end = write_number(end, static_cast<std::uint32_t>(record.value.size()));
  if (record.sum)
    end = write_number(end, *record.sum);
  bytes_.append(head, end);
  bytes_.append(record.key);
  bytes_.append(record.value);
  return offset;
}

std::size_t Image::assign(std::string bytes) {
  std::size_t whole = 0;
  while (whole + head_size <= bytes.size()) {
    const std::size_t size = read_head(bytes.data() + whole).size();
    if (size > bytes.size() - whole)
      break;
    whole += size;
  }
  const std::size_t rest = bytes.size() - whole;
  bytes.resize(whole);
  bytes_ = std::move(bytes);
  return rest;
}

Record Image::at(Offset offset) const {
  const char* start = bytes_.data() + offset;
  const Head head = read_head(start);
  Record record;
  record.erased = head.flags & erased_flag;
  record.compressed = head.flags & compressed_flag;
  if (head.flags & sum_flag)
    record.sum = read_number(start + head_size);
  record.key = {start + head.key_start(), head.key_size};
  record.value = {start + head.key_start() + head.key_size, head.value_size};
  return record;
}

std::string_view Image::key_at(Offset offset) const {
  const char* start = bytes_.data() + offset;
  const Head head = read_head(start);
  return {start + head.key_start(), head.key_size};
}

Offset Image::next(Offset offset) const {
  return offset + read_head(bytes_.data() + offset).size();
}

} // namespace larder
