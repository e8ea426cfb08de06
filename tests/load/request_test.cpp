#include "load/request.h"

#include <gtest/gtest.h>

#include <string>

namespace dragnet::load {
namespace {

TEST(Requests, are_a_method_and_a_path) {
  const auto request = parse_request("GET /list?page=2");
  ASSERT_TRUE(request);
  EXPECT_EQ(message_of(*request, {}), "GET /list?page=2 HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

TEST(Requests, may_have_a_body_and_headers) {
  const auto request =
      parse_request("POST /put {\"a\": 1}\nContent-Type: application/json\nX-A: b");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->body, "{\"a\": 1}");
  EXPECT_EQ(message_of(*request, {}),
            "POST /put HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-A: b\r\n"
            "Content-Length: 8\r\n\r\n{\"a\": 1}");
}

TEST(Requests, take_cookies_along) {
  const auto request = parse_request("POST /put");
  ASSERT_TRUE(request);
  EXPECT_EQ(
      message_of(*request, {"a=1", "b=2"}),
      "POST /put HTTP/1.1\r\nHost: localhost\r\nCookie: a=1; b=2\r\nContent-Length: 0\r\n\r\n");
}

TEST(Requests, name_what_is_none) {
  for (const std::string wrong : {"", "GET", "list", "get /list", "GET list",
                                  "GET /list\nno header", "INSERT INTO t VALUES(1)"}) {
    const auto request = parse_request(wrong);
    ASSERT_FALSE(request) << wrong;
    EXPECT_FALSE(request.error().hint.empty()) << wrong;
  }
}

} // namespace
} // namespace dragnet::load
