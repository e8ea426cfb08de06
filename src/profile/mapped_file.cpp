#include "profile/mapped_file.h"

#include "base/files.h"
#include "base/result.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <utility>

namespace dragnet::profile {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status{};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0)
    return file_error("read", path, errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0)
    return MappedFile(nullptr, 0);
  void* at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (at == MAP_FAILED)
    return file_error("read", path, errno);
  return MappedFile(at, size);
}

MappedFile::~MappedFile() {
  if (at_ != nullptr)
    ::munmap(at_, size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : at_(std::exchange(other.at_, nullptr)), size_(other.size_) {}

bool MappedFile::is_unused() const {
  const auto start = bytes().first(std::min(size_, sizeof(std::uint64_t)));
  return std::ranges::all_of(start, [](std::byte b) { return b == std::byte{0}; });
}

} // namespace dragnet::profile
