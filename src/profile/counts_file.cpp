#include "profile/counts_file.h"

#include "base/files.h"
#include "base/result.h"
#include "profile/mapped_file.h"
#include "runtime/counts_format.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

namespace fs = std::filesystem;
using Bytes = std::span<const std::byte>;

Error damaged(const std::string& how) {
  return Error{fmt::format("the counts file is damaged: {}", how), "profile the benchmark again"};
}

// Copies records out of the file, which need not be aligned in memory. The range was checked.
template <class Record>
std::vector<Record> records(Bytes content, std::uint64_t at, std::uint32_t count) {
  std::vector<Record> copied(count);
  if (count > 0)
    std::memcpy(copied.data(), content.subspan(at).data(), count * sizeof(Record));
  return copied;
}

Result<> check_header(const dragnet_counts_header& header, std::uint64_t size) {
  if (header.magic != DRAGNET_COUNTS_MAGIC)
    return damaged("it does not begin as one");
  if (dragnet_counts_size(&header) > size)
    return damaged("it is cut short");
  if (header.module_count > header.module_capacity || header.path_count > header.path_capacity ||
      header.block_count > header.block_capacity || header.edge_count > header.edge_capacity)
    return damaged("it has more records than room for them");
  if (header.lost > 0 || header.lost_processes > 0)
    return Error{fmt::format("the counts are not whole: {} records and {} processes found no room",
                             header.lost, header.lost_processes),
                 "make room on the disk, or make the benchmark smaller"};
  return success();
}

Result<std::vector<ProcessCounts::Module>> modules_in(Bytes content,
                                                      const dragnet_counts_header& header) {
  std::vector<ProcessCounts::Module> modules;
  const auto paths = content.subspan(dragnet_paths_at(&header), header.path_count);
  for (const auto& module :
       records<dragnet_module>(content, DRAGNET_HEADER_SIZE, header.module_count)) {
    if (module.path_at > paths.size() || module.path_size > paths.size() - module.path_at ||
        module.start >= module.end)
      return damaged("a module has no sound path or place");
    const auto path = paths.subspan(module.path_at, module.path_size);
    std::string text(path.size(), '\0');
    std::ranges::transform(path, text.begin(), [](std::byte b) { return static_cast<char>(b); });
    modules.push_back({std::move(text), module.start, module.end, module.file_offset});
  }
  return modules;
}

bool is_sound(const dragnet_block& block, const ProcessCounts& process) {
  if (block.instructions == 0 || block.bytes < block.instructions ||
      block.last_size > block.bytes || block.first_size > block.bytes ||
      block.ending > DRAGNET_ENDS_IN_RETURN)
    return false;
  if (block.module == DRAGNET_NO_MODULE)
    return true;
  if (block.module >= process.modules.size())
    return false;
  const auto& module = process.modules[block.module];
  return block.start >= module.start && block.start < module.end;
}

bool reaches_into_next_page(const dragnet_block& block) {
  return block.start % DRAGNET_PAGE_SIZE + block.first_size > DRAGNET_PAGE_SIZE;
}

// Takes instructions away that were listed but left to the next block (runtime/counts_format.h).
void take_unexecuted_away(std::vector<dragnet_block>& blocks) {
  std::unordered_set<std::uint64_t> reaching;
  for (const auto& block : blocks)
    if (reaches_into_next_page(block))
      reaching.insert(block.start);
  for (auto& block : blocks) {
    if (block.instructions < 2 || !reaching.contains(block.start + block.bytes - block.last_size))
      continue;
    --block.instructions;
    block.bytes -= block.last_size;
    block.ending = DRAGNET_ENDS_OTHERWISE;
    block.target = 0;
    block.last_size = 0;
  }
}

Result<> read_edges(Bytes content, const dragnet_counts_header& header, ProcessCounts& process) {
  const auto edges = records<dragnet_edge>(content, dragnet_edges_at(&header), header.edge_count);
  const auto counts =
      records<std::uint64_t>(content, dragnet_edge_counts_at(&header), header.edge_count);
  for (std::size_t index = 0; index < edges.size(); ++index) {
    const auto& edge = edges[index];
    if (edge.from >= process.blocks.size() || edge.to >= process.blocks.size())
      return damaged("an edge joins blocks that are not there");
    process.edges.push_back({edge.from, edge.to, counts[index]});
  }
  return success();
}

} // namespace

Result<ProcessCounts> parse_counts(Bytes content) {
  if (content.size() < DRAGNET_HEADER_SIZE)
    return damaged("it is cut short");
  dragnet_counts_header header;
  std::memcpy(&header, content.data(), sizeof header);
  TRY(check_header(header, content.size()));
  ProcessCounts process;
  process.process = header.process;
  process.parent = header.parent;
  process.modules = TRY(modules_in(content, header));
  process.blocks = records<dragnet_block>(content, dragnet_blocks_at(&header), header.block_count);
  for (const auto& block : process.blocks)
    if (!is_sound(block, process))
      return damaged("a block has no sound size or place");
  take_unexecuted_away(process.blocks);
  process.counts =
      records<std::uint64_t>(content, dragnet_block_counts_at(&header), header.block_count);
  TRY(read_edges(content, header, process));
  return process;
}

Result<std::vector<ProcessCounts>> read_counts(const fs::path& folder) {
  std::vector<ProcessCounts> processes;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    if (entry.path().extension() != ".counts")
      continue;
    const auto file = TRY(MappedFile::open(entry.path()));
    if (!file.is_unused())
      processes.push_back(TRY_WHILE(entry.path().string(), parse_counts(file.bytes())));
  }
  if (problem)
    return file_error("read", folder, problem.value());
  return processes;
}

} // namespace dragnet::profile
