// From operations of the source to instructions: what the code of each function executed.
#pragma once

#include "model/source.h"

#include <map>
#include <string>

namespace dragnet::facts {

/// Instructions that the code of functions executed, by name; of the library by plain name.
using Instructions = std::map<std::string, double>;

/// Gives functions their instructions as costs. Those of a function's code are shared, by their
/// operations, with what was inlined into it: functions without code of their own. What has no code
/// in the program, such as the C library, costs its operations at the usual rate. Changes nothing
/// where no function is known.
void set_instructions(SourceProfile& profile, const Instructions& executed);

} // namespace dragnet::facts
