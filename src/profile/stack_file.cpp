#include "profile/stack_file.h"

#include "base/files.h"
#include "base/result.h"
#include "profile/mapped_file.h"
#include "runtime/stacks_format.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

namespace fs = std::filesystem;
using Bytes = std::span<const std::byte>;

Error damaged(const std::string& how) {
  return Error{fmt::format("the stacks file is damaged: {}", how), "run the benchmark again"};
}

// Copies records out of the file, which need not be aligned in memory. The range was checked.
template <class Record>
std::vector<Record> records(Bytes content, std::uint64_t at, std::uint32_t count) {
  std::vector<Record> copied(count);
  if (count > 0)
    std::memcpy(copied.data(), content.subspan(at).data(), count * sizeof(Record));
  return copied;
}

Result<> check_header(const dragnet_stacks_header& header, std::uint64_t size) {
  if (header.magic != DRAGNET_STACKS_MAGIC)
    return damaged("it does not begin as one");
  if (dragnet_stacks_size(&header) > size)
    return damaged("it is cut short");
  if (header.module_count > header.module_capacity || header.gap_count > header.gap_capacity ||
      header.file_count > header.file_capacity || header.text_count > header.text_capacity ||
      header.stack_count > header.stack_capacity || header.word_count > header.word_capacity ||
      header.use_count > header.use_capacity)
    return damaged("it has more records than room for them");
  return success();
}

std::optional<std::string> text_in(Bytes texts, std::uint32_t at, std::uint32_t size) {
  if (at > texts.size() || size > texts.size() - at)
    return std::nullopt;
  std::string text(size, '\0');
  std::ranges::transform(texts.subspan(at, size), text.begin(),
                         [](std::byte b) { return static_cast<char>(b); });
  constexpr std::string_view gone = " (deleted)";
  if (text.ends_with(gone))
    text.resize(text.size() - gone.size());
  return text;
}

Result<> read_names(Bytes content, ProcessStacks& process) {
  const auto& header = process.header;
  const Bytes texts = content.subspan(dragnet_texts_at(&header), header.text_count);
  for (const auto& module :
       records<dragnet_stacks_module>(content, DRAGNET_STACKS_HEADER_SIZE, header.module_count)) {
    auto path = text_in(texts, module.text_at, module.text_size);
    if (!path || module.start >= module.end)
      return damaged("a module has no sound path or place");
    process.modules.push_back({std::move(*path), module.start, module.end, module.file_offset});
  }
  for (const auto& file :
       records<dragnet_stacks_file>(content, dragnet_files_at(&header), header.file_count)) {
    auto path = text_in(texts, file.text_at, file.text_size);
    if (!path)
      return damaged("a file has no sound path");
    process.files.push_back(std::move(*path));
  }
  return success();
}

Result<> check_references(const ProcessStacks& process) {
  for (const auto& stack : process.stacks)
    if (stack.word_at > process.words.size() ||
        stack.depth > process.words.size() - stack.word_at ||
        stack.modules > process.modules.size())
      return damaged("a stack has no sound place");
  for (const auto& use : process.uses)
    if (use.stack >= process.stacks.size() || use.kind >= DRAGNET_USE_KINDS ||
        (use.file != DRAGNET_NO_FILE && use.file >= process.files.size()))
      return damaged("a use names what is not there");
  return success();
}

} // namespace

const ProcessStacks::Module* ProcessStacks::module_at(std::uint64_t address,
                                                      const dragnet_stack& stack) const {
  for (std::size_t index = stack.modules; index-- > 0;)
    if (address >= modules[index].start && address < modules[index].end)
      return &modules[index];
  return nullptr;
}

Result<ProcessStacks> parse_stacks(Bytes content) {
  if (content.size() < DRAGNET_STACKS_HEADER_SIZE)
    return damaged("it is cut short");
  ProcessStacks process;
  auto& header = process.header;
  std::memcpy(&header, content.data(), sizeof header);
  TRY(check_header(header, content.size()));
  TRY(read_names(content, process));
  process.gaps = records<dragnet_gap>(content, dragnet_gaps_at(&header), header.gap_count);
  process.stacks = records<dragnet_stack>(content, dragnet_stacks_at(&header), header.stack_count);
  process.words = records<std::uint64_t>(content, dragnet_words_at(&header), header.word_count);
  process.uses = records<dragnet_use>(content, dragnet_uses_at(&header), header.use_count);
  TRY(check_references(process));
  return process;
}

Result<std::vector<ProcessStacks>> read_stacks(const fs::path& folder) {
  std::vector<ProcessStacks> processes;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    if (entry.path().extension() != ".stacks")
      continue;
    const auto file = TRY(MappedFile::open(entry.path()));
    if (file.is_unused())
      continue;
    processes.push_back(TRY_WHILE(entry.path().string(), parse_stacks(file.bytes())));
    processes.back().name = entry.path().stem().string();
  }
  if (problem)
    return file_error("read", folder, problem.value());
  std::ranges::sort(processes, {}, [](const ProcessStacks& process) {
    return std::pair(process.header.process, std::pair(process.name.size(), process.name));
  });
  return processes;
}

} // namespace dragnet::profile
