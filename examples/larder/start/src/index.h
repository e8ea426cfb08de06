// Where the newest record of each key starts in the image. Two kinds: a hash table, quick to look
// up in, and a sorted list, quick to scan.
#pragma once

#include "record.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace larder {

enum class IndexKind { Hash, Sorted };

class Index {
public:
  virtual ~Index() = default;

  /// From now on the key's newest record is the one at `offset`, which is in the image already.
  virtual void put(std::string_view key, Offset offset) = 0;
  virtual std::optional<Offset> find(std::string_view key) = 0;
  /// The newest record of each key, in no particular order.
  virtual std::vector<Offset> all() = 0;
};

/// An empty index over the image, which must outlive it.
std::unique_ptr<Index> make_index(IndexKind kind, const Image& image);

} // namespace larder
