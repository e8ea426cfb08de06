// Where a repository is, in a form that may be shown to others.
#pragma once

#include <string>
#include <string_view>

namespace dragnet::report {

/// What git says of a remote as a URI, without user and password; empty for what is not on a
/// network, such as a folder.
std::string repository_uri(std::string_view remote);

} // namespace dragnet::report
