// CRC-32 of a record, so that a damaged data file is noticed when it is read.
#pragma once

#include <cstdint>
#include <string_view>

namespace larder {

/// The CRC-32 (polynomial 0xEDB88320, reflected) of the bytes.
std::uint32_t checksum(std::string_view bytes);

} // namespace larder
