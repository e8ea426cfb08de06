// The data file on disk: written at its end only, read as a whole.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace larder {

/// How much a crash may lose.
enum class Flush {
  Never, ///< what the buffer holds
  End,   ///< the same, but a log that was closed is on the disk
  Batch, ///< the records of the last unfinished batch
};

/// The bytes of the file; none if there is no such file. Throws Failure if it cannot be read.
std::string read_data_file(const std::string& path);

/// Replaces the file by these bytes, all or nothing. Throws Failure.
void replace_data_file(const std::string& path, std::string_view bytes);

class Log {
public:
  /// Opens the file to append to it, and creates it if needed. Throws Failure.
  Log(std::string path, Flush flush);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void append(std::string_view record);
  /// Writes what is buffered and, with Flush::End, waits until the disk has it. Throws Failure.
  void close();

private:
  void write_buffer();

  std::string path_;
  Flush flush_;
  int file_ = -1;
  std::string buffer_;
  std::size_t records_in_batch_ = 0;
};

} // namespace larder
