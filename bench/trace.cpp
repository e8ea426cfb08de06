// trace [EVENTS]: how long it takes to turn a trace of so many events, kept in memory, into
// impact sets and a ranking of changes, on one core.
#include "model/trace.h"
#include "analysis/blame/impact_sets.h"
#include "analysis/blame/paired_tree.h"
#include "analysis/blame/rank.h"
#include "analysis/blame/trace_folder.h"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace dragnet; // NOLINT(google-build-using-namespace): a program about it

constexpr std::uint32_t functions = 3000;
constexpr std::uint32_t call_paths = 100000;
constexpr double limit_seconds = 2;

// Small and fast: the trace is made, not measured.
class Chance {
public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}
  std::uint32_t below(std::uint32_t limit) {
    state_ = (state_ * 6364136223846793005U) + 1442695040888963407U;
    return static_cast<std::uint32_t>(((state_ >> 33) * limit) >> 31);
  }

private:
  std::uint64_t state_;
};

// A program's call paths: a node's callees are the `width` nodes that follow `first`.
struct Place {
  std::uint32_t function = 0;
  std::uint32_t first = 0;
  std::uint32_t width = 0;
};

std::vector<Place> random_paths() {
  Chance chance(7);
  std::vector<Place> places{{.function = 0}};
  for (std::uint32_t i = 0; i < places.size() && places.size() < call_paths; ++i) {
    places[i].first = static_cast<std::uint32_t>(places.size());
    places[i].width = 1 + chance.below(6);
    for (std::uint32_t callee = 0; callee < places[i].width; ++callee)
      places.push_back({.function = chance.below(functions)});
  }
  return places;
}

// A walk over the call paths, some of them taken much more often than others, as programs do.
std::vector<TraceEvent> random_trace(const std::vector<Place>& places, std::size_t size,
                                     std::uint64_t seed) {
  Chance chance(seed);
  std::vector<TraceEvent> events;
  events.reserve(size);
  std::vector<std::uint32_t> stack{0};
  std::uint64_t time = 0;
  while (events.size() < size) {
    const Place& here = places[stack.back()];
    time += 20 + chance.below(40);
    if (here.width > 0 && chance.below(100) < 60) {
      stack.push_back(here.first + chance.below(chance.below(here.width) + 1));
      events.push_back(TraceEvent::make(EventKind::Enter, places[stack.back()].function, time));
    } else if (stack.size() > 1) {
      events.push_back(TraceEvent::make(EventKind::Leave, here.function, time));
      stack.pop_back();
    } else if (chance.below(1000) == 0) {
      events.push_back(TraceEvent::make(EventKind::Cut, 0, time));
    }
  }
  return events;
}

std::vector<std::uint32_t> changed_functions() {
  std::vector<std::uint32_t> changed;
  for (std::uint32_t i = 0; i < 100; ++i)
    changed.push_back((i * 29) + 5);
  return changed;
}

blame::TracedSide side_of(const blame::TraceFolder& folder) {
  blame::TracedSide side;
  for (std::uint32_t i = 0; i < functions; ++i)
    side.functions.push_back({"program", "f" + std::to_string(i)});
  side.tree = folder.tree();
  return side;
}

// What this process used, whatever else the machine does.
double seconds_of_processor() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + (static_cast<double>(time.tv_nsec) * 1e-9);
}

} // namespace

int main(int count, char** arguments) {
  const std::size_t size = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 100000000;
  blame::TraceFolder before(functions, ExecutionScope::Process, [](auto) {});
  const auto places = random_paths();
  before.add(0, random_trace(places, size / 100, 1));
  before.finish();
  const auto old_side = side_of(before);
  const auto events = random_trace(places, size, 2);

  const double start = seconds_of_processor();
  blame::ImpactSets impact(functions, changed_functions());
  std::size_t executions = 0;
  blame::TraceFolder folder(functions, ExecutionScope::Process, [&](auto execution) {
    impact.add(execution);
    ++executions;
  });
  folder.add(0, events);
  folder.finish();
  const auto tree = blame::paired(old_side, side_of(folder));
  const auto ranking = blame::rank(tree, impact, blame::Method::Paths);
  const double taken = seconds_of_processor() - start;

  const bool held = taken <= limit_seconds * static_cast<double>(size) / 1e8;
  fmt::print("{} events, {} executions, {} call paths, {} changes: first {}\n", size, executions,
             tree.nodes.size(), ranking.blames.size(), ranking.blames.front().change);
  fmt::print("{}: {} events into impact sets and a ranking in {:.2f} s on one core (limit {:.0f} s "
             "for 100,000,000)\n",
             held ? "held" : "NOT HELD", size, taken, limit_seconds);
  return held ? 0 : 1;
}
