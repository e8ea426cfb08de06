// From what the monitor left of processes to the stacks of a run: addresses become functions with
// their places in the source, those that were inlined too.
#pragma once

#include "binary/open_code.h"
#include "model/stacks.h"
#include "profile/stack_file.h"
#include "profile/tally.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dragnet::profile {

/// What was done under which stack, over all processes. Functions of the build have the names of
/// their tables. `code`: what was read for it is kept there.
StackProfile stack_profile(std::span<const ProcessStacks> processes, const Tables& tables,
                           binary::OpenCode& code);

/// What the kernel accounted that is not the benchmark's doing as the monitor sees it: what the
/// monitor itself read, and what happened in processes before it watched them. Nothing where a
/// process does not tell.
std::optional<dragnet_transfers> unwatched(std::span<const ProcessStacks> processes);

/// What the stacks say was read and written, in all.
dragnet_transfers transferred(std::span<const ProcessStacks> processes);

/// How many programs were started, at least, that the monitor inside of programs could not watch.
std::uint64_t unwatched_programs(std::span<const ProcessStacks> processes);

/// The system calls of the C library that are not watched, each once, as "LIBRARY+0xOFFSET:
/// NUMBER".
std::vector<std::string> gaps(std::span<const ProcessStacks> processes);

} // namespace dragnet::profile
