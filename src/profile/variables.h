// The environment of a job, as a list of NAME=value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dragnet::profile {

/// The variables with one more; what it replaces goes.
void set_variable(std::vector<std::string>& variables, std::string_view name, std::string value);

/// The value of a variable, empty when it is not there.
std::string value_of(const std::vector<std::string>& variables, std::string_view name);

/// Loads a library into all programs, in front of others that are loaded so.
void preload(std::vector<std::string>& variables, const std::string& library);

} // namespace dragnet::profile
