// Reads an answer of a server as it arrives. Only what a user needs to go on is kept: the status,
// cookies, and where the answer ends.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::load {

struct Response {
  int status = 0;
  bool stays_open = true;           ///< the connection, for another request
  std::vector<std::string> cookies; ///< that the server sets: "name=value"
  std::size_t body_size = 0;
};

class ResponseReader {
public:
  /// Answers to HEAD have no body, whatever they say.
  explicit ResponseReader(bool is_without_body) : is_without_body_(is_without_body) {}

  /// Takes the next bytes in; an Error where they are not HTTP.
  Result<> add(std::string_view bytes);

  /// The server closed the connection; an Error where the answer is not whole then.
  Result<> end();

  bool is_whole() const { return stage_ == Stage::Whole; }
  const Response& response() const { return response_; }

private:
  enum class Stage : std::uint8_t {
    Head,
    Counted,
    UntilEnd,
    ChunkSize,
    Chunk,
    ChunkEnd,
    Trailer,
    Whole
  };

  Result<> read_head(std::string_view head);
  void read_header(std::string_view line);
  Result<> choose_body();
  Result<bool> step();
  Result<bool> take_head();
  bool take_bytes();
  Result<bool> take_line(std::string& line);
  Result<> take_chunk_size(const std::string& line);

  bool is_without_body_;
  Stage stage_ = Stage::Head;
  std::string waiting_;  // bytes that no stage has taken yet
  std::size_t left_ = 0; // of the body or chunk
  bool is_counted_ = false;
  bool is_chunked_ = false;
  Response response_;
};

} // namespace dragnet::load
