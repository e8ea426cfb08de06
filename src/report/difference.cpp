#include "report/difference.h"
#include "base/function_name.h"
#include "base/json.h"
#include "base/text.h"
#include "model/function.h"
#include "report/documents.h"
#include "report/table.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragnet::report {
namespace {

std::size_t count(const Difference& difference, ChangeKind kind) {
  return static_cast<std::size_t>(
      std::ranges::count(difference.changes, kind, &FunctionChange::kind));
}

std::string summary(const Difference& difference, const Sides& sides) {
  if (difference.changes.empty())
    return fmt::format("All {} functions are the same in {} and {}.\n", difference.new_functions,
                       sides.old_name, sides.new_name);
  std::string kinds;
  for (const ChangeKind kind :
       {ChangeKind::Changed, ChangeKind::New, ChangeKind::Deleted, ChangeKind::Renamed})
    if (const std::size_t number = count(difference, kind); number > 0)
      kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", number, name(kind));
  return fmt::format("From {} to {}: {} (of {} functions, now {}).\n\n", sides.old_name,
                     sides.new_name, kinds, difference.old_functions, difference.new_functions);
}

// The first inlined callees that are not the standard library's; those change with whatever uses
// them.
std::string inlined(const FunctionChange& change) {
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (const std::string& callee : change.inlined)
    if (const std::string name = short_name(callee); !demangled(callee).contains("std::"))
      names.push_back(name);
  if (names.empty())
    return "";
  const std::string text =
      ", inlined: " + join(std::span(names).first(std::min(most, names.size())), ", ");
  return names.size() > most ? text + fmt::format(" and {} more", names.size() - most) : text;
}

std::string what_changed(const FunctionChange& change) {
  switch (change.kind) {
  case ChangeKind::Renamed:
    return "was " + short_name(change.old_name);
  case ChangeKind::New:
  case ChangeKind::Deleted:
    return fmt::format("{} instructions", change.edited);
  case ChangeKind::Changed:
    break;
  }
  if (change.edited == 0)
    return "only the data that it refers to";
  std::string text = fmt::format("{} edits, {:.1f} %", change.edited, 100 * change.share());
  if (change.old_instructions != change.new_instructions)
    text +=
        fmt::format(", {} to {} instructions", change.old_instructions, change.new_instructions);
  if (!change.old_name.empty())
    text += ", was " + short_name(change.old_name);
  return text + inlined(change);
}

std::vector<FunctionChange> most_edited_first(const Difference& difference) {
  std::vector<FunctionChange> changes = difference.changes;
  std::ranges::stable_sort(changes, std::ranges::greater{}, &FunctionChange::edited);
  std::ranges::stable_sort(changes, {}, [](const FunctionChange& change) {
    return change.kind == ChangeKind::Changed ? -1 : static_cast<int>(change.kind);
  });
  return changes;
}

Json change_json(const FunctionChange& change) {
  Json json{{"function", change.name},
            {"demangled", demangled(change.name)},
            {"binary", change.binary},
            {"kind", name(change.kind)},
            {"old_instructions", change.old_instructions},
            {"new_instructions", change.new_instructions},
            {"edited", change.edited},
            {"share", change.share()}};
  if (!change.old_name.empty())
    json["old_function"] = change.old_name;
  if (!change.inlined.empty())
    json["inlined"] = change.inlined;
  return json;
}

} // namespace

std::string difference_text(const Difference& difference, const Sides& sides, std::size_t most,
                            bool colours) {
  std::string text = summary(difference, sides);
  const bool several = std::ranges::any_of(difference.changes, [&](const FunctionChange& change) {
    return change.binary != difference.changes.front().binary;
  });
  Table table({{"function"}, {"change"}, {"what"}});
  std::size_t shown = 0;
  for (const FunctionChange& change : most_edited_first(difference)) {
    if (most != 0 && shown == most)
      break;
    ++shown;
    table.add({{short_name(change.name) + (several ? fmt::format(" ({})", change.binary) : "")},
               {std::string(name(change.kind))},
               {what_changed(change)}});
  }
  if (shown > 0)
    text += table.text(colours);
  if (shown < difference.changes.size())
    text += fmt::format("... and {} more; --all shows them.\n", difference.changes.size() - shown);
  return text;
}

std::string difference_json(const Difference& difference, const Sides& sides,
                            const std::string& version) {
  Json document = new_document("difference", version);
  document["old"] = sides.old_name;
  document["new"] = sides.new_name;
  document["old_functions"] = difference.old_functions;
  document["new_functions"] = difference.new_functions;
  document["changes"] = Json::array();
  for (const FunctionChange& change : difference.changes)
    document["changes"].push_back(change_json(change));
  return to_text(document);
}

std::string_view name(ChangeKind kind) {
  switch (kind) {
  case ChangeKind::Deleted:
    return "deleted";
  case ChangeKind::New:
    return "new";
  case ChangeKind::Changed:
    return "changed";
  case ChangeKind::Renamed:
    return "renamed";
  }
  return "";
}

} // namespace dragnet::report
