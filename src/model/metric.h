// The quantities that a run is measured by.
#pragma once

#include "model/verdict.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet {

/// How a metric behaves when nothing changed: noise, or a count that a deterministic program
/// repeats.
enum class Nature { Noisy, Count };

/// One quantity: its name as users write it, its unit ("s", "B" or "" for a count), and what is
/// good.
struct Metric {
  std::string name;
  std::string unit;
  Better better = Better::Lower;
  Nature nature = Nature::Noisy;
  std::string meaning;
};

/// The metrics that Dragnet measures itself, in the order in which they are shown.
std::span<const Metric> known_metrics();

/// The metric of a name. One that Dragnet does not measure (from an import) is a noisy one without
/// unit, lower is better.
Metric metric_named(std::string_view name);

/// Whether Dragnet can measure this metric itself.
bool is_known_metric(std::string_view name);

/// The names of the known metrics.
std::vector<std::string> metric_names();

} // namespace dragnet
