#include "load/user.h"

#include "base/files.h"
#include "base/result.h"
#include "load/request.h"
#include "load/response.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace dragnet::load {
namespace {

sockaddr_in place_of(std::uint16_t port) {
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(port);
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return place;
}

FileDescriptor new_socket() {
  return FileDescriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

bool connects(const FileDescriptor& socket, std::uint16_t port) {
  const sockaddr_in place = place_of(port);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as sockets want it
  return ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0;
}

std::string_view name_in(std::string_view cookie) {
  return cookie.substr(0, cookie.find('='));
}

} // namespace

bool is_listening(std::uint16_t port) {
  const auto socket = new_socket();
  return socket.is_open() && connects(socket, port);
}

Result<std::uint16_t> free_port() {
  const auto socket = new_socket();
  sockaddr_in place = place_of(0);
  socklen_t size = sizeof place;
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): as sockets want it
  if (!socket.is_open() ||
      ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0 ||
      ::getsockname(socket.number(), reinterpret_cast<sockaddr*>(&place), &size) != 0)
    return Error{fmt::format("no port is free: {}", std::generic_category().message(errno)), {}};
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
  return ntohs(place.sin_port);
}

Error User::failure(const char* doing) {
  const int problem = errno;
  socket_.close();
  waited_in_vain_ = problem == EAGAIN;
  return Error{
      fmt::format("cannot {} port {}: {}", doing, port_,
                  waited_in_vain_ ? "no answer in time" : std::generic_category().message(problem)),
      {}};
}

Result<> User::connect() {
  if (socket_.is_open())
    return success();
  socket_ = new_socket();
  double seconds = 0;
  const double part = std::modf(patience_.count(), &seconds);
  const timeval limit{static_cast<time_t>(seconds), static_cast<suseconds_t>(part * 1e6)};
  const int on = 1;
  if (!socket_.is_open() || !connects(socket_, port_) ||
      ::setsockopt(socket_.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0 ||
      ::setsockopt(socket_.number(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0 ||
      ::setsockopt(socket_.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0)
    return failure("connect to");
  return success();
}

Result<> User::send(const std::string& message) {
  std::string_view left = message;
  while (!left.empty()) {
    const ssize_t put = ::send(socket_.number(), left.data(), left.size(), MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return failure("write to");
    left.remove_prefix(static_cast<std::size_t>(put));
  }
  return success();
}

Result<Response> User::receive(bool is_without_body) {
  ResponseReader reader(is_without_body);
  std::array<char, 65536> buffer{};
  while (!reader.is_whole()) {
    const ssize_t got = ::recv(socket_.number(), buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return failure("read from");
    if (got == 0)
      TRY(reader.end());
    else
      TRY(reader.add({buffer.data(), static_cast<std::size_t>(got)}));
  }
  return reader.response();
}

void User::note(const Response& response) {
  for (const auto& cookie : response.cookies) {
    std::erase_if(cookies_, [&](const auto& known) { return name_in(known) == name_in(cookie); });
    cookies_.push_back(cookie);
  }
  if (!response.stays_open)
    socket_.close();
}

Result<Response> User::ask(const Request& request) {
  waited_in_vain_ = false;
  const std::string message = message_of(request, cookies_);
  const bool was_open = socket_.is_open();
  TRY(connect());
  auto sent = send(message);
  // A server may close a connection that was idle: then it is tried once more over a new one.
  if (!sent && was_open && !waited_in_vain_) {
    TRY(connect());
    sent = send(message);
  }
  if (!sent)
    return std::move(sent).error();
  auto response = receive(request.method == "HEAD");
  if (!response) {
    socket_.close();
    return response;
  }
  note(*response);
  return response;
}

} // namespace dragnet::load
