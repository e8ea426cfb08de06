// What a column of a table measures and in which unit: "wall [ms]".
#pragma once

#include "base/result.h"
#include "formats/csv_table.h"

#include <string>
#include <string_view>

namespace dragnet::formats {

struct Quantity {
  std::string name;
  std::string unit;  ///< as it is written; may be empty
  double factor = 1; ///< from the unit to seconds, bytes or counts
  bool is_signed =
      true; ///< whether values below 0 make sense: not for times, sizes and our own metrics
};

/// The quantity that a field names, with its unit in brackets if it has one.
Result<Quantity> parse_quantity(const Field& field);

/// The quantity of a name and a unit; Errors name the field's place.
Result<Quantity> make_quantity(const std::string& name, const std::string& unit,
                               const Field& field);

/// The finite value of a field in base units.
Result<double> parse_value(const Field& field, const Quantity& quantity);

} // namespace dragnet::formats
