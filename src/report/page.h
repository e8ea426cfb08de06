// A report as one HTML page that needs nothing else: the front end of web/, which is part of the
// program, with the data inside.
#pragma once

#include <string>

namespace dragnet::report {

/// The page with a document "report" (docs/json.md) in it. Whatever the JSON contains stays data.
std::string html_page(const std::string& report_json);

} // namespace dragnet::report
