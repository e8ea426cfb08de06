#include "profile/variables.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragnet::profile {

void set_variable(std::vector<std::string>& variables, std::string_view name, std::string value) {
  const std::string start = std::string(name) + "=";
  std::erase_if(variables, [&](const std::string& known) { return known.starts_with(start); });
  variables.push_back(start + std::move(value));
}

std::string value_of(const std::vector<std::string>& variables, std::string_view name) {
  for (const auto& variable : variables)
    if (variable.starts_with(std::string(name) + "="))
      return variable.substr(name.size() + 1);
  return {};
}

void preload(std::vector<std::string>& variables, const std::string& library) {
  const auto others = value_of(variables, "LD_PRELOAD");
  set_variable(variables, "LD_PRELOAD", library + (others.empty() ? "" : ":" + others));
}

} // namespace dragnet::profile
