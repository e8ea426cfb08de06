// The machine that results were measured on: results of different machines are never mixed.
#pragma once

#include <cstdint>
#include <string>

namespace dragnet {

struct Machine {
  std::string key; ///< names the rest, less its free memory and load
  std::string host_name;
  std::string processor; ///< model name
  int cores = 0;
  std::uint64_t memory_bytes = 0;
  std::string kernel; ///< release
};

} // namespace dragnet
