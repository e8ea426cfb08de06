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

/// A quantity before and now, each in a unit: "10 B -> 12 B a run (+20.0 %)", or "10 B a run as
/// before"; what follows the numbers is given.
std::string from_to_text(double before, double now, std::string_view unit, std::string_view noun);

/// "Store::flush", short and safe to print.
std::string function_name_text(const FunctionId& function);

/// "Store::flush (src/store.cpp:42, inlined)"; the file of a library where there is no source.
std::string frame_text(const StackFrame& frame);

/// "... > run > Store::flush": the innermost frames of the build, root first, at most so many.
std::string stack_text(std::span<const StackFrame> frames, std::size_t most);

} // namespace dragnet::report
