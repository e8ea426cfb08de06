#include "report/repository_uri.h"

#include "report/escape.h"

#include <string>
#include <string_view>

namespace dragnet::report {
namespace {

bool is_known_scheme(std::string_view scheme) {
  return scheme == "https" || scheme == "http" || scheme == "ssh" || scheme == "git";
}

bool is_host(std::string_view host) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:";
  return !host.empty() && host.find_first_not_of(letters) == std::string_view::npos;
}

std::string made_of(std::string_view scheme, std::string_view authority, std::string_view path) {
  const std::string_view host = authority.substr(authority.rfind('@') + 1);
  if (!is_known_scheme(scheme) || !is_host(host))
    return "";
  return std::string(scheme) + "://" + std::string(host) +
         (path.empty() || path.front() == '/' ? "" : "/") + path_in_uri(path);
}

} // namespace

std::string repository_uri(std::string_view remote) {
  if (const auto scheme = remote.find("://"); scheme != std::string_view::npos) {
    const std::string_view rest = remote.substr(scheme + 3);
    const auto authority = rest.substr(0, rest.find('/'));
    return made_of(remote.substr(0, scheme), authority, rest.substr(authority.size()));
  }
  // The short form of ssh: user@host:path.
  const auto colon = remote.find(':');
  if (colon == std::string_view::npos || remote.substr(0, colon).contains('/'))
    return "";
  return made_of("ssh", remote.substr(0, colon), remote.substr(colon + 1));
}

} // namespace dragnet::report
