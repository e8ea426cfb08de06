#include "profile/call_files.h"

#include "base/files.h"
#include "base/result.h"
#include "model/trace.h"
#include "profile/mapped_file.h"
#include "runtime/calls_format.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace dragnet::profile {
namespace {

namespace fs = std::filesystem;
using Bytes = std::span<const std::byte>;

Error damaged(const std::string& how) {
  return Error{fmt::format("the calls file is damaged: {}", how), "run the program again"};
}

// A record out of the file, which need not be aligned in memory. The range was checked.
template <class Record>
Record record_at(Bytes content, std::uint64_t at) {
  Record copied;
  std::memcpy(&copied, content.subspan(at, sizeof(Record)).data(), sizeof(Record));
  return copied;
}

Result<> check_header(const dragnet_calls_header& header, std::uint64_t size) {
  if (header.magic != DRAGNET_CALLS_MAGIC)
    return damaged("it does not begin as one");
  // No product of these can be too large for 64 bits.
  if (header.lane_capacity > 1U << 16 || header.function_capacity > 1U << 24 ||
      header.frame_capacity > 1U << 24 || dragnet_calls_size(&header) > size)
    return damaged("it is cut short");
  if (header.module_count > header.module_capacity || header.text_count > header.text_capacity ||
      header.function_count > header.function_capacity || header.lane_count > header.lane_capacity)
    return damaged("it has more records than room for them");
  return success();
}

// One process; executions that threads share are put together from the lanes.
class Reading {
public:
  explicit Reading(Bytes content) : content_(content) {}

  Result<TracedProcess> read(std::span<const Bytes> ended) {
    if (content_.size() < DRAGNET_CALLS_PAGE)
      return damaged("it is cut short");
    process_.header = record_at<dragnet_calls_header>(content_, 0);
    TRY(check_header(process_.header, content_.size()));
    TRY(read_functions());
    process_.costs.resize(process_.functions.size());
    for (const auto& blocks : ended)
      TRY(read_ended(blocks));
    for (std::uint32_t lane = 0; lane < process_.header.lane_count; ++lane)
      TRY(read_lane(dragnet_lanes_at(&process_.header) +
                    (lane * dragnet_lane_size(&process_.header))));
    finish_shared();
    return std::move(process_);
  }

private:
  Result<std::string> path_of(const dragnet_calls_module& module) const {
    const auto& header = process_.header;
    if (module.text_at > header.text_count || module.text_size > header.text_count - module.text_at)
      return damaged("a module has no sound path");
    const auto text =
        content_.subspan(dragnet_calls_texts_at(&header) + module.text_at, module.text_size);
    std::string path(text.size(), '\0');
    std::ranges::transform(text, path.begin(), [](std::byte b) { return static_cast<char>(b); });
    return path;
  }

  Result<TracedFunction> function_at(std::uint64_t number) const {
    const auto& header = process_.header;
    const auto function = record_at<dragnet_calls_function>(
        content_, dragnet_calls_functions_at(&header) + (number * sizeof(dragnet_calls_function)));
    TracedFunction traced{.path = {}, .file_offset = function.address};
    if (function.module >= header.module_count)
      return traced;
    const auto module = record_at<dragnet_calls_module>(
        content_, DRAGNET_CALLS_PAGE + (function.module * sizeof(dragnet_calls_module)));
    traced.path = TRY(path_of(module));
    traced.file_offset = function.address - module.start + module.file_offset;
    return traced;
  }

  Result<> read_functions() {
    process_.functions.emplace_back();
    for (std::uint64_t i = 1; i < process_.header.function_count; ++i)
      process_.functions.push_back(TRY(function_at(i)));
    return success();
  }

  // Moments are doubled, so that a function that did something when another was entered last, but
  // after it, ends behind it.
  Result<FunctionSpan> taken_in(const dragnet_ended_entry& entry) {
    if (entry.function == 0 || entry.function >= process_.functions.size())
      return damaged("an execution names what is no function");
    process_.costs[entry.function].calls += entry.calls;
    process_.costs[entry.function].cost += entry.cost;
    return FunctionSpan{entry.function, std::uint64_t{entry.first} * 2,
                        (std::uint64_t{std::max(entry.first, entry.last)} * 2) + 1};
  }

  Result<> read_ended(Bytes blocks) {
    for (std::uint64_t at = 0; at + sizeof(dragnet_ended) <= blocks.size();) {
      const auto block = record_at<dragnet_ended>(blocks, at);
      if (block.magic == 0) {
        at = dragnet_pages(at + 1);
        continue;
      }
      at += sizeof block;
      if (block.magic != DRAGNET_ENDED_MAGIC ||
          block.count > (blocks.size() - at) / sizeof(dragnet_ended_entry))
        return damaged("an execution does not fit");
      auto& execution = process_.executions.emplace_back();
      for (std::uint32_t i = 0; i < block.count; ++i, at += sizeof(dragnet_ended_entry))
        execution.push_back(TRY(taken_in(record_at<dragnet_ended_entry>(blocks, at))));
    }
    return success();
  }

  Result<> read_lane(std::uint64_t at) {
    const auto& header = process_.header;
    const auto lane = record_at<dragnet_lane_header>(content_, at);
    if (lane.entered_count > header.function_count || lane.depth > header.frame_capacity)
      return damaged("a thread's part has more records than room for them");
    std::map<std::uint32_t, FunctionSpan> spans;
    for (std::uint64_t i = 0; i < lane.entered_count; ++i) {
      const auto function = record_at<std::uint32_t>(
          content_, at + dragnet_lane_entered_at(&header) + (i * sizeof(std::uint32_t)));
      if (function >= process_.functions.size())
        return damaged("a thread entered what is no function");
      const auto record = record_at<dragnet_calls_record>(
          content_,
          at + DRAGNET_CALLS_PAGE + (std::uint64_t{function} * sizeof(dragnet_calls_record)));
      spans[function] = TRY(taken_in({.function = function,
                                      .zero = 0,
                                      .first = record.first,
                                      .last = record.last,
                                      .calls = record.calls,
                                      .cost = record.cost}));
    }
    raise_open(at, lane.depth, spans);
    add(spans);
    return success();
  }

  // What is on the stack lasts to the end.
  void raise_open(std::uint64_t at, std::uint32_t depth,
                  std::map<std::uint32_t, FunctionSpan>& spans) const {
    const std::uint64_t end = (std::uint64_t{process_.header.clock} * 2) + 1;
    for (std::uint64_t i = 1; i < depth; ++i) {
      const auto begin = record_at<std::uint32_t>(
          content_, at + dragnet_lane_open_at(&process_.header) + (i * sizeof(std::uint32_t)));
      const auto found =
          spans.find(static_cast<std::uint32_t>(begin / sizeof(dragnet_calls_record)));
      if (found != spans.end())
        found->second.last = std::max(found->second.last, end);
    }
  }

  void add(const std::map<std::uint32_t, FunctionSpan>& spans) {
    if (process_.scope() == ExecutionScope::Thread && !spans.empty())
      process_.executions.emplace_back();
    for (const auto& [function, span] : spans) {
      if (process_.scope() == ExecutionScope::Thread) {
        process_.executions.back().push_back(span);
        continue;
      }
      const auto [found, added] = shared_.emplace(function, span);
      found->second.first = std::min(found->second.first, span.first);
      found->second.last = std::max(found->second.last, span.last);
    }
  }

  void finish_shared() {
    if (shared_.empty())
      return;
    auto& execution = process_.executions.emplace_back();
    for (const auto& [function, span] : shared_)
      execution.push_back(span);
  }

  Bytes content_;
  TracedProcess process_;
  std::map<std::uint32_t, FunctionSpan> shared_;
};

// The files of ended executions of a process, by lane.
Result<std::vector<MappedFile>> ended_files(const fs::path& calls) {
  std::vector<MappedFile> files;
  const std::string begin = calls.stem().string() + "-";
  std::vector<fs::path> paths;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(calls.parent_path(), problem))
    if (entry.path().extension() == ".ended" && entry.path().stem().string().starts_with(begin))
      paths.push_back(entry.path());
  std::ranges::sort(paths);
  files.reserve(paths.size());
  for (const auto& path : paths)
    files.push_back(TRY(MappedFile::open(path)));
  return files;
}

} // namespace

Result<TracedProcess> parse_calls(Bytes calls, std::span<const Bytes> ended) {
  return Reading(calls).read(ended);
}

Result<std::vector<TracedProcess>> read_calls(const fs::path& folder) {
  std::vector<TracedProcess> processes;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem)) {
    if (entry.path().extension() != ".calls")
      continue;
    const auto file = TRY(MappedFile::open(entry.path()));
    if (file.is_unused())
      continue;
    const auto ended = TRY(ended_files(entry.path()));
    std::vector<Bytes> contents;
    contents.reserve(ended.size());
    for (const auto& each : ended)
      contents.push_back(each.bytes());
    processes.push_back(TRY_WHILE(entry.path().string(), parse_calls(file.bytes(), contents)));
    processes.back().name = entry.path().stem().string();
  }
  if (problem)
    return file_error("read", folder, problem.value());
  std::ranges::sort(processes, {}, [](const TracedProcess& process) {
    return std::pair(process.header.process, std::pair(process.name.size(), process.name));
  });
  return processes;
}

} // namespace dragnet::profile
