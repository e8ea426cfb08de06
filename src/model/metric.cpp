#include "model/metric.h"
#include "model/verdict.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet {

std::span<const Metric> known_metrics() {
  static const std::array<Metric, 12> metrics{{
      {"wall", "s", Better::Lower, Nature::Noisy, "elapsed time from start to end"},
      {"cpu", "s", Better::Lower, Nature::Noisy,
       "processor time of all its processes, user and system"},
      {"user", "s", Better::Lower, Nature::Noisy, "processor time in the program's own code"},
      {"system", "s", Better::Lower, Nature::Noisy, "processor time in the kernel on its behalf"},
      {"instructions", "", Better::Lower, Nature::Count, "executed instructions in user code"},
      {"memory", "B", Better::Lower, Nature::Noisy, "peak resident memory of its largest process"},
      {"page-faults", "", Better::Lower, Nature::Noisy, "minor and major page faults"},
      {"context-switches", "", Better::Lower, Nature::Noisy,
       "voluntary and involuntary context switches"},
      {"bytes-read", "B", Better::Lower, Nature::Count, "bytes returned by read calls"},
      {"bytes-written", "B", Better::Lower, Nature::Count, "bytes given to write calls"},
      {"reads", "", Better::Lower, Nature::Count, "calls of the read kind"},
      {"writes", "", Better::Lower, Nature::Count, "calls of the write kind"},
  }};
  return metrics;
}

Metric metric_named(std::string_view name) {
  const auto known = known_metrics();
  const auto found = std::ranges::find(known, name, &Metric::name);
  return found == known.end() ? Metric{.name = std::string(name), .unit = {}, .meaning = {}}
                              : *found;
}

bool is_known_metric(std::string_view name) {
  return std::ranges::find(known_metrics(), name, &Metric::name) != known_metrics().end();
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const auto& metric : known_metrics())
    names.push_back(metric.name);
  return names;
}

} // namespace dragnet
