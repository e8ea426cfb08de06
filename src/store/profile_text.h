// A profile as the text that is kept of it. The first line says what it is; then one line each:
//   counting <how>
//   instructions <number>
//   binary <path>                               numbered from 0, in order
//   function <binary> <calls> <instructions> <name>   numbered from 0, in order
//   stretches <first> <executed> ...            of the function above, in pairs
//   edge <caller> <callee> <direct|indirect> <calls>  functions by number
//   library <instructions> <identity or -> <path>
#pragma once

#include "base/result.h"
#include "model/profile.h"

#include <string>
#include <string_view>

namespace dragnet::store {

std::string profile_text(const Profile& profile);

/// An Error says which line is not as it should be.
Result<Profile> parse_profile(std::string_view text);

} // namespace dragnet::store
