#include "report/page.h"

#include "base/ensure.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// web/dist/report.html, put here by the assembler: no compiler takes long strings as fast.
asm(".pushsection .rodata\n"
    ".global dragnet_page_size, dragnet_page\n"
    ".balign 8\n"
    "dragnet_page_size:\n"
    ".quad dragnet_page_end - dragnet_page\n"
    "dragnet_page:\n"
    ".incbin \"" DRAGNET_PAGE "\"\n"
    "dragnet_page_end:\n"
    ".popsection\n");

extern "C" {
extern const std::uint64_t dragnet_page_size;
extern const char dragnet_page[];
}

namespace dragnet::report {
namespace {

constexpr std::string_view place = R"(<script type="application/json" id="report">)";
constexpr std::string_view line_separator = "\u2028";
constexpr std::string_view paragraph_separator = "\u2029";

// JSON that cannot end or confuse the element that it stands in. In JSON these characters occur in
// strings only, where they may be written as escapes.
std::string harmless(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (json[i] == '<') {
      text += "\\u003c";
    } else if (rest.starts_with(line_separator) || rest.starts_with(paragraph_separator)) {
      text += rest.starts_with(line_separator) ? "\\u2028" : "\\u2029";
      i += line_separator.size() - 1;
    } else {
      text += json[i];
    }
  }
  return text;
}

} // namespace

std::string html_page(const std::string& report_json) {
  const std::string_view page(dragnet_page, dragnet_page_size);
  const std::size_t before = page.find(place);
  ensure(before != std::string_view::npos, "the page has a place for the report");
  const std::size_t begin = before + place.size();
  const std::size_t end = page.find("</script>", begin);
  ensure(end != std::string_view::npos, "the place for the report ends");
  std::string filled(page.substr(0, begin));
  filled += harmless(report_json);
  filled += page.substr(end);
  return filled;
}

} // namespace dragnet::report
