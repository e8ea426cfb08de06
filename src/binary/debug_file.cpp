#include "binary/debug_file.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace dragnet::binary {
namespace {

constexpr std::string_view system_folder = "/usr/lib/debug";

std::vector<std::filesystem::path> candidates(const std::filesystem::path& program,
                                              std::string_view build_id,
                                              std::string_view link_name) {
  std::vector<std::filesystem::path> paths;
  if (build_id.size() > 2)
    paths.push_back(std::filesystem::path(system_folder) / ".build-id" / build_id.substr(0, 2) /
                    (std::string(build_id.substr(2)) + ".debug"));
  if (link_name.empty() || link_name.find('/') != std::string_view::npos)
    return paths;
  std::error_code ignored;
  const auto folder = std::filesystem::absolute(program, ignored).parent_path();
  paths.push_back(folder / link_name);
  paths.push_back(folder / ".debug" / link_name);
  paths.push_back(std::filesystem::path(system_folder) / folder.relative_path() / link_name);
  return paths;
}

} // namespace

std::optional<std::filesystem::path> find_debug_file(const std::filesystem::path& program,
                                                     std::string_view build_id,
                                                     std::string_view link_name) {
  std::error_code ignored;
  for (const auto& path : candidates(program, build_id, link_name))
    if (std::filesystem::is_regular_file(path, ignored) &&
        !std::filesystem::equivalent(path, program, ignored))
      return path;
  return std::nullopt;
}

} // namespace dragnet::binary
