#include "binary/function_table.h"
#include "base/result.h"
#include "binary/decoded.h"
#include "binary/difference.h"
#include "binary/function_reader.h"
#include "model/function.h"

#include <cstddef>
#include <filesystem>
#include <future>
#include <string>
#include <utility>

namespace dragnet::binary {

Result<FunctionTable> read_functions(const std::filesystem::path& path, const std::string& name) {
  const auto reader = TRY(FunctionReader::open(path));
  reader->decode(ForLater::No);
  FunctionTable table = reader->table(name);
  table.lengths = reader->take_lengths();
  return table;
}

Result<Comparison> compare(const std::filesystem::path& old_path,
                           const std::filesystem::path& new_path, const std::string& name) {
  // Most of a prediction's time is spent here, and most machines have two cores.
  auto opening = std::async(std::launch::async, [&] { return FunctionReader::open(new_path); });
  auto old_result = FunctionReader::open(old_path);
  auto new_result = opening.get();
  const auto before = TRY(std::move(old_result));
  const auto now = TRY(std::move(new_result));
  before->decode(ForLater::Yes);
  auto reading = std::async(std::launch::async, [&] {
    now->decode_beside(*before);
    return now->table(name);
  });
  Comparison comparison;
  comparison.old_table = before->table(name);
  comparison.new_table = reading.get();
  comparison.difference =
      difference({.table = comparison.old_table,
                  .outline = [&](std::size_t function) { return before->outline(function); }},
                 {.table = comparison.new_table,
                  .outline = [&](std::size_t function) { return now->outline(function); }});
  return comparison;
}

} // namespace dragnet::binary
