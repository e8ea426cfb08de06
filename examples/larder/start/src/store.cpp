#include "store.h"

#include "checksum.h"
#include "failure.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace larder {
namespace {

std::uint32_t sum_of(const Record& record) { return checksum(record.key) ^ checksum(record.value); }

void check_sum(const Record& record) {
  if (record.sum && *record.sum != sum_of(record))
    throw Failure("the record of key '" + std::string(record.key) + "' is damaged");
}

} // namespace

Store::Store(const StoreOptions& options) : options_(options) {
  if (!options_.data.empty() && image_.assign(read_data_file(options_.data)) > 0)
    replace_data_file(options_.data, image_.bytes_from(0));
  index_image();
  open_log();
}

void Store::open_log() {
  if (!options_.data.empty())
    log_ = std::make_unique<Log>(options_.data, options_.flush);
}

void Store::index_image() {
  index_ = make_index(options_.index, image_);
  for (Offset offset = 0; offset < image_.end(); offset = image_.next(offset)) {
    if (options_.verify)
      check_sum(image_.at(offset));
    index_->put(image_.key_at(offset), offset);
  }
}

void Store::append(const Record& record) {
  const Offset offset = image_.append(record);
  index_->put(record.key, offset);
  if (log_)
    log_->append(image_.bytes_from(offset));
}

void Store::put(std::string_view key, std::string_view value) {
  Record record;
  record.key = key;
  record.value = value;
  if (options_.compress) {
    compressor_.compress(value, coded_);
    if (coded_.size() < value.size()) {
      record.value = coded_;
      record.compressed = true;
    }
  }
  if (options_.checksum)
    record.sum = sum_of(record);
  append(record);
}

bool Store::get(std::string_view key, std::string& value) {
  const std::optional<Offset> offset = index_->find(key);
  if (!offset)
    return false;
  const Record record = image_.at(*offset);
  if (record.erased)
    return false;
  read_value(record, value);
  return true;
}

void Store::read_value(const Record& record, std::string& value) const {
  check_sum(record);
  if (!record.compressed)
    value.assign(record.value);
  else if (!decompress(record.value, value))
    throw Failure("the value of key '" + std::string(record.key) + "' cannot be decompressed");
}

bool Store::erase(std::string_view key) {
  const std::optional<Offset> offset = index_->find(key);
  if (!offset || image_.at(*offset).erased)
    return false;
  Record record;
  record.erased = true;
  record.key = key;
  if (options_.checksum)
    record.sum = sum_of(record);
  append(record);
  return true;
}

void Store::scan(std::string_view prefix, const Visit& visit) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const Offset offset : index_->all()) {
    const Record record = image_.at(offset);
    if (record.erased)
      continue;
    std::string value;
    read_value(record, value);
    if (record.key.starts_with(prefix))
      found.emplace_back(record.key, value);
  }
  std::sort(found.begin(), found.end());
  for (const auto& [key, value] : found)
    visit(key, value);
}

std::size_t Store::compact() {
  Image kept;
  std::vector<Offset> offsets = index_->all();
  std::sort(offsets.begin(), offsets.end());
  for (const Offset offset : offsets) {
    const Record record = image_.at(offset);
    check_sum(record);
    if (!record.erased)
      kept.append(record);
  }
  const std::size_t saved = image_.end() - kept.end();
  if (log_) {
    log_->close();
    replace_data_file(options_.data, kept.bytes_from(0));
  }
  image_ = std::move(kept);
  index_image();
  open_log();
  return saved;
}

void Store::close() {
  if (log_)
    log_->close();
  log_.reset();
}

} // namespace larder
