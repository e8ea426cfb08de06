#include "load/request.h"

#include "base/result.h"
#include "base/text.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::load {
namespace {

Error not_a_request(std::string_view input) {
  return Error{fmt::format("'{}' is not a request", lines(input).front()),
               "write METHOD PATH, as in GET /list, with a body behind it or headers below it"};
}

bool is_method(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool names(const std::string& header, std::string_view name) {
  return header.size() > name.size() && header[name.size()] == ':' &&
         std::ranges::equal(header.substr(0, name.size()), name, [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
         });
}

bool has(const Request& request, std::string_view name) {
  return std::ranges::any_of(request.headers,
                             [&](const auto& header) { return names(header, name); });
}

} // namespace

Result<Request> parse_request(std::string_view input) {
  const auto all = lines(input);
  if (all.empty())
    return Error{"an empty text is not a request", "write METHOD PATH, as in GET /list"};
  const std::string& first = all.front();
  const std::size_t space = first.find(' ');
  Request request{.method = first.substr(0, space), .path = {}, .headers = {}, .body = {}};
  if (space == std::string::npos || !is_method(request.method))
    return not_a_request(input);
  const std::size_t end = first.find(' ', space + 1);
  request.path = first.substr(space + 1, end == std::string::npos ? end : end - space - 1);
  if (!request.path.starts_with('/'))
    return not_a_request(input);
  if (end != std::string::npos)
    request.body = first.substr(end + 1);
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].find(':') == std::string::npos)
      return not_a_request(input);
    request.headers.push_back(all[i]);
  }
  return request;
}

std::string message_of(const Request& request, const std::vector<std::string>& cookies) {
  std::string text = fmt::format("{} {} HTTP/1.1\r\n", request.method, request.path);
  if (!has(request, "host"))
    text += "Host: localhost\r\n";
  for (const auto& header : request.headers)
    text += header + "\r\n";
  if (!cookies.empty())
    text += "Cookie: " + join(cookies, "; ") + "\r\n";
  if (!request.body.empty() && !has(request, "content-type"))
    text += "Content-Type: application/x-www-form-urlencoded\r\n";
  if (!request.body.empty() || request.method == "POST" || request.method == "PUT")
    text += fmt::format("Content-Length: {}\r\n", request.body.size());
  return text + "\r\n" + request.body;
}

} // namespace dragnet::load
