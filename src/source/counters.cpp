#include "source/counters.h"

#include "base/result.h"
#include "facts/counts.h"

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ProfileData/Coverage/CoverageMapping.h>
#include <llvm/ProfileData/InstrProfReader.h>
#include <llvm/ProfileData/InstrProfWriter.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::source {
namespace {

using llvm::coverage::CounterMappingRegion;
using llvm::coverage::CoverageMapping;
using llvm::coverage::FunctionRecord;

constexpr const char* indexed_name = "/indexed.profdata";

Error error_of(const std::string& doing, llvm::Error problem) {
  return {doing + ": " + llvm::toString(std::move(problem)),
          "the program must be built with -fprofile-instr-generate -fcoverage-mapping by Clang 19"};
}

Result<> add_raw(const std::filesystem::path& file, llvm::vfs::FileSystem& files,
                 llvm::InstrProfWriter& writer) {
  auto reader = llvm::InstrProfReader::create(file.string(), files);
  if (!reader)
    return error_of("cannot read the counters in " + file.string(), reader.takeError());
  if (auto problem = writer.mergeProfileKind((*reader)->getProfileKind()))
    return error_of("cannot merge the counters in " + file.string(), std::move(problem));
  for (auto& record : **reader)
    writer.addRecord(std::move(record), 1,
                     [](llvm::Error problem) { llvm::consumeError(std::move(problem)); });
  if ((*reader)->hasError())
    return error_of("cannot read the counters in " + file.string(), (*reader)->getError());
  return success();
}

std::string file_of(const FunctionRecord& function, const std::filesystem::path& root) {
  if (function.Filenames.empty())
    return {};
  const std::filesystem::path file(function.Filenames.front());
  const auto below = file.lexically_normal().lexically_relative(root);
  return below.empty() || below.native().starts_with("..") ? file.string() : below.string();
}

// Local functions are called FILE;NAME or FILE:NAME; facts put the file behind.
std::string name_of(const FunctionRecord& function, const std::string& file) {
  const std::size_t separator = function.Name.find_last_of(";:");
  return separator == std::string::npos ? function.Name
                                        : function.Name.substr(separator + 1) + "@" + file;
}

facts::CountedFunction counted(const FunctionRecord& function, const std::filesystem::path& root) {
  facts::CountedFunction result{.name = {}, .file = file_of(function, root), .regions = {}};
  result.name = name_of(function, result.file);
  for (const auto& region : function.CountedRegions)
    if (region.FileID == 0 && (region.Kind == CounterMappingRegion::CodeRegion ||
                               region.Kind == CounterMappingRegion::ExpansionRegion))
      result.regions.push_back({.line = region.LineStart,
                                .column = region.ColumnStart,
                                .end_line = region.LineEnd,
                                .end_column = region.ColumnEnd,
                                .count = static_cast<double>(region.ExecutionCount)});
  // The body stands first, whatever the order of the file.
  std::ranges::stable_sort(result.regions, {}, [](const facts::CountedRegion& region) {
    return std::pair(region.line, region.column);
  });
  return result;
}

} // namespace

Result<std::vector<facts::CountedFunction>>
read_counters(const std::vector<std::filesystem::path>& raw_files,
              const std::vector<std::filesystem::path>& binaries,
              const std::filesystem::path& root) {
  const auto real = llvm::vfs::getRealFileSystem();
  llvm::InstrProfWriter writer;
  for (const auto& file : raw_files)
    TRY(add_raw(file, *real, writer));
  const llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory(
      new llvm::vfs::InMemoryFileSystem);
  memory->addFile(indexed_name, 0, writer.writeBuffer());
  llvm::vfs::OverlayFileSystem files(real);
  files.pushOverlay(memory);
  std::vector<std::string> names;
  names.reserve(binaries.size());
  for (const auto& binary : binaries)
    names.push_back(binary.string());
  const std::vector<llvm::StringRef> objects(names.begin(), names.end());
  auto mapping = CoverageMapping::load(objects, indexed_name, files);
  if (!mapping)
    return error_of("cannot read what the counters mean", mapping.takeError());
  std::vector<facts::CountedFunction> functions;
  for (const FunctionRecord& function : (*mapping)->getCoveredFunctions())
    if (function.ExecutionCount > 0)
      functions.push_back(counted(function, root));
  return functions;
}

} // namespace dragnet::source
