#include "binary/function_index.h"
#include "binary/ranges.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace dragnet::binary {
namespace {

// Code that spans more than this is not indexed whole; what lies beyond is not found.
constexpr std::uint64_t widest = std::uint64_t{1} << 32U;

} // namespace

FunctionIndex::FunctionIndex(std::span<const Range> ranges) : ranges_(ranges) {
  if (ranges.empty())
    return;
  base_ = ranges.front().address;
  const std::uint64_t width = std::min(ranges.back().end() - base_, widest);
  last_.assign((width + grain_size - 1) / grain_size, none);
  std::uint64_t grain = 0;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::uint64_t next = i + 1 < ranges.size() ? ranges[i + 1].address : ranges[i].end();
    const std::uint64_t end =
        std::min<std::uint64_t>((next - base_ + grain_size - 1) / grain_size, last_.size());
    for (; grain < end; ++grain)
      last_[grain] = static_cast<std::uint32_t>(i);
    // The next function may begin within the last grain of this one.
    if (i + 1 < ranges.size() && (next - base_) / grain_size < last_.size())
      last_[(next - base_) / grain_size] = static_cast<std::uint32_t>(i + 1);
  }
}

} // namespace dragnet::binary
