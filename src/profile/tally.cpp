#include "profile/tally.h"

#include "model/function.h"
#include "model/profile.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace dragnet::profile {
namespace {

FunctionId id_of(const FunctionTable& table, const Function& function) {
  return {table.binary, function.name};
}

// Walks over the instructions of a function and says from which on how often they were executed.
std::vector<Stretch> stretches_of(const FunctionTable& table, const Function& function,
                                  const std::map<std::uint64_t, std::int64_t>& steps) {
  std::vector<Stretch> stretches;
  std::uint64_t offset = 0;
  std::int64_t times = 0;
  auto step = steps.begin();
  std::uint32_t number = 0;
  for (std::size_t i = function.first_length;
       number < function.instructions && i < table.lengths.size(); ++i) {
    for (; step != steps.end() && step->first <= offset; ++step)
      times += step->second;
    const std::uint8_t length = table.lengths[i];
    offset += length & ~unsigned{FunctionTable::padding_flag};
    if ((length & FunctionTable::padding_flag) != 0)
      continue;
    const auto executed = static_cast<std::uint64_t>(std::max<std::int64_t>(times, 0));
    if (stretches.empty() ? executed > 0 : stretches.back().executed != executed)
      stretches.push_back({.first = number, .executed = executed});
    ++number;
  }
  return stretches;
}

} // namespace

Place place_at(const FunctionTable* table, std::uint64_t address) {
  Place place{.table = table, .address = address};
  if (table == nullptr)
    return place;
  const auto found = std::ranges::upper_bound(table->functions, address, {}, &Function::address);
  if (found == table->functions.begin())
    return place;
  const Function& function = *std::prev(found);
  if (address - function.address < std::max<std::uint64_t>(function.size, 1))
    place.function = &function;
  return place;
}

Place place_in_file(const FunctionTable* table, std::uint64_t file_offset) {
  if (table == nullptr)
    return {};
  for (const auto& segment : table->segments)
    if (file_offset >= segment.file_offset && file_offset - segment.file_offset < segment.size)
      return place_at(table, segment.address + (file_offset - segment.file_offset));
  return {.table = table};
}

void Tally::executed(const Place& from, std::uint64_t bytes, std::uint64_t instructions) {
  total_ += instructions;
  Place at = from;
  std::uint64_t bytes_left = bytes;
  std::uint64_t left = instructions;
  while (at.function != nullptr && left > 0) {
    const std::uint64_t end = at.function->address + std::max<std::uint64_t>(at.function->size, 1);
    const bool ends_here = at.address + bytes_left <= end;
    const std::uint64_t inside = ends_here ? bytes_left : end - at.address;
    const std::uint64_t share =
        ends_here
            ? left
            : static_cast<std::uint64_t>(static_cast<double>(left) * static_cast<double>(inside) /
                                         static_cast<double>(bytes_left));
    functions_[{at.table, at.function}].instructions += share;
    left -= share;
    bytes_left -= inside;
    at = ends_here ? Place{} : place_at(at.table, end);
  }
}

void Tally::passed(const Place& from, std::uint64_t bytes, std::uint64_t times) {
  if (from.function == nullptr)
    return;
  auto& steps = functions_[{from.table, from.function}].steps;
  const std::uint64_t offset = from.address - from.function->address;
  steps[offset] += static_cast<std::int64_t>(times);
  steps[offset + bytes] -= static_cast<std::int64_t>(times);
}

void Tally::executed_outside(const std::string& path, std::uint64_t instructions) {
  total_ += instructions;
  libraries_[path.empty() ? "(made at run time)" : path] += instructions;
}

void Tally::called(const Place& entry, std::uint64_t calls) {
  if (entry.function != nullptr)
    functions_[{entry.table, entry.function}].calls += calls;
}

void Tally::called_from(const Place& caller, const Place& callee, CallKind kind,
                        std::uint64_t calls) {
  if (caller.function != nullptr && callee.function != nullptr && calls > 0)
    edges_[{{caller.table, caller.function}, {callee.table, callee.function}, kind}] += calls;
}

Profile Tally::profile(Counting counting, const Identify& identify) const {
  Profile profile;
  profile.counting = counting;
  profile.instructions = total_;
  for (const auto& [key, sum] : functions_)
    if (sum.calls > 0 || sum.instructions > 0)
      profile.functions.push_back({id_of(*key.first, *key.second), sum.calls, sum.instructions,
                                   stretches_of(*key.first, *key.second, sum.steps)});
  for (const auto& [edge, calls] : edges_) {
    const auto& [caller, callee, kind] = edge;
    profile.edges.push_back(
        {id_of(*caller.first, *caller.second), id_of(*callee.first, *callee.second), kind, calls});
  }
  for (const auto& [path, instructions] : libraries_)
    profile.libraries.push_back({path, identify ? identify(path) : std::string(), instructions});
  std::ranges::sort(profile.functions, {}, &FunctionCounts::function);
  std::ranges::sort(profile.edges, {}, [](const CallEdge& edge) {
    return std::tie(edge.caller, edge.callee, edge.kind);
  });
  return profile;
}

} // namespace dragnet::profile
