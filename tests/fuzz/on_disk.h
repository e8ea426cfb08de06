// Bytes as a file, for readers that map files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace dragnet::fuzz {

class OnDisk {
public:
  OnDisk(const std::uint8_t* bytes, std::size_t size) : number_(::memfd_create("input", 0)) {
    if (number_ < 0 || ::write(number_, bytes, size) != static_cast<ssize_t>(size))
      std::abort();
  }
  ~OnDisk() { ::close(number_); }
  OnDisk(const OnDisk&) = delete;
  OnDisk& operator=(const OnDisk&) = delete;

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(number_); }

private:
  int number_;
};

} // namespace dragnet::fuzz
