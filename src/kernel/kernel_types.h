// The types of the running kernel, as far as our program in it looks at them. All of them are
// several megabytes, which takes longer to read than short programs run: what is needed is kept for
// the next time.
#pragma once

#include <filesystem>
#include <span>

namespace dragnet::kernel {

/// A file in a folder with those types that the program (an ELF file in memory) has, too, as they
/// are in the running kernel; made where it is not there yet. Empty where it cannot be made.
std::filesystem::path kept_types(const std::filesystem::path& folder,
                                 std::span<const char> program);

} // namespace dragnet::kernel
