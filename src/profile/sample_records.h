// What the kernel's sampler says (perf_event_open(2)), record by record, and what the samples mean.
#pragma once

#include "base/result.h"
#include "model/profile.h"
#include "profile/tally.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dragnet::profile {

/// Something that happened while a program was sampled.
struct SampleEvent {
  /// In the order in which events of the same time are looked at.
  enum class Kind : std::uint8_t { Forked, Executed, Mapped, Sample, Lost };
  Kind kind = Kind::Sample;
  std::uint32_t process = 0;
  std::uint32_t parent = 0;      ///< of a process that forked
  std::uint64_t time = 0;        ///< in nanoseconds, from the kernel's clock
  std::uint64_t address = 0;     ///< that was executed, or where a file is mapped
  std::uint64_t size = 0;        ///< of a mapping in bytes; how many samples were lost
  std::uint64_t file_offset = 0; ///< of a mapping
  std::string path;              ///< of a mapping
};

/// The events in whole records of one ring buffer; records of other kinds are skipped. The events
/// must have been opened with the sample type of `sample`.
Result<std::vector<SampleEvent>> parse_sample_records(std::span<const std::byte> records);

/// The samples by function, in place of instructions. Fails when more than a tenth was lost.
Result<Profile> attribute(std::vector<SampleEvent> events, const Tables& tables,
                          const Identify& identify);

} // namespace dragnet::profile
