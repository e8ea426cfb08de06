#include "profile/sample_records.h"

#include "base/result.h"
#include "model/profile.h"
#include "profile/tally.h"

#include <fmt/core.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

using Bytes = std::span<const std::byte>;

// Reads numbers one after the other; behind the end they are 0 and the reader is no longer sound.
class Cursor {
public:
  explicit Cursor(Bytes bytes) : bytes_(bytes) {}

  template <class Number>
  Number next() {
    Number number = 0;
    if (bytes_.size() < sizeof number) {
      sound_ = false;
      return number;
    }
    std::memcpy(&number, bytes_.data(), sizeof number);
    bytes_ = bytes_.subspan(sizeof number);
    return number;
  }
  void skip(std::size_t size) {
    sound_ = sound_ && size <= bytes_.size();
    bytes_ = bytes_.subspan(std::min(size, bytes_.size()));
  }
  std::string text() {
    std::string text;
    for (const std::byte byte : bytes_) {
      if (byte == std::byte{0})
        return text;
      text += static_cast<char>(byte);
    }
    sound_ = false;
    return text;
  }
  bool sound() const { return sound_; }

private:
  Bytes bytes_;
  bool sound_ = true;
};

// Behind each record but samples: process, thread, time.
constexpr std::size_t tail_size = 16;

SampleEvent sample_in(Cursor& from) {
  SampleEvent event;
  event.kind = SampleEvent::Kind::Sample;
  event.address = from.next<std::uint64_t>();
  event.process = from.next<std::uint32_t>();
  from.next<std::uint32_t>(); // the thread
  event.time = from.next<std::uint64_t>();
  return event;
}

SampleEvent mapping_in(Cursor& from) {
  SampleEvent event;
  event.kind = SampleEvent::Kind::Mapped;
  event.process = from.next<std::uint32_t>();
  from.next<std::uint32_t>(); // the thread
  event.address = from.next<std::uint64_t>();
  event.size = from.next<std::uint64_t>();
  event.file_offset = from.next<std::uint64_t>();
  from.skip(32); // device, inode, its generation, protection and flags
  event.path = from.text();
  return event;
}

SampleEvent fork_in(Cursor& from) {
  SampleEvent event;
  event.kind = SampleEvent::Kind::Forked;
  event.process = from.next<std::uint32_t>();
  event.parent = from.next<std::uint32_t>();
  return event;
}

SampleEvent name_in(Cursor& from) {
  SampleEvent event;
  event.kind = SampleEvent::Kind::Executed;
  event.process = from.next<std::uint32_t>();
  return event;
}

SampleEvent loss_in(Cursor& from) {
  SampleEvent event;
  event.kind = SampleEvent::Kind::Lost;
  from.next<std::uint64_t>(); // of which event
  event.size = from.next<std::uint64_t>();
  return event;
}

bool is_wanted(const perf_event_header& header) {
  switch (header.type) {
  case PERF_RECORD_SAMPLE:
  case PERF_RECORD_MMAP2:
  case PERF_RECORD_FORK:
  case PERF_RECORD_LOST:
    return true;
  case PERF_RECORD_COMM:
    return (header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
  default:
    return false;
  }
}

SampleEvent event_in(std::uint32_t type, Cursor& from) {
  switch (type) {
  case PERF_RECORD_SAMPLE:
    return sample_in(from);
  case PERF_RECORD_MMAP2:
    return mapping_in(from);
  case PERF_RECORD_FORK:
    return fork_in(from);
  case PERF_RECORD_LOST:
    return loss_in(from);
  default:
    return name_in(from);
  }
}

Error damaged() {
  return Error{"the kernel's samples cannot be read", "profile the benchmark again"};
}

Result<SampleEvent> parse_record(const perf_event_header& header, Bytes body) {
  Cursor from(body);
  SampleEvent event = event_in(header.type, from);
  if (!from.sound())
    return damaged();
  if (header.type == PERF_RECORD_SAMPLE)
    return event;
  if (body.size() < tail_size)
    return damaged();
  Cursor tail(body.last(tail_size));
  tail.skip(8); // process and thread
  event.time = tail.next<std::uint64_t>();
  return event;
}

// What is mapped where in each process, as of the event before.
class Memories {
public:
  void note(const SampleEvent& event) {
    switch (event.kind) {
    case SampleEvent::Kind::Mapped:
      processes_[event.process][event.address] = event;
      break;
    case SampleEvent::Kind::Forked:
      if (event.process != event.parent)
        processes_[event.process] = processes_[event.parent];
      break;
    case SampleEvent::Kind::Executed:
      processes_[event.process].clear();
      break;
    case SampleEvent::Kind::Sample:
    case SampleEvent::Kind::Lost:
      break;
    }
  }

  const SampleEvent* mapping_of(const SampleEvent& sample) const {
    const auto process = processes_.find(sample.process);
    if (process == processes_.end())
      return nullptr;
    const auto behind = process->second.upper_bound(sample.address);
    if (behind == process->second.begin())
      return nullptr;
    const SampleEvent& mapping = std::prev(behind)->second;
    return sample.address - mapping.address < mapping.size ? &mapping : nullptr;
  }

private:
  std::map<std::uint32_t, std::map<std::uint64_t, SampleEvent>> processes_;
};

void add_sample(const SampleEvent& sample, const SampleEvent* mapping, const Tables& tables,
                Tally& tally) {
  const auto table = mapping == nullptr ? tables.end() : tables.find(mapping->path);
  if (table == tables.end()) {
    tally.executed_outside(mapping == nullptr ? "" : mapping->path, 1);
    return;
  }
  const auto offset = sample.address - mapping->address + mapping->file_offset;
  tally.executed(place_in_file(table->second, offset), 1, 1);
}

} // namespace

Result<std::vector<SampleEvent>> parse_sample_records(Bytes records) {
  std::vector<SampleEvent> events;
  while (!records.empty()) {
    perf_event_header header{};
    if (records.size() < sizeof header)
      return damaged();
    std::memcpy(&header, records.data(), sizeof header);
    if (header.size < sizeof header || header.size > records.size())
      return damaged();
    const auto body = records.subspan(sizeof header, header.size - sizeof header);
    if (is_wanted(header))
      events.push_back(TRY(parse_record(header, body)));
    records = records.subspan(header.size);
  }
  return events;
}

Result<Profile> attribute(std::vector<SampleEvent> events, const Tables& tables,
                          const Identify& identify) {
  std::ranges::sort(events, {},
                    [](const SampleEvent& event) { return std::pair(event.time, event.kind); });
  Memories memories;
  Tally tally;
  std::uint64_t samples = 0;
  std::uint64_t lost = 0;
  for (const auto& event : events) {
    memories.note(event);
    if (event.kind == SampleEvent::Kind::Lost)
      lost += event.size;
    if (event.kind != SampleEvent::Kind::Sample)
      continue;
    ++samples;
    add_sample(event, memories.mapping_of(event), tables, tally);
  }
  if (lost > samples / 10)
    return Error{fmt::format("{} of {} samples were lost", lost, samples + lost),
                 "profile the benchmark on a machine with less to do"};
  return tally.profile(Counting::Sampled, identify);
}

} // namespace dragnet::profile
