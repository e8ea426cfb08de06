// Pages as manual pages: roff for man(1), Markdown for docs/man.
#pragma once

#include "console/describe.h"

#include <string>

namespace dragnet::console {

/// The page in the macros of man(7), section 1. Characters beyond ASCII are written as escapes.
std::string roff(const Page& page);

/// The page in Markdown; pages are linked as files of one folder.
std::string markdown(const Page& page);

/// The file that a page belongs in: "dragnet-compare.1" or "compare.md".
std::string roff_file(const std::string& command);
std::string markdown_file(const std::string& command);

} // namespace dragnet::console
