// Files and folders that clean up after themselves, and errors that name the path.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace dragnet {

/// An open file descriptor that is closed with its owner.
class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() { close(); }
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  int release();
  void close();

private:
  int number_ = -1;
};

/// An Error from errno, as "cannot <doing> <path>: <reason>", with a hint for a full or read-only
/// disk.
Error file_error(std::string_view doing, const std::filesystem::path& path, int error_number);

/// The whole content of a file.
Result<std::string> read_file(const std::filesystem::path& path);

/// Writes a file so that a reader sees the old content or the new one, never a part.
Result<> write_file(const std::filesystem::path& path, std::string_view content);

/// Makes a folder and its parents; existing is fine.
Result<> make_folder(const std::filesystem::path& path);

/// Removes a file or a folder with all that is in it; absent is fine.
Result<> remove_tree(const std::filesystem::path& path);

/// A lock that the kernel gives back when the process ends, however it ends.
class FileLock {
public:
  /// Waits until the lock is ours.
  static Result<FileLock> wait(const std::filesystem::path& path);
  /// The lock, or nothing when another process holds it.
  static Result<std::optional<FileLock>> take_if_free(const std::filesystem::path& path);

private:
  explicit FileLock(FileDescriptor file) : file_(std::move(file)) {}
  FileDescriptor file_;
};

/// A folder for one owner, removed with it. A folder whose owner was killed is removed by `sweep`.
class ScratchFolder {
public:
  /// A new empty folder below `parent`.
  static Result<ScratchFolder> make(const std::filesystem::path& parent);
  ~ScratchFolder();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Removes what is in it.
  Result<> clear() const;

  /// Removes the folders below `parent` whose owners are gone.
  static Result<> sweep(const std::filesystem::path& parent);

private:
  ScratchFolder(std::filesystem::path path, FileLock lock);
  std::filesystem::path path_;
  std::optional<FileLock> lock_;
};

} // namespace dragnet
