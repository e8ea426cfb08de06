// A text of comma-separated values (RFC 4180) as rows of fields that know where they stand. The
// separator may also be a semicolon or a tab; lines may end as on Windows; empty lines do not
// count.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::formats {

/// A field without its quotes; line and column (in bytes) are counted from 1.
struct Field {
  std::string text;
  std::size_t line = 0;
  std::size_t column = 0;
};

using Row = std::vector<Field>;

/// "line 3, column 5: <what>".
Error error_at(const Field& field, std::string_view what, std::string hint = {});

/// The rows of a text, each with as many fields as the first.
Result<std::vector<Row>> parse_table(std::string_view text);

} // namespace dragnet::formats
