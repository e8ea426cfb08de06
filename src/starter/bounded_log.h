// Keeps the beginning and the end of a stream of any length in fixed memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dragnet::starter {

/// The memory belongs to the caller; a quarter holds the beginning, the rest is a ring of the end.
class BoundedLog {
public:
  BoundedLog(char* memory, std::size_t size)
      : head_(memory), head_size_(size / 4), ring_(memory + head_size_),
        ring_size_(size - head_size_) {}

  void add(const char* bytes, std::size_t count);

  /// How many bytes were added in all.
  std::uint64_t total() const { return head_used_ + ring_total_; }

  /// How many bytes `copy` writes.
  std::size_t kept() const;

  /// Writes what is kept, in order; where the middle is missing, a line says so.
  void copy(char* into) const;

private:
  std::size_t gap_note(char* into) const;

  char* head_;
  std::size_t head_size_;
  std::size_t head_used_ = 0;
  char* ring_;
  std::size_t ring_size_;
  std::uint64_t ring_total_ = 0;
};

} // namespace dragnet::starter
