#include "load/response.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::load {
namespace {

// The invariant: an answer reads the same however it is cut into pieces.
Response read(std::string_view text, bool is_without_body = false, bool ends = false) {
  Response whole;
  for (std::size_t piece = 1; piece <= text.size(); piece += piece < 8 ? 1 : 7) {
    ResponseReader reader(is_without_body);
    for (std::size_t at = 0; at < text.size(); at += piece)
      EXPECT_TRUE(reader.add(text.substr(at, piece)));
    EXPECT_EQ(reader.is_whole(), !ends);
    if (ends) {
      EXPECT_TRUE(reader.end());
    }
    EXPECT_TRUE(reader.is_whole());
    if (piece > 1) {
      EXPECT_EQ(reader.response().status, whole.status);
      EXPECT_EQ(reader.response().body_size, whole.body_size);
    }
    whole = reader.response();
  }
  return whole;
}

TEST(Responses, end_where_they_say) {
  const auto response = read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body_size, 5U);
  EXPECT_TRUE(response.stays_open);
}

TEST(Responses, come_in_chunks) {
  const auto response =
      read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
           "5;note=1\r\nhello\r\n10\r\n0123456789abcdef\r\n0\r\nTrailer: x\r\n\r\n");
  EXPECT_EQ(response.body_size, 21U);
}

TEST(Responses, end_with_the_connection_where_they_say_nothing) {
  const auto response = read("HTTP/1.0 200 OK\r\n\r\nhello", false, true);
  EXPECT_EQ(response.body_size, 5U);
  EXPECT_FALSE(response.stays_open);
}

TEST(Responses, have_no_body_where_there_can_be_none) {
  EXPECT_EQ(read("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n").status, 304);
  EXPECT_EQ(read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", true).body_size, 0U);
}

TEST(Responses, may_be_announced) {
  EXPECT_EQ(
      read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n").status,
      201);
}

TEST(Responses, tell_cookies_and_whether_the_connection_stays) {
  const auto response = read("HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Path=/\r\nset-cookie: b=2\r\n"
                             "Connection: close\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(response.cookies, (std::vector<std::string>{"a=1", "b=2"}));
  EXPECT_FALSE(response.stays_open);
}

TEST(Responses, that_are_none_are_refused) {
  EXPECT_FALSE(ResponseReader(false).add("220 smtp.example.org ready\r\n\r\n"));
  EXPECT_FALSE(ResponseReader(false).add("HTTP/1.1 abc\r\n\r\n"));
  EXPECT_FALSE(
      ResponseReader(false).add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"));
  EXPECT_FALSE(ResponseReader(false).add(std::string(2U << 20U, 'x')));
}

TEST(Responses, that_are_cut_off_are_told) {
  ResponseReader reader(false);
  ASSERT_TRUE(reader.add("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel"));
  EXPECT_FALSE(reader.end());
}

} // namespace
} // namespace dragnet::load
