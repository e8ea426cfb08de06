// What `doctor` found, for people and for programs.
#pragma once

#include "model/inspection.h"
#include "model/machine.h"

#include <span>
#include <string>

namespace dragnet::report {

std::string inspection_text(std::span<const Inspection> found, const Machine& machine,
                            bool colours);

/// The document "doctor".
std::string inspection_json(std::span<const Inspection> found, const Machine& machine,
                            const std::string& version);

} // namespace dragnet::report
