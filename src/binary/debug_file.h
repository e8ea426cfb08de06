// Where the symbols and debug information of a program lie that were split off it.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace dragnet::binary {

/// The separate debug file of a program, by its build id or by the name in its debug link, in the
/// places where GDB looks.
std::optional<std::filesystem::path> find_debug_file(const std::filesystem::path& program,
                                                     std::string_view build_id,
                                                     std::string_view link_name);

} // namespace dragnet::binary
