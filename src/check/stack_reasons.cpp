#include "check/stack_reasons.h"

#include "analysis/explain/similarity.h"
#include "analysis/explain/watched.h"
#include "base/function_name.h"
#include "base/units.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::check {
namespace {

// Causes of less than this part of the largest one's effect are not worth a sentence.
constexpr double least_part = 0.1;

struct Deed {
  std::string_view metric;
  std::string_view verb;
  bool has_bytes = true;
};

constexpr std::array<Deed, 8> deeds{{{"written", "writes"},
                                     {"read", "reads"},
                                     {"sent", "sends"},
                                     {"received", "receives"},
                                     {"spliced", "copies between files"},
                                     {"allocated", "allocates"},
                                     {"fsync", "waits for the disk", false},
                                     {"opened", "opens files", false}}};

std::string times_text(double calls) {
  return calls == 1 ? "once" : format_quantity(calls, "") + " times";
}

// "40 MB in 20,000 calls", "20,000 times".
std::string use_text(const explain::RunUse& use, const Deed& deed) {
  if (!deed.has_bytes)
    return times_text(use.calls);
  return fmt::format("{} in {} call{}", format_quantity(use.amount, "B"),
                     format_quantity(use.calls, ""), use.calls == 1 ? "" : "s");
}

std::string cause_text(const explain::Cause& cause) {
  std::string shown = short_name(cause.function.name);
  if (shown.empty())
    shown = "a function without a name";
  if (!cause.place)
    return shown;
  return fmt::format("{} ({}:{})", shown, cause.place->file, cause.place->line);
}

std::string sentence(const explain::SimilarityRow& row, const Deed& deed,
                     const explain::Cause& cause) {
  const std::string before =
      row.before.calls == 0 ? "did not before" : "before " + use_text(row.before, deed);
  if (row.now.calls == 0)
    return fmt::format("It no longer {} under {}: {} before.", deed.verb, cause_text(cause),
                       use_text(row.before, deed));
  return fmt::format("It {} {} under {}, {}.", deed.verb, use_text(row.now, deed),
                     cause_text(cause), before);
}

} // namespace

std::vector<std::string> stack_sentences(const explain::SimilarityReport& report,
                                         std::size_t most) {
  std::vector<std::string> sentences;
  for (const explain::Cause& cause : report.causes) {
    if (sentences.size() == most || cause.effect < least_part * report.causes.front().effect)
      break;
    if (cause.rows.empty())
      continue;
    const explain::SimilarityRow& row = report.rows[cause.rows.front()];
    const auto* const deed = std::ranges::find(deeds, row.metric, &Deed::metric);
    if (deed != deeds.end())
      sentences.push_back(sentence(row, *deed, cause));
  }
  return sentences;
}

} // namespace dragnet::check
