// Which function stands at an address, in constant time: one entry per sixteen bytes of code.
#pragma once

#include "binary/ranges.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dragnet::binary {

class FunctionIndex {
public:
  /// `ranges` by address; they must outlive the index.
  explicit FunctionIndex(std::span<const Range> ranges);

  static constexpr std::uint32_t none = UINT32_MAX;

  /// The number of the function at an address, or none.
  std::uint32_t at(std::uint64_t address) const {
    const std::uint64_t grain = (address - base_) / grain_size;
    if (grain >= last_.size())
      return none;
    std::uint32_t number = last_[grain];
    while (number != none && ranges_[number].address > address)
      number = number == 0 ? none : number - 1;
    return number != none && address < ranges_[number].end() ? number : none;
  }

private:
  static constexpr std::uint64_t grain_size = 16;
  std::span<const Range> ranges_;
  std::uint64_t base_ = 0;
  std::vector<std::uint32_t> last_; ///< per grain: the last function that begins in it or before it
};

} // namespace dragnet::binary
