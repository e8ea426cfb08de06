// An earlier build of a program, whose decoded functions serve for those of the present one that
// have the same bytes.
#pragma once

#include "binary/decoded.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dragnet::binary {

class Earlier {
public:
  Earlier(const Code& earlier, const Decoded& decoded, const Code& now)
      : earlier_(earlier), decoded_(decoded), now_(now) {}

  /// The earlier function whose instructions, and what they do at once, are those of this one; what
  /// it mentions is added to `mentions`. Fast for one function after the other.
  std::optional<std::size_t> same_as(std::uint32_t number, std::vector<Mention>& mentions);

  const Decoded& decoded() const { return decoded_; }

private:
  std::optional<std::size_t> namesake_of(std::uint32_t number);
  bool fits(std::size_t old_number, std::uint32_t number, std::vector<Mention>& mentions) const;
  bool leads_to_the_same(const Hole& hole, const Range& range, std::uint64_t target) const;
  std::span<const Hole> holes_of(std::size_t old_number) const;

  const Code& earlier_;
  const Decoded& decoded_;
  const Code& now_;
  std::size_t expected_ = 0; ///< the next one if functions come in their old order
};

} // namespace dragnet::binary
