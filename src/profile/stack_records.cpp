#include "profile/stack_records.h"

#include "binary/code_places.h"
#include "binary/open_code.h"
#include "model/profile.h"
#include "model/stacks.h"
#include "profile/hidden_frames.h"
#include "profile/stack_file.h"
#include "profile/tally.h"
#include "runtime/stacks_format.h"

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

constexpr std::array<const char*, DRAGNET_USE_KINDS> metrics{
    "written", "read", "sent", "received", "spliced", "fsync", "opened", "allocated"};

// Numbers things in the order in which they come, each once.
template <class Thing>
class Numbering {
public:
  std::size_t number(const Thing& thing) {
    const auto [found, added] = numbers_.emplace(thing, things_.size());
    if (added)
      things_.push_back(thing);
    return found->second;
  }
  std::vector<Thing> take() { return std::move(things_); }

private:
  std::map<Thing, std::size_t> numbers_;
  std::vector<Thing> things_;
};

class Assembly {
public:
  Assembly(const Tables& tables, binary::OpenCode& code) : tables_(tables), code_(code) {}

  void add(const ProcessStacks& process) {
    std::vector<std::size_t> numbers;
    numbers.reserve(process.stacks.size());
    for (const auto& stack : process.stacks)
      numbers.push_back(stacks_.number(frames_of(process, stack)));
    for (const auto& use : process.uses) {
      const std::string& file = use.file == DRAGNET_NO_FILE ? no_file_ : process.files[use.file];
      auto& sum = uses_[{numbers[use.stack], use.kind, file}];
      sum.first += use.calls;
      sum.second += use.amount;
    }
    lost_ += process.header.lost + process.header.lost_processes;
  }

  StackProfile profile() {
    StackProfile made;
    made.frames = frames_.take();
    made.stacks = stacks_.take();
    for (const auto& [key, sum] : uses_) {
      const auto& [stack, kind, file] = key;
      made.uses.push_back({stack, metrics[kind], file, sum.first, sum.second});
    }
    made.lost = lost_;
    return made;
  }

private:
  using Frames = std::vector<std::size_t>;
  using Spot = std::pair<std::string, std::uint64_t>; ///< a byte of a file

  Frames frames_of(const ProcessStacks& process, const dragnet_stack& stack) {
    Frames frames;
    Spot caller;
    for (std::size_t index = stack.depth; index-- > 0;) {
      const Spot spot = spot_of(process, stack, index);
      append(frames, frames_between(caller, spot));
      append(frames, frames_at(spot));
      caller = spot;
    }
    return frames;
  }

  static Spot spot_of(const ProcessStacks& process, const dragnet_stack& stack, std::size_t index) {
    // What is called returns behind the call.
    const std::uint64_t address = process.words[stack.word_at + index] - 1;
    const auto* module = process.module_at(address, stack);
    return module == nullptr ? Spot{}
                             : Spot{module->path, address - module->start + module->file_offset};
  }

  static void append(Frames& frames, const Frames& more) {
    frames.insert(frames.end(), more.begin(), more.end());
  }

  const Frames& frames_at(const Spot& spot) {
    const auto [found, added] = places_.emplace(spot, Frames{});
    if (added)
      for (const auto& frame : look_up(spot))
        found->second.push_back(frames_.number(frame));
    return found->second;
  }

  // Those that ended with a call on the way from one to the other.
  const Frames& frames_between(const Spot& caller, const Spot& callee) {
    const auto [found, added] = hidden_.emplace(std::pair(caller, callee), Frames{});
    if (added && is_file(caller) && is_file(callee))
      for (auto& place :
           hidden_between({places_in(caller), caller.second}, {places_in(callee), callee.second}))
        found->second.push_back(frames_.number(
            {{name_of_binary(caller.first), std::move(place.function)}, place.place, false}));
    return found->second;
  }

  static bool is_file(const Spot& spot) { return spot.first.starts_with('/'); }

  binary::CodePlaces& places_in(const Spot& spot) const { return code_.in(spot.first); }

  std::string name_of_binary(const std::string& path) const {
    const auto table = tables_.find(path);
    return table == tables_.end() ? path : table->second->binary;
  }

  std::vector<StackFrame> look_up(const Spot& spot) {
    const std::string binary = name_of_binary(spot.first);
    std::vector<StackFrame> frames;
    if (is_file(spot))
      for (auto& place : places_in(spot).at(spot.second))
        frames.push_back({{binary, std::move(place.function)}, place.place, place.inlined});
    if (frames.empty())
      frames.push_back({{binary, {}}, {}, false});
    if (const auto table = tables_.find(spot.first); table != tables_.end())
      if (const auto place = place_in_file(table->second, spot.second); place.function != nullptr)
        frames.front().function.name = place.function->name;
    return frames;
  }

  const Tables& tables_;
  binary::OpenCode& code_;
  const std::string no_file_;
  Numbering<StackFrame> frames_;
  Numbering<Frames> stacks_;
  std::map<Spot, Frames> places_;
  std::map<std::pair<Spot, Spot>, Frames> hidden_; ///< by caller and callee
  std::map<std::tuple<std::size_t, std::uint32_t, std::string>,
           std::pair<std::uint64_t, std::uint64_t>>
      uses_;
  std::uint64_t lost_ = 0;
};

void add(dragnet_transfers& sum, const dragnet_transfers& more) {
  sum.read_bytes += more.read_bytes;
  sum.written_bytes += more.written_bytes;
  sum.reads += more.reads;
  sum.writes += more.writes;
}

dragnet_transfers between(const dragnet_transfers& from, const dragnet_transfers& to) {
  return {to.read_bytes - from.read_bytes, to.written_bytes - from.written_bytes,
          to.reads - from.reads, to.writes - from.writes};
}

} // namespace

StackProfile stack_profile(std::span<const ProcessStacks> processes, const Tables& tables,
                           binary::OpenCode& code) {
  code.renew();
  Assembly assembly(tables, code);
  for (const auto& process : processes)
    assembly.add(process);
  return assembly.profile();
}

std::optional<dragnet_transfers> unwatched(std::span<const ProcessStacks> processes) {
  dragnet_transfers sum{};
  const ProcessStacks* before = nullptr;
  for (const auto& process : processes) {
    const auto& header = process.header;
    add(sum, header.own);
    // What is accounted goes on from one image of a process to the next.
    const bool goes_on = before != nullptr && before->header.process == header.process;
    if (goes_on && header.forked == 0 && before->header.ended == 0)
      return std::nullopt;
    if (header.forked == 0)
      add(sum, between(goes_on ? before->header.at_end : dragnet_transfers{}, header.at_start));
    before = &process;
  }
  return sum;
}

dragnet_transfers transferred(std::span<const ProcessStacks> processes) {
  dragnet_transfers sum{};
  for (const auto& process : processes)
    for (const auto& use : process.uses) {
      if (use.kind == DRAGNET_WRITTEN)
        add(sum, {.read_bytes = 0, .written_bytes = use.amount, .reads = 0, .writes = use.calls});
      else if (use.kind == DRAGNET_READ)
        add(sum, {.read_bytes = use.amount, .written_bytes = 0, .reads = use.calls, .writes = 0});
    }
  return sum;
}

std::uint64_t unwatched_programs(std::span<const ProcessStacks> processes) {
  std::uint64_t started = 1; // the first one was started by us
  std::uint64_t watched = 0;
  for (const auto& process : processes) {
    started += process.header.started;
    watched += process.header.forked == 0 ? 1 : 0;
  }
  return started > watched ? started - watched : 0;
}

std::vector<std::string> gaps(std::span<const ProcessStacks> processes) {
  std::set<std::string> found;
  for (const auto& process : processes) {
    const dragnet_stack all{.hash = 0,
                            .word_at = 0,
                            .depth = 0,
                            .modules = static_cast<std::uint32_t>(process.modules.size()),
                            .whole = 1};
    for (const auto& gap : process.gaps)
      if (const auto* module = process.module_at(gap.address, all))
        found.insert(fmt::format("{}+0x{:x}: {}", module->path,
                                 gap.address - module->start + module->file_offset,
                                 gap.number == 0x7fffffff ? "?" : fmt::format("{}", gap.number)));
  }
  return {found.begin(), found.end()};
}

} // namespace dragnet::profile
