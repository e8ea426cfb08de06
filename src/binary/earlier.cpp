#include "binary/earlier.h"
#include "binary/decoded.h"
#include "binary/function_index.h"
#include "binary/instruction.h"
#include "binary/ranges.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace dragnet::binary {
namespace {

constexpr std::size_t field_size = 4;

std::uint64_t distance_at(std::span<const std::byte> code, std::size_t at) {
  std::int32_t distance = 0;
  std::memcpy(&distance, &code[at], field_size);
  return static_cast<std::uint64_t>(std::int64_t{distance});
}

bool same_bytes(std::span<const std::byte> a, std::span<const std::byte> b, std::size_t begin,
                std::size_t end) {
  return std::memcmp(a.data() + begin, b.data() + begin, end - begin) == 0;
}

} // namespace

std::optional<std::size_t> Earlier::same_as(std::uint32_t number, std::vector<Mention>& mentions) {
  const auto namesake = namesake_of(number);
  if (!namesake)
    return std::nullopt;
  expected_ = *namesake + 1;
  const std::size_t mentions_before = mentions.size();
  if (fits(*namesake, number, mentions))
    return namesake;
  mentions.resize(mentions_before);
  return std::nullopt;
}

// Near where it is expected: builds that have something in common have it in the same order. A
// wrong guess costs time and nothing else.
std::optional<std::size_t> Earlier::namesake_of(std::uint32_t number) {
  constexpr std::size_t farthest = 64;
  const std::uint64_t hash = now_.name_hashes[number];
  const auto hashes = earlier_.name_hashes;
  const auto is_namesake = [&](std::size_t old_number) {
    return old_number < hashes.size() && hashes[old_number] == hash &&
           earlier_.ranges[old_number].size == now_.ranges[number].size;
  };
  for (std::size_t distance = 0; distance < farthest; ++distance) {
    if (is_namesake(expected_ + distance))
      return expected_ + distance;
    if (is_namesake(expected_ - distance))
      return expected_ - distance;
  }
  return std::nullopt;
}

std::span<const Hole> Earlier::holes_of(std::size_t old_number) const {
  const auto& functions = decoded_.functions;
  const std::size_t first = functions[old_number].first_hole;
  const std::size_t end = old_number + 1 < functions.size() ? functions[old_number + 1].first_hole
                                                            : decoded_.holes.size();
  return std::span(decoded_.holes).subspan(first, end - first);
}

bool Earlier::fits(std::size_t old_number, std::uint32_t number,
                   std::vector<Mention>& mentions) const {
  const Range& range = now_.ranges[number];
  const auto before = earlier_.bytes_of(earlier_.ranges[old_number]);
  const auto now = now_.bytes_of(range);
  std::size_t at = 0;
  for (const Hole& hole : holes_of(old_number)) {
    if (hole.how == Refers::Nothing || !same_bytes(before, now, at, hole.at))
      return false;
    at = hole.at + field_size;
    const std::uint64_t target = range.address + hole.at + hole.rest + distance_at(now, hole.at);
    if (!leads_to_the_same(hole, range, target))
      return false;
    if (hole.mentioned)
      mentions.push_back({.function = number,
                          .order = hole.number,
                          .reference = {.how = hole.how,
                                        .width = hole.width,
                                        .certain = true,
                                        .field = 0,
                                        .size = 0,
                                        .target = target},
                          .was_number = false});
  }
  return same_bytes(before, now, at, now.size());
}

// As far as decoding looks; what a mention means is found out later.
bool Earlier::leads_to_the_same(const Hole& hole, const Range& range, std::uint64_t target) const {
  if (hole.how != Refers::Jump && hole.how != Refers::Call)
    return true;
  if (target - range.address < range.size)
    return false;
  const std::uint32_t callee = now_.named_at(target);
  if (callee == FunctionIndex::none || hole.mentioned)
    return callee == FunctionIndex::none && hole.mentioned;
  return now_.name_hashes[callee] == earlier_.name_hashes[hole.number];
}

} // namespace dragnet::binary
