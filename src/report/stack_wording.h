// Stacks and what is done under them, in words.
#pragma once

#include "model/profile.h"
#include "model/stacks.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace dragnet::report {

/// The unit of a metric's amounts under stacks: "B" for what moves bytes, "s" for times, else none.
std::string_view stack_unit(std::string_view metric);

/// An amount per run for people: "10.0 KiB".
std::string amount_text(double amount, std::string_view metric);

/// The same with its sign.
std::string signed_amount_text(double amount, std::string_view metric);

/// "Store::flush", short and safe to print.
std::string function_name_text(const FunctionId& function);

/// "Store::flush (src/store.cpp:42, inlined)"; the file of a library where there is no source.
std::string frame_text(const StackFrame& frame);

/// "... > run > Store::flush": the innermost frames of the build, root first, at most so many.
std::string stack_text(std::span<const StackFrame> frames, std::size_t most);

} // namespace dragnet::report
