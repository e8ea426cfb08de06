#include "base/json.h"
#include "base/result.h"
#include "base/text.h"
#include "formats/csv.h"
#include "formats/documents.h"
#include "formats/foreign_results.h"

#include <string>
#include <string_view>

namespace dragnet::formats {
namespace {

Result<ForeignResults> read_json(std::string_view text) {
  const Json document = TRY(parse_document(text));
  if (member(document, "benchmarks").is_array())
    return google_benchmark_results(document);
  if (member(document, "results").is_array())
    return hyperfine_results(document);
  return Error{
      "it is JSON, but has neither a list 'benchmarks' nor a list 'results'",
      "known are: Google Benchmark's --benchmark_format=json, hyperfine's --export-json, and CSV"};
}

} // namespace

Result<ForeignResults> read_any(std::string_view text, std::string_view file_name) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  const auto content = trim(text.starts_with(byte_order_mark) ? text.substr(3) : text);
  const std::string file(file_name);
  if (content.empty())
    return Error{file + ": it is empty", {}};
  return TRY_WHILE(file, content.starts_with('{') || content.starts_with('[') ? read_json(text)
                                                                              : read_csv(text));
}

} // namespace dragnet::formats
