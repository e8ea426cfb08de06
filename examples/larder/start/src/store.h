// The store: a log of records on disk, its image in memory, and an index over the image.
#pragma once

#include "compress.h"
#include "index.h"
#include "log.h"
#include "record.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace larder {

struct StoreOptions {
  std::string data; ///< the data file; empty: keep everything in memory only
  IndexKind index = IndexKind::Hash;
  Flush flush = Flush::Never;
  bool compress = false;
  bool checksum = false;
  bool verify = false; ///< check every record when the store is opened
};

class Store {
public:
  /// Opens the data file and indexes what it holds. Throws Failure.
  explicit Store(const StoreOptions& options);

  void put(std::string_view key, std::string_view value);
  /// False if there is no such key. Throws Failure if its record is damaged.
  bool get(std::string_view key, std::string& value);
  /// False if there was no such key.
  bool erase(std::string_view key);

  using Visit = std::function<void(std::string_view key, std::string_view value)>;
  /// Visits the keys that begin with the prefix, in order.
  void scan(std::string_view prefix, const Visit& visit);

  /// Drops erased and overwritten records, and returns how many bytes that saved.
  std::size_t compact();
  /// Everything put so far is in the data file afterwards; the store must not be changed any more.
  void close();

private:
  void open_log();
  void index_image();
  void append(const Record& record);
  void read_value(const Record& record, std::string& value) const;

  StoreOptions options_;
  Image image_;
  std::unique_ptr<Index> index_;
  std::unique_ptr<Log> log_;
  Compressor compressor_;
  std::string coded_;
};

} // namespace larder
