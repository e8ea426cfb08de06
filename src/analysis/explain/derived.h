// Metrics that are made of others: calls of all kinds, and costs of functions.
#pragma once

#include "model/profile.h"
#include "model/stacks.h"

#include <string>
#include <vector>

namespace dragnet::explain {

/// The metrics that can be asked for, those of the monitor first.
std::vector<std::string> stack_metrics();

/// Adds the metric "calls": system calls that are watched, whatever they do.
void add_calls(StackProfile& stacks);

/// Adds the metric "instructions" from a profile: a function of the build is a stack of its own,
/// because profiles do not know the paths that led there.
void add_instructions(StackProfile& stacks, const Profile& profile);

} // namespace dragnet::explain
