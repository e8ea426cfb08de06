#include "base/files.h"

#include "base/interrupt.h"
#include "base/result.h"

#include <cstddef>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <optional>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace dragnet {
namespace fs = std::filesystem;

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    close();
    number_ = other.release();
  }
  return *this;
}

int FileDescriptor::release() {
  return std::exchange(number_, -1);
}

void FileDescriptor::close() {
  if (number_ >= 0)
    ::close(release());
}

Error file_error(std::string_view doing, const fs::path& path, int error_number) {
  Error error{fmt::format("cannot {} {}: {}", doing, path.string(),
                          std::generic_category().message(error_number)),
              {}};
  if (error_number == ENOSPC || error_number == EDQUOT)
    error.hint = "free some space on that disk, then give the same command again: nothing that was "
                 "measured is lost";
  if (doing != "read" && (error_number == EROFS || error_number == EACCES || error_number == EPERM))
    error.hint = fmt::format("make {} writable for you, or work in a copy that is",
                             path.parent_path().string());
  return error;
}

Result<std::string> read_file(const fs::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open())
    return file_error("read", path, errno);
  std::string content;
  struct stat status{};
  if (::fstat(file.number(), &status) == 0 && status.st_size > 0)
    content.reserve(static_cast<std::size_t>(status.st_size));
  std::array<char, 65536> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by read
  for (;;) {
    const ssize_t got = ::read(file.number(), buffer.data(), buffer.size());
    if (got == 0)
      return content;
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return file_error("read", path, errno);
    content.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

namespace {

Result<> write_all(int file, std::string_view content, const fs::path& path) {
  while (!content.empty()) {
    const ssize_t put = ::write(file, content.data(), content.size());
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return file_error("write", path, errno);
    content.remove_prefix(static_cast<std::size_t>(put));
  }
  return success();
}

} // namespace

Result<> write_file(const fs::path& path, std::string_view content) {
  const fs::path part = path.string() + fmt::format(".part{}", ::getpid());
  FileDescriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file.is_open())
    return file_error("write", path, errno);
  auto written = write_all(file.number(), content, path);
  file.close();
  if (written && ::rename(part.c_str(), path.c_str()) != 0)
    written = file_error("write", path, errno);
  if (!written)
    ::unlink(part.c_str());
  return written;
}

Result<> make_folder(const fs::path& path) {
  std::error_code problem;
  fs::create_directories(path, problem);
  if (problem)
    return file_error("make the folder", path, problem.value());
  return success();
}

namespace {

// A build may leave folders that are not writable: gives ourselves the right to empty them. Links
// are left alone.
void make_writable(const fs::path& folder) {
  std::error_code ignored;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, ignored);
  for (auto at = fs::recursive_directory_iterator(
           folder, fs::directory_options::skip_permission_denied, ignored);
       at != fs::recursive_directory_iterator(); at.increment(ignored))
    if (fs::is_directory(at->symlink_status(ignored)))
      fs::permissions(at->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
}

} // namespace

Result<> remove_tree(const fs::path& path) {
  std::error_code problem;
  fs::remove_all(path, problem);
  if (!problem)
    return success();
  if (fs::is_directory(fs::symlink_status(path, problem)))
    make_writable(path);
  fs::remove_all(path, problem);
  if (problem)
    return file_error("remove", path, problem.value());
  return success();
}

namespace {

Result<FileDescriptor> open_lock(const fs::path& path) {
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.is_open())
    return file_error("open the lock", path, errno);
  return file;
}

} // namespace

Result<FileLock> FileLock::wait(const fs::path& path) {
  FileDescriptor file = TRY(open_lock(path));
  while (::flock(file.number(), LOCK_EX) != 0) {
    if (errno != EINTR)
      return file_error("lock", path, errno);
    if (interrupted())
      return Error{"interrupted while waiting for another dragnet", {}};
  }
  return FileLock(std::move(file));
}

Result<std::optional<FileLock>> FileLock::take_if_free(const fs::path& path) {
  FileDescriptor file = TRY(open_lock(path));
  if (::flock(file.number(), LOCK_EX | LOCK_NB) == 0)
    return std::optional(FileLock(std::move(file)));
  if (errno == EWOULDBLOCK || errno == EINTR)
    return std::optional<FileLock>();
  return file_error("lock", path, errno);
}

namespace {

// The lock lies beside the folder, so that the folder itself stays empty for its user.
fs::path lock_of(const fs::path& folder) {
  return folder.string() + ".lock";
}

} // namespace

ScratchFolder::ScratchFolder(fs::path path, FileLock lock)
    : path_(std::move(path)), lock_(std::move(lock)) {}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

Result<ScratchFolder> ScratchFolder::make(const fs::path& parent) {
  static std::atomic<unsigned> count = 0;
  TRY(make_folder(parent));
  // A fixed width: the length of a path must not differ between two runs that are compared.
  const fs::path path = parent / fmt::format("{:07}-{:06}", ::getpid(), ++count);
  FileLock lock = TRY(FileLock::wait(lock_of(path)));
  TRY(remove_tree(path));
  TRY(make_folder(path));
  return ScratchFolder(path, std::move(lock));
}

ScratchFolder::~ScratchFolder() {
  if (path_.empty())
    return;
  // Nothing can be reported from here; what stays is removed by the next sweep.
  (void)remove_tree(path_).has_value();
  ::unlink(lock_of(path_).c_str());
}

Result<> ScratchFolder::clear() const {
  TRY(remove_tree(path_));
  return make_folder(path_);
}

Result<> ScratchFolder::sweep(const fs::path& parent) {
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(parent, problem)) {
    if (entry.path().extension() != ".lock")
      continue;
    const auto lock = TRY(FileLock::take_if_free(entry.path()));
    if (!lock)
      continue;
    TRY(remove_tree(fs::path(entry.path()).replace_extension()));
    ::unlink(entry.path().c_str());
  }
  return success();
}

} // namespace dragnet
