// What the indexes need to know about keys: a hash and an order.
#pragma once

#include <cstdint>
#include <string_view>

namespace larder {

/// A hash for the table in memory; it may change between versions and is never stored.
std::uint64_t hash_key(std::string_view key);

/// Negative, zero or positive as `left` comes before, is, or comes after `right` (bytes, unsigned).
int compare_keys(std::string_view left, std::string_view right);

} // namespace larder
