// A request as users write it into a pool of inputs, and as it goes over the wire.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace dragnet::load {

struct Request {
  std::string method;
  std::string path;
  std::vector<std::string> headers; ///< "Name: value"
  std::string body;
};

/// A line "METHOD PATH" or "METHOD PATH BODY"; headers may follow, each on a line of its own.
Result<Request> parse_request(std::string_view input);

/// The bytes of a request (HTTP/1.1, over a connection that stays open) with these cookies
/// ("name=value").
std::string message_of(const Request& request, const std::vector<std::string>& cookies);

} // namespace dragnet::load
