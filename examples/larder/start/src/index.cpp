#include "index.h"

#include "keys.h"

#include <algorithm>

namespace larder {
namespace {

class HashIndex : public Index {
public:
  explicit HashIndex(const Image& image) : image_(image), slots_(1024) {}

  void put(std::string_view key, Offset offset) override {
    if (used_ * 10 >= slots_.size() * 7)
      grow();
    const std::uint64_t hash = hash_key(key);
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].used && !(slots_[at].hash == hash && image_.key_at(slots_[at].offset) == key))
      at = (at + 1) & (slots_.size() - 1);
    if (!slots_[at].used)
      ++used_;
    slots_[at] = {hash, offset, true};
  }

  std::optional<Offset> find(std::string_view key) override {
    const std::uint64_t hash = hash_key(key);
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].used && !(slots_[at].hash == hash && image_.key_at(slots_[at].offset) == key))
      at = (at + 1) & (slots_.size() - 1);
    if (!slots_[at].used)
      return std::nullopt;
    return slots_[at].offset;
  }

  std::vector<Offset> all() override {
    std::vector<Offset> offsets;
    offsets.reserve(used_);
    for (const Slot& slot : slots_)
      if (slot.used)
        offsets.push_back(slot.offset);
    return offsets;
  }

private:
  struct Slot {
    std::uint64_t hash = 0;
    Offset offset = 0;
    bool used = false;
  };

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (!slot.used)
        continue;
      std::size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].used)
        at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  const Image& image_;
  std::vector<Slot> slots_; // a power of two of them
  std::size_t used_ = 0;
};

// A sorted list, and the records that came since it was sorted. They are merged into the list when
// somebody asks for a key.
class SortedIndex : public Index {
public:
  explicit SortedIndex(const Image& image) : image_(image) {}

  void put(std::string_view, Offset offset) override { recent_.push_back(offset); }

  std::optional<Offset> find(std::string_view key) override {
    merge_recent();
    const auto place =
        std::lower_bound(sorted_.begin(), sorted_.end(), key, [this](Offset left, auto right) {
          return compare_keys(image_.key_at(left), right) < 0;
        });
    if (place == sorted_.end() || compare_keys(image_.key_at(*place), key) != 0)
      return std::nullopt;
    return *place;
  }

  std::vector<Offset> all() override {
    merge_recent();
    return sorted_;
  }

private:
  void merge_recent() {
    if (recent_.empty())
      return;
    // The newest record of a key first, so that the older ones are dropped.
    const auto before = [this](Offset left, Offset right) {
      const int order = compare_keys(image_.key_at(left), image_.key_at(right));
      return order != 0 ? order < 0 : left > right;
    };
    std::sort(recent_.begin(), recent_.end(), before);
    const auto middle = sorted_.insert(sorted_.end(), recent_.begin(), recent_.end());
    std::inplace_merge(sorted_.begin(), middle, sorted_.end(), before);
    const auto same = [this](Offset left, Offset right) {
      return compare_keys(image_.key_at(left), image_.key_at(right)) == 0;
    };
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end(), same), sorted_.end());
    recent_.clear();
  }

  const Image& image_;
  std::vector<Offset> sorted_;
  std::vector<Offset> recent_;
};

} // namespace

std::unique_ptr<Index> make_index(IndexKind kind, const Image& image) {
  if (kind == IndexKind::Sorted)
    return std::make_unique<SortedIndex>(image);
  return std::make_unique<HashIndex>(image);
}

} // namespace larder
