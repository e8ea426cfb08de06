#include "report/inspection.h"

#include "base/json.h"
#include "base/units.h"
#include "model/inspection.h"
#include "model/machine.h"
#include "report/documents.h"
#include "report/table.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace dragnet::report {
namespace {

std::string_view word(Grade grade) {
  switch (grade) {
  case Grade::Good:
    return "good";
  case Grade::Fair:
    return "fair";
  case Grade::Poor:
    return "poor";
  }
  return "unknown";
}

Colour colour_of(Grade grade) {
  return grade == Grade::Good ? Colour::Green : grade == Grade::Fair ? Colour::Yellow : Colour::Red;
}

std::string first_sentence(std::span<const Inspection> found) {
  const auto poor = std::ranges::count(found, Grade::Poor, &Inspection::grade);
  const auto fair = std::ranges::count(found, Grade::Fair, &Inspection::grade);
  if (poor == 0 && fair == 0)
    return "This machine is fit for measuring.";
  return fmt::format("This machine can measure; {} thing{} could be better, {} of them much.",
                     poor + fair, poor + fair == 1 ? "" : "s", poor);
}

} // namespace

std::string inspection_text(std::span<const Inspection> found, const Machine& machine,
                            bool colours) {
  std::string text = fmt::format(
      "{}\n{}, {} cores, {}, Linux {}\n\n", first_sentence(found), machine.processor, machine.cores,
      format_quantity(static_cast<double>(machine.memory_bytes), "B"), machine.kernel);
  Table table({{"what"}, {"grade"}, {"finding"}});
  for (const auto& one : found)
    table.add({{one.what}, {std::string(word(one.grade)), colour_of(one.grade)}, {one.finding}});
  text += table.text(colours);
  std::string advice;
  for (const auto& one : found)
    if (!one.advice.empty())
      advice += fmt::format("  {}: {}\n", one.what, one.advice);
  return advice.empty() ? text : text + "\nTo improve:\n" + advice;
}

std::string inspection_json(std::span<const Inspection> found, const Machine& machine,
                            const std::string& version) {
  Json document = new_document("doctor", version);
  document["machine"] = machine_json(machine);
  document["inspections"] = Json::array();
  for (const auto& one : found)
    document["inspections"].push_back({{"what", one.what},
                                       {"grade", word(one.grade)},
                                       {"finding", one.finding},
                                       {"advice", one.advice}});
  return to_text(document);
}

} // namespace dragnet::report
