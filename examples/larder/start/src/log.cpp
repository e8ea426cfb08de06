#include "log.h"

#include "failure.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace larder {
namespace {

constexpr std::size_t buffer_size = 64 * 1024;
constexpr std::size_t batch_size = 256;

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  throw Failure("cannot " + what + " " + path + ": " + std::strerror(errno));
}

int open_file(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0644);
  if (file < 0)
    fail("open", path);
  return file;
}

void write_all(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR)
      fail("write", path);
    if (count > 0)
      bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

} // namespace

std::string read_data_file(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0)
    return {};
  const int file = open_file(path, O_RDONLY);
  std::string bytes;
  std::string piece(buffer_size, '\0');
  ssize_t count;
  while ((count = ::read(file, piece.data(), piece.size())) > 0)
    bytes.append(piece.data(), static_cast<std::size_t>(count));
  ::close(file);
  if (count < 0)
    fail("read", path);
  return bytes;
}

void replace_data_file(const std::string& path, std::string_view bytes) {
  const std::string fresh = path + ".new";
  const int file = open_file(fresh, O_WRONLY | O_CREAT | O_TRUNC);
  write_all(file, bytes, fresh);
  ::close(file);
  if (std::rename(fresh.c_str(), path.c_str()) != 0)
    fail("replace", path);
}

Log::Log(std::string path, Flush flush)
    : path_(std::move(path)), flush_(flush),
      file_(open_file(path_, O_WRONLY | O_CREAT | O_APPEND)) {
  buffer_.reserve(buffer_size);
}

Log::~Log() {
  if (file_ >= 0)
    ::close(file_);
}

void Log::append(std::string_view record) {
  if (buffer_.size() + record.size() > buffer_size)
    write_buffer();
  buffer_.append(record);
  if (flush_ == Flush::Batch && ++records_in_batch_ == batch_size)
    write_buffer();
}

void Log::close() {
  write_buffer();
  if (flush_ == Flush::End && ::fdatasync(file_) != 0)
    fail("sync", path_);
  ::close(std::exchange(file_, -1));
}

void Log::write_buffer() {
  write_all(file_, buffer_, path_);
  buffer_.clear();
  records_in_batch_ = 0;
}

} // namespace larder
