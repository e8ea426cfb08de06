// A user of a server: a connection that stays open, cookies, and the requests that are sent over it
// one after the other.
#pragma once

#include "base/files.h"
#include "base/result.h"
#include "base/units.h"
#include "load/request.h"
#include "load/response.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dragnet::load {

class User {
public:
  /// Of a server on this port of this machine. An answer that takes longer is an Error.
  User(std::uint16_t port, Seconds patience) : port_(port), patience_(patience) {}

  /// Sends a request and reads the answer to its end.
  Result<Response> ask(const Request& request);

  /// Whether the last Error was one of patience.
  bool waited_in_vain() const { return waited_in_vain_; }

private:
  Result<> connect();
  Result<> send(const std::string& message);
  Result<Response> receive(bool is_without_body);
  void note(const Response& response);
  Error failure(const char* doing);

  std::uint16_t port_;
  Seconds patience_;
  FileDescriptor socket_;
  std::vector<std::string> cookies_;
  bool waited_in_vain_ = false;
};

/// Whether something listens on a port of this machine.
bool is_listening(std::uint16_t port);

/// A port on which nothing listens now.
Result<std::uint16_t> free_port();

} // namespace dragnet::load
