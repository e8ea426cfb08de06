#include "starter/bounded_log.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace dragnet::starter {

void BoundedLog::add(const char* bytes, std::size_t count) {
  const std::size_t to_head = std::min(count, head_size_ - head_used_);
  std::copy_n(bytes, to_head, head_ + head_used_);
  head_used_ += to_head;
  bytes += to_head;
  count -= to_head;
  if (count > ring_size_) {
    ring_total_ += count - ring_size_;
    bytes += count - ring_size_;
    count = ring_size_;
  }
  while (count > 0 && ring_size_ > 0) {
    const std::size_t at = ring_total_ % ring_size_;
    const std::size_t part = std::min(count, ring_size_ - at);
    std::copy_n(bytes, part, ring_ + at);
    ring_total_ += part;
    bytes += part;
    count -= part;
  }
}

std::size_t BoundedLog::gap_note(char* into) const {
  char note[64];
  const int size = ring_total_ <= ring_size_
                       ? 0
                       : std::snprintf(note, sizeof note, "\n[... %llu bytes left out ...]\n",
                                       static_cast<unsigned long long>(ring_total_ - ring_size_));
  if (into != nullptr)
    std::copy_n(note, static_cast<std::size_t>(size), into);
  return static_cast<std::size_t>(size);
}

std::size_t BoundedLog::kept() const {
  return head_used_ + gap_note(nullptr) +
         static_cast<std::size_t>(std::min<std::uint64_t>(ring_total_, ring_size_));
}

void BoundedLog::copy(char* into) const {
  std::copy_n(head_, head_used_, into);
  into += head_used_;
  into += gap_note(into);
  if (ring_total_ <= ring_size_) {
    std::copy_n(ring_, static_cast<std::size_t>(ring_total_), into);
    return;
  }
  if (ring_size_ == 0)
    return;
  const std::size_t oldest = ring_total_ % ring_size_;
  std::copy_n(ring_ + oldest, ring_size_ - oldest, into);
  std::copy_n(ring_, oldest, into + ring_size_ - oldest);
}

} // namespace dragnet::starter
