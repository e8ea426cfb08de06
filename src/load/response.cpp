#include "load/response.h"

#include "base/result.h"
#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

namespace dragnet::load {
namespace {

constexpr std::size_t longest_head = 1U << 20U;
constexpr std::size_t longest_line = 4096;

Error not_http(std::string_view why) {
  return Error{"the answer is not HTTP: " + std::string(why), {}};
}

std::string lower(std::string_view text) {
  std::string made(text);
  for (char& c : made)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return made;
}

template <class Number>
bool read_number(std::string_view text, Number& value, int base) {
  const auto ended = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return ended.ec == std::errc() && ended.ptr != text.data();
}

} // namespace

Result<> ResponseReader::add(std::string_view bytes) {
  waiting_ += bytes;
  while (TRY(step())) {
  }
  return success();
}

Result<> ResponseReader::end() {
  if (stage_ == Stage::UntilEnd)
    stage_ = Stage::Whole;
  if (stage_ != Stage::Whole)
    return Error{"the server closed the connection before it had answered", {}};
  response_.stays_open = false;
  return success();
}

// Takes what can be taken by the present stage; false where more bytes are needed first.
Result<bool> ResponseReader::step() {
  if (stage_ == Stage::Whole)
    return false;
  if (stage_ == Stage::Head)
    return take_head();
  if (stage_ == Stage::Counted || stage_ == Stage::Chunk || stage_ == Stage::UntilEnd)
    return take_bytes();
  std::string line;
  if (!TRY(take_line(line)))
    return false;
  if (stage_ == Stage::ChunkSize)
    TRY(take_chunk_size(line));
  else if (stage_ == Stage::ChunkEnd)
    stage_ = Stage::ChunkSize;
  else if (line.empty())
    stage_ = Stage::Whole;
  return true;
}

Result<bool> ResponseReader::take_head() {
  const std::size_t end = waiting_.find("\r\n\r\n");
  if (std::min(end, waiting_.size()) > longest_head)
    return not_http("its head does not end");
  if (end == std::string::npos)
    return false;
  const std::string head = waiting_.substr(0, end);
  waiting_.erase(0, end + 4);
  TRY(read_head(head));
  return true;
}

Result<> ResponseReader::read_head(std::string_view head) {
  response_ = {};
  is_counted_ = false;
  is_chunked_ = false;
  const std::string_view first = head.substr(0, head.find("\r\n"));
  if (!first.starts_with("HTTP/1.") || first.size() < 12 ||
      !read_number(first.substr(9, 3), response_.status, 10) || response_.status < 100)
    return not_http("it does not begin with a status");
  response_.stays_open = first.starts_with("HTTP/1.1");
  head.remove_prefix(first.size());
  while (!head.empty()) {
    head.remove_prefix(std::min<std::size_t>(2, head.size()));
    const std::string_view line = head.substr(0, head.find("\r\n"));
    read_header(line);
    head.remove_prefix(line.size());
  }
  return choose_body();
}

void ResponseReader::read_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos)
    return;
  const std::string name = lower(line.substr(0, colon));
  const std::string_view value = trim(line.substr(colon + 1));
  if (name == "content-length")
    is_counted_ = read_number(value, left_, 10);
  else if (name == "transfer-encoding")
    is_chunked_ = lower(value).ends_with("chunked");
  else if (name == "connection")
    response_.stays_open =
        lower(value) == "keep-alive" || (response_.stays_open && lower(value) != "close");
  else if (name == "set-cookie")
    response_.cookies.emplace_back(trim(value.substr(0, value.find(';'))));
}

Result<> ResponseReader::choose_body() {
  // 1xx only announce the answer.
  if (response_.status < 200)
    return success();
  if (is_without_body_ || response_.status == 204 || response_.status == 304)
    stage_ = Stage::Whole;
  else if (is_chunked_)
    stage_ = Stage::ChunkSize;
  else if (is_counted_)
    stage_ = left_ == 0 ? Stage::Whole : Stage::Counted;
  else
    stage_ = Stage::UntilEnd;
  return success();
}

bool ResponseReader::take_bytes() {
  if (waiting_.empty())
    return false;
  if (stage_ == Stage::UntilEnd) {
    response_.body_size += waiting_.size();
    waiting_.clear();
    return false;
  }
  const std::size_t taken = std::min(left_, waiting_.size());
  response_.body_size += taken;
  left_ -= taken;
  waiting_.erase(0, taken);
  if (left_ == 0)
    stage_ = stage_ == Stage::Counted ? Stage::Whole : Stage::ChunkEnd;
  return left_ == 0;
}

Result<bool> ResponseReader::take_line(std::string& line) {
  const std::size_t end = waiting_.find("\r\n");
  if (std::min(end, waiting_.size()) > longest_line)
    return not_http("a line of a chunked body does not end");
  if (end == std::string::npos)
    return false;
  line = waiting_.substr(0, end);
  waiting_.erase(0, end + 2);
  return true;
}

Result<> ResponseReader::take_chunk_size(const std::string& line) {
  if (!read_number(line, left_, 16))
    return not_http("the size of a chunk is not a number");
  stage_ = left_ == 0 ? Stage::Trailer : Stage::Chunk;
  return success();
}

} // namespace dragnet::load
