"""Changes of what the example program computes, for eval/rank-planted."""

import os
import re

from plants import Edit, Plant, Subject, tree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STORE, INDEX, KEYS, LOG, RECORD = "src/store.cpp", "src/index.cpp", "src/keys.cpp", "src/log.cpp", "src/record.cpp"
COMPRESS, CHECKSUM, SCRIPT, GENERATE = "src/compress.cpp", "src/checksum.cpp", "src/script.cpp", "src/generate.cpp"
LOOP, CALL, GROWN, REMOVED, RECURSION = "loop over a collection", "call into a loop", "collection grown", "call removed", "recursion"


def after(file, text, more):
    return Edit(file, text, text + more)


def before(file, text, more):
    return Edit(file, text, more + text)


def plant(name, kind, *edits):
    return Plant(name, kind, "", "", list(edits))


SORT_FOUND = "  std::sort(found.begin(), found.end());\n"
SORT_OFFSETS = "  std::sort(offsets.begin(), offsets.end());\n"
INCLUDE_KEYS = Edit(STORE, '#include "failure.h"\n', '#include "failure.h"\n#include "keys.h"\n')

PLANTS = [
    plant("scan-sums", LOOP, after(STORE, SORT_FOUND, "  std::uint32_t sum = 0;\n  for (const auto& one : found)\n"
                                   "    sum ^= checksum(one.second);\n  if (sum == 1)\n    found.clear();\n")),
    plant("scan-sizes", LOOP, after(STORE, SORT_FOUND, "  std::size_t size = 0;\n  for (const auto& one : found)\n    for (char letter : one.first)\n"
                                    "      size += static_cast<unsigned char>(letter);\n  if (size == 1)\n    found.clear();\n")),
    plant("compact-walk", LOOP, after(STORE, SORT_OFFSETS, "  std::size_t total = 0;\n  for (const Offset offset : offsets)\n"
                                      "    total += image_.at(offset).value.size();\n  if (total == 1)\n    return 0;\n")),
    plant("slots-counted", LOOP, Edit(INDEX, "    offsets.reserve(used_);\n", "    std::size_t used = 0;\n    for (const Slot& slot : slots_)\n"
                                      "      used += slot.used ? 1 : 0;\n    offsets.reserve(used);\n")),
    plant("grow-counted", LOOP, after(INDEX, "    old.swap(slots_);\n", "    std::size_t moved = 0;\n    for (const Slot& slot : old)\n"
                                      "      moved += slot.used ? 1 : 0;\n    used_ = moved;\n")),
    plant("merge-walk", LOOP, before(INDEX, "    recent_.clear();\n", "    std::size_t bytes = 0;\n    for (const Offset offset : sorted_)\n"
                                     "      bytes += image_.key_at(offset).size();\n    if (bytes == 1)\n      return;\n")),
    plant("recent-walk", LOOP, before(INDEX, "    std::sort(recent_.begin()", "    std::size_t bytes = 0;\n    for (const Offset offset : recent_)\n"
                                      "      bytes += hash_key(image_.key_at(offset));\n    if (bytes == 1)\n      return;\n")),
    plant("checksum-walk", LOOP, before(CHECKSUM, "  return ~sum;", "  for (unsigned char byte : bytes)\n    sum += byte;\n")),
    plant("hash-walk", LOOP, after(KEYS, "  std::uint64_t hash = key.size();\n", "  for (const char letter : key)\n    hash += static_cast<unsigned char>(letter);\n")),
    plant("image-walk", LOOP, before(STORE, "  for (Offset offset = 0; offset < image_.end()", "  std::size_t bytes = 0;\n"
                                     "  for (Offset at = 0; at < image_.end(); at = image_.next(at))\n    bytes += image_.key_at(at).size();\n"
                                     "  if (bytes == 1)\n    return;\n")),
    plant("compress-walk", LOOP, after(COMPRESS, "  std::size_t literals = 0;\n", "  for (const char byte : block)\n"
                                       "    literals += byte == '\\0' ? 1 : 0;\n  literals = 0;\n")),
    plant("append-walk", LOOP, after(RECORD, "  const Offset offset = bytes_.size();\n", "  unsigned sum = 0;\n  for (const char byte : record.value)\n"
                                     "    sum = sum * 3 + static_cast<unsigned char>(byte);\n  if (sum == 1)\n    return offset;\n")),
    plant("put-walk", LOOP, before(STORE, "  record.key = key;\n  record.value = value;\n", "  unsigned sum = 0;\n  for (const char byte : key)\n"
                                   "    sum = sum * 3 + static_cast<unsigned char>(byte);\n  if (sum == 1)\n    return;\n")),
    plant("text-walk", LOOP, before(GENERATE, "  return text;\n", "  for (char& letter : text)\n    letter = letter == '~' ? ' ' : letter;\n")),
    plant("log-walk", LOOP, before(LOG, "  buffer_.append(record);\n", "  unsigned sum = 0;\n  for (const char byte : record)\n"
                                   "    sum = sum * 3 + static_cast<unsigned char>(byte);\n  if (sum == 1)\n    return;\n")),
    plant("buffer-walk", LOOP, before(LOG, "  write_all(file_, buffer_, path_);\n", "  unsigned sum = 0;\n  for (const char byte : buffer_)\n"
                                      "    sum = sum * 3 + static_cast<unsigned char>(byte);\n  if (sum == 1)\n    return;\n")),
    plant("get-walk", LOOP, before(STORE, "  read_value(record, value);\n  return true;", "  unsigned sum = 0;\n  for (const char byte : record.value)\n"
                                   "    sum = sum * 3 + static_cast<unsigned char>(byte);\n  if (sum == 1)\n    return false;\n")),
    plant("compare-walk", LOOP, after(KEYS, "  std::size_t same = 0;\n", "  std::size_t letters = 0;\n  for (const char letter : left)\n"
                                      "    letters += letter == '~' ? 1 : 0;\n  if (letters == 1)\n    return 0;\n")),

    plant("put-sums", CALL, before(STORE, "  record.key = key;\n  record.value = value;\n", "  if (checksum(value) == 1)\n    return;\n")),
    plant("get-sums", CALL, after(STORE, "bool Store::get(std::string_view key, std::string& value) {\n", "  if (checksum(key) == 1)\n    return false;\n")),
    plant("get-values", CALL, before(STORE, "  read_value(record, value);\n  return true;", "  if (checksum(record.value) == 1)\n    return false;\n")),
    plant("scan-hashes", CALL, INCLUDE_KEYS, before(STORE, "    if (record.key.starts_with(prefix))\n", "    if (hash_key(record.key) == 1)\n      continue;\n")),
    plant("compact-sums", CALL, before(STORE, "    if (!record.erased)\n      kept.append(record);\n", "    if (checksum(record.value) == 1)\n      continue;\n")),
    plant("image-hashes", CALL, INCLUDE_KEYS, before(STORE, "    index_->put(image_.key_at(offset), offset);\n",
                                                     "    if (hash_key(image_.key_at(offset)) == 1)\n      continue;\n")),
    plant("find-twice", CALL, after(INDEX, "  std::optional<Offset> find(std::string_view key) override {\n    const std::uint64_t hash = hash_key(key);\n",
                                    "    if (hash_key(key) != hash)\n      return std::nullopt;\n")),
    plant("put-twice", CALL, after(INDEX, "      grow();\n    const std::uint64_t hash = hash_key(key);\n", "    if (hash_key(key) != hash)\n      return;\n")),
    plant("sorted-compare", CALL,
          before(INDEX, "    if (place == sorted_.end() || compare_keys", "    if (place != sorted_.end() && compare_keys(image_.key_at(*place), key) > 1000000)\n"
                 "      return std::nullopt;\n")),
    plant("lookup-keys", CALL,
          Edit(SCRIPT, "  for (std::uint32_t i = 0; i < count; ++i)\n    found +=", "  for (std::uint32_t i = 0; i < count; ++i)\n    keys.key(i);\n"
               "  for (std::uint32_t i = 0; i < count; ++i)\n    found +=")),
    plant("fill-keys", CALL, Edit(SCRIPT, "  for (std::uint32_t i = 0; i < count; ++i)\n    store.put(", "  for (std::uint32_t i = 0; i < count; ++i)\n"
                                  "    keys.key(i);\n  for (std::uint32_t i = 0; i < count; ++i)\n    store.put(")),
    plant("read-sums", CALL, before(STORE, "  if (!record.compressed)\n    value.assign", "  if (checksum(record.key) == 1)\n    return;\n")),
    plant("log-sums", CALL, Edit(LOG, '#include "failure.h"\n', '#include "checksum.h"\n#include "failure.h"\n'),
          before(LOG, "  buffer_.append(record);\n", "  if (checksum(record) == 1)\n    return;\n")),
    plant("match-twice", CALL, before(COMPRESS, "  return {at - from, common_length(", "  if (common_length(block.data() + from, block.data() + at, limit) == 1)\n"
                                      "    return {};\n")),
    plant("append-heads", CALL, before(STORE, "  if (log_)\n    log_->append(", "  if (image_.at(offset).key.size() == 1)\n    return;\n")),

    plant("all-twice", GROWN, Edit(INDEX, "      if (slot.used)\n        offsets.push_back(slot.offset);\n",
                                   "      if (slot.used) {\n        offsets.push_back(slot.offset);\n        offsets.push_back(slot.offset);\n      }\n")),
    plant("recent-twice", GROWN, Edit(INDEX, "override { recent_.push_back(offset); }", "override {\n    recent_.push_back(offset);\n    recent_.push_back(offset);\n  }")),
    plant("found-twice", GROWN, Edit(STORE, "      found.emplace_back(record.key, value);\n", "    {\n      found.emplace_back(record.key, value);\n"
                                     "      found.emplace_back(record.key, value);\n    }\n")),
    plant("more-slots", GROWN, Edit(INDEX, "slots_(1024)", "slots_(1024 * 1024)")),
    plant("more-text", GROWN, Edit(SCRIPT, "make_text(64 * 1024 + value_size)", "make_text(4 * 64 * 1024 + value_size)")),

    plant("scan-unsorted", REMOVED, Edit(STORE, SORT_FOUND, "")),
    plant("compact-unsorted", REMOVED, Edit(STORE, SORT_OFFSETS, "")),
    plant("compact-unchecked", REMOVED, Edit(STORE, "    check_sum(record);\n    if (!record.erased)", "    if (!record.erased)")),
    plant("put-unsummed", REMOVED, Edit(STORE, "  if (options_.checksum)\n    record.sum = sum_of(record);\n  append(record);\n}\n\nbool Store::get",
                                        "  append(record);\n}\n\nbool Store::get")),
    plant("unlogged", REMOVED, Edit(STORE, "  if (log_)\n    log_->append(image_.bytes_from(offset));\n", "")),
    plant("scan-unread", REMOVED, Edit(STORE, "    read_value(record, value);\n    if (record.key.starts", "    if (record.key.starts")),
    plant("uncompressed", REMOVED, Edit(STORE, "    compressor_.compress(value, coded_);\n", "    coded_.assign(value);\n")),

    plant("checksum-halves", RECURSION, after(CHECKSUM, "std::uint32_t checksum(std::string_view bytes) {\n", "  if (bytes.size() > 64)\n"
                                              "    return checksum(bytes.substr(0, bytes.size() / 2)) ^ checksum(bytes.substr(bytes.size() / 2)) ^\n"
                                              "           checksum(bytes.substr(0, 16));\n")),
    plant("hash-halves", RECURSION, after(KEYS, "std::uint64_t hash_key(std::string_view key) {\n", "  if (key.size() > 64)\n"
                                          "    return hash_key(key.substr(0, 60)) ^ hash_key(key.substr(60)) ^ hash_key(key.substr(8));\n")),
    plant("compare-steps", RECURSION, after(KEYS, "int compare_long_keys(std::string_view left, std::string_view right) {\n",
                                            "  if (left.size() > 80 && right.size() > 80 && left[0] == right[0])\n"
                                            "    return compare_long_keys(left.substr(1), right.substr(1));\n")),
    plant("literals-halves", RECURSION, after(COMPRESS, "void append_literals(std::string_view bytes, std::string& coded) {\n", "  if (bytes.size() > 4) {\n"
                                              "    append_literals(bytes.substr(0, bytes.size() / 2), coded);\n"
                                              "    return append_literals(bytes.substr(bytes.size() / 2), coded);\n  }\n")),
    plant("match-steps", RECURSION, after(COMPRESS, "std::size_t common_length(const char* left, const char* right, std::size_t limit) {\n",
                                          "  if (limit > 8 && left[0] == right[0])\n    return 1 + common_length(left + 1, right + 1, limit - 1);\n")),
]

# Planted to see how the rules do on plants that nobody looked at while they were made.
FRESH = [
    plant("hash-bytes", LOOP, before(KEYS, "  if (at < end && key.size() >= 8)\n", "  for (const char* one = key.data(); one < end; ++one)\n    hash ^= static_cast<unsigned char>(*one);\n")),
    plant("coded-walk", LOOP, before(COMPRESS, "  append_literals(block.substr(literals), coded);\n  block_start_", "  unsigned sum = 0;\n  for (const char byte : coded)\n"
                                     "    sum = sum * 3 + static_cast<unsigned char>(byte);\n  if (sum == 1)\n    return;\n")),
    plant("kept-walk", LOOP, before(STORE, "  const std::size_t saved = image_.end() - kept.end();\n", "  std::size_t bytes = 0;\n"
                                    "  for (Offset at = 0; at < kept.end(); at = kept.next(at))\n    bytes += kept.key_at(at).size();\n  if (bytes == 1)\n    return 0;\n")),
    plant("visit-walk", LOOP, before(STORE, "  for (const auto& [key, value] : found)\n    visit(", "  std::size_t bytes = 0;\n  for (const auto& [key, value] : found)\n"
                                     "    for (const char letter : value)\n      bytes += static_cast<unsigned char>(letter);\n  if (bytes == 1)\n    return;\n")),
    plant("slots-walk", LOOP, before(INDEX, "    std::vector<Slot> old(slots_.size() * 2);\n", "    std::uint64_t sum = 0;\n    for (const Slot& slot : slots_)\n      sum = sum * 3 + slot.hash;\n"
                                     "    if (sum == 1)\n      return;\n")),
    plant("sorted-walk", LOOP, before(INDEX, "    merge_recent();\n    return sorted_;\n", "    std::size_t bytes = 0;\n    for (const Offset offset : sorted_)\n"
                                      "      bytes += image_.key_at(offset).size();\n    if (bytes == 1)\n      return {};\n")),
    plant("erase-hash", CALL, INCLUDE_KEYS, after(STORE, "void Store::put(std::string_view key, std::string_view value) {\n", "  if (hash_key(key) == 1)\n    return;\n")),
    plant("put-finds", CALL, after(STORE, "void Store::put(std::string_view key, std::string_view value) {\n", "  if (index_->find(key) && options_.data == \"?\")\n    return;\n")),
    plant("get-compare", CALL, INCLUDE_KEYS, before(STORE, "  read_value(record, value);\n  return true;", "  if (compare_keys(record.key, key) != 0)\n    return false;\n")),
    plant("key-twice", CALL, Edit(SCRIPT, "    found += store.get(keys.key(", "    found += keys.key(i).empty() || store.get(keys.key(")),
    plant("scan-next", CALL, before(STORE, "    if (record.key.starts_with(prefix))\n", "    if (image_.next(offset) == offset)\n      continue;\n")),
    plant("more-words", GROWN, Edit(GENERATE, "constexpr std::size_t number_size = 8;", "constexpr std::size_t number_size = 12;")),
    plant("log-halves", GROWN, Edit(LOG, "constexpr std::size_t batch_size = 256;", "constexpr std::size_t batch_size = 16;")),
    plant("text-twice", GROWN, Edit(GENERATE, "    text.push_back(' ');\n", "    text.push_back(' ');\n    text.push_back(' ');\n")),
    plant("unmixed", REMOVED, Edit(KEYS, "    return mix(hash, eight_bytes(end - 8));\n", "    return hash;\n")),
    plant("no-values", REMOVED, Edit(STORE, "std::uint32_t sum_of(const Record& record) { return checksum(record.key) ^ checksum(record.value); }",
                                     "std::uint32_t sum_of(const Record& record) { return checksum(record.key); }")),
    plant("number-halves", RECURSION, after(COMPRESS, "bool decompress(std::string_view coded, std::string& block) {\n", "  if (coded.size() > 64 && coded.size() == block.size())\n"
                                            "    return decompress(coded.substr(1), block);\n")),
]


def tenth(work):
    """A workload with a tenth of the records and lookups: emulation takes its time."""
    work = re.sub(r"^fill (\d+) ", lambda found: f"fill {int(found[1]) // 10} ", work, flags=re.M)
    return re.sub(r"^lookup (\d+) (\d+) (\d+)", lambda found: f"lookup {int(found[1]) // 10} {found[2]} {int(found[3]) // 10}", work, flags=re.M)


def larder():
    files = tree(os.path.join(ROOT, "examples/larder/start"))
    files = {path: tenth(text) if path.endswith(".work") else text for path, text in files.items()}
    build = files["dragnet.toml"]
    for old, new in (("-DCMAKE_BUILD_TYPE", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_BUILD_TYPE"), ("-j2", "-j2 --target larder"),
                     ('["larder", "larder_bench"]', '["larder"]')):
        assert build.count(old) == 1
        build = build.replace(old, new)
    return Subject("larder", {**files, "dragnet.toml": build}, {"plain": []}, PLANTS, {}, [])
