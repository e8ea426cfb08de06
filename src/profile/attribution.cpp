#include "profile/attribution.h"

#include "model/function.h"
#include "model/profile.h"
#include "profile/counts_file.h"
#include "profile/tally.h"
#include "runtime/counts_format.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

// One process with its modules looked up among the build's binaries.
class Process {
public:
  Process(const ProcessCounts& counts, const Tables& tables) : counts_(counts) {
    for (const auto& module : counts.modules) {
      const auto found = tables.find(module.path);
      tables_.push_back(found == tables.end() ? nullptr : found->second);
    }
    find_stubs();
  }

  void add_to(Tally& tally) const {
    for (std::size_t index = 0; index < counts_.blocks.size(); ++index)
      if (counts_.counts[index] > 0)
        add_block(counts_.blocks[index], counts_.counts[index], tally);
    for (const auto& edge : counts_.edges)
      add_edge(edge, tally);
  }

private:
  using Spot = std::pair<const FunctionTable*, std::uint64_t>;

  Place place_of(std::uint32_t module, std::uint64_t address) const {
    if (module == DRAGNET_NO_MODULE || tables_[module] == nullptr)
      return {};
    const auto& known = counts_.modules[module];
    return place_in_file(tables_[module], address - known.start + known.file_offset);
  }

  Place start_of(const dragnet_block& block) const { return place_of(block.module, block.start); }

  // Where the instruction stands that the block ends with.
  Place end_of(const dragnet_block& block) const {
    return place_of(block.module, block.start + block.bytes - block.last_size);
  }

  // Code between the functions that jumps on to one of them: a stub of the linkage table. The
  // first jump of a stub may go to the dynamic linker, the others go to the function.
  void find_stubs() {
    std::map<Spot, std::uint64_t> most;
    for (const auto& edge : counts_.edges) {
      const auto& block = counts_.blocks[edge.from];
      const Place stub = start_of(block);
      const Place callee = start_of(counts_.blocks[edge.to]);
      if (block.ending != DRAGNET_ENDS_IN_INDIRECT_JUMP || stub.table == nullptr ||
          stub.function != nullptr || !callee.is_entry())
        continue;
      const Spot spot{stub.table, stub.address};
      if (edge.count > most[spot]) {
        most[spot] = edge.count;
        stubs_[spot] = callee;
      }
    }
  }

  // The function that a direct call or jump to this place reaches, if it reaches one.
  Place reached(const Place& target) const {
    if (target.is_entry())
      return target;
    const auto stub = stubs_.find({target.table, target.address});
    return stub == stubs_.end() || target.function != nullptr ? Place{} : stub->second;
  }

  void add_block(const dragnet_block& block, std::uint64_t count, Tally& tally) const {
    const Place start = start_of(block);
    const std::uint64_t instructions = count * block.instructions;
    if (start.table == nullptr) {
      tally.executed_outside(block.module == DRAGNET_NO_MODULE ? ""
                                                               : counts_.modules[block.module].path,
                             instructions);
      return;
    }
    tally.executed(start, block.bytes, instructions);
    tally.passed(start, block.bytes, count);
    if (start.is_entry())
      tally.called(start, count);
    if (block.ending == DRAGNET_ENDS_IN_CALL || block.ending == DRAGNET_ENDS_IN_JUMP)
      tally.called_from(end_of(block), reached(place_of(block.module, block.target)),
                        CallKind::Direct, count);
  }

  void add_edge(const ProcessCounts::Edge& edge, Tally& tally) const {
    const auto& block = counts_.blocks[edge.from];
    const Place callee = start_of(counts_.blocks[edge.to]);
    const bool direct = block.ending == DRAGNET_ENDS_IN_BRANCH;
    if (callee.is_entry())
      tally.called_from(end_of(block), callee, direct ? CallKind::Direct : CallKind::Indirect,
                        edge.count);
  }

  const ProcessCounts& counts_;
  std::vector<const FunctionTable*> tables_; // of the modules
  std::map<Spot, Place> stubs_;
};

void append(std::string& bytes, std::uint64_t number) {
  for (unsigned shift = 0; shift < 64; shift += 8)
    bytes += static_cast<char>(number >> shift & 0xff);
}

std::optional<std::uint64_t> file_offset(const FunctionTable& table, std::uint64_t address) {
  for (const auto& segment : table.segments)
    if (address >= segment.address && address - segment.address < segment.size)
      return segment.file_offset + (address - segment.address);
  return std::nullopt;
}

std::vector<std::uint64_t> entry_offsets(const FunctionTable& table) {
  std::vector<std::uint64_t> offsets;
  for (const auto& function : table.functions)
    if (const auto offset = file_offset(table, function.address))
      offsets.push_back(*offset);
  std::ranges::sort(offsets);
  return offsets;
}

} // namespace

Profile attribute(std::span<const ProcessCounts> processes, const Tables& tables,
                  const Identify& identify) {
  Tally tally;
  for (const auto& counts : processes)
    Process(counts, tables).add_to(tally);
  return tally.profile(Counting::Emulated, identify);
}

std::string entries_file(const Tables& tables) {
  std::string bytes;
  append(bytes, DRAGNET_ENTRIES_MAGIC);
  append(bytes, tables.size());
  for (const auto& [path, table] : tables) {
    append(bytes, path.size());
    bytes += path;
    bytes.append((8 - path.size() % 8) % 8, '\0');
    const auto offsets = entry_offsets(*table);
    append(bytes, offsets.size());
    for (const std::uint64_t offset : offsets)
      append(bytes, offset);
  }
  return bytes;
}

} // namespace dragnet::profile
