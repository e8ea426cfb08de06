// What all JSON documents have in common. docs/json.md describes each field.
#pragma once

#include "base/json.h"
#include "model/machine.h"

#include <string>
#include <string_view>

namespace dragnet::report {

/// The version of the documents' form; it grows when a field changes its meaning or goes away.
constexpr int document_version = 1;

/// A document that says what it is.
Json new_document(std::string_view kind, const std::string& program_version);

Json machine_json(const Machine& machine);

} // namespace dragnet::report
