#include "cli/outputs.h"

#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "cli/html.h"
#include "cli/setting.h"
#include "lab/laboratory.h"
#include "model/check.h"
#include "report/check.h"
#include "report/contents.h"
#include "report/page.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fmt/core.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragnet::cli {
namespace {

constexpr std::array<OutputForm, 7> forms_of_check{{{"json", ".json"},
                                                    {"md", ".md"},
                                                    {"junit", ".xml"},
                                                    {"sarif", ".sarif"},
                                                    {"html", ".html"},
                                                    {"bencher", ""},
                                                    {"github-benchmark", ""}}};

using Forms = std::span<const OutputForm>;

bool is_form(const std::string& word, Forms forms) {
  return std::ranges::any_of(forms, [&](const OutputForm& form) { return form.name == word; });
}

std::string form_of(const std::string& file, Forms forms) {
  for (const auto& [form, end] : forms)
    if (*end != '\0' && file.ends_with(end))
      return form;
  return {};
}

// "end its name in .json or .html", and how to ask for a form that no end of a name means.
std::string hint_for(Forms forms) {
  std::vector<std::string> ends;
  std::string other;
  for (const auto& [form, end] : forms)
    if (*end != '\0')
      ends.emplace_back(end);
    else if (other.empty())
      other = fmt::format(", or write FORM=FILE, for example {}=metrics.json", form);
  const std::string last = std::move(ends.back());
  ends.pop_back();
  return fmt::format("end its name in {} or {}{}", join(ends, ", "), last, other);
}

Result<Output> output_of(const Words& words, const std::string& text,
                         const std::filesystem::path& folder, Forms forms) {
  const std::size_t equals = text.find('=');
  const bool named = equals != std::string::npos && is_form(text.substr(0, equals), forms);
  const std::string file = named ? text.substr(equals + 1) : text;
  Output output{.form = named ? text.substr(0, equals) : form_of(file, forms),
                .file = folder / file};
  if (file.empty() || output.form.empty())
    return words.misuse(fmt::format("--output '{}' does not tell its form", text), hint_for(forms));
  if (!std::filesystem::is_directory(output.file.parent_path()))
    return words.misuse(
        fmt::format("there is no folder {} for --output", output.file.parent_path().string()),
        "make it first");
  return output;
}

Result<std::string> rendered(lab::Laboratory& lab, const CheckedCommit& checked,
                             const std::string& form) {
  if (form == "json")
    return report::check_json(checked, version());
  if (form == "md")
    return report::check_markdown(checked);
  if (form == "junit")
    return report::check_junit(checked);
  if (form == "sarif")
    return report::check_sarif(checked, version());
  if (form == "bencher")
    return report::check_bencher(checked);
  if (form == "github-benchmark")
    return report::check_github_benchmark(checked);
  const auto contents =
      TRY(contents_at(lab, checked.commit.commit, report::check_json(checked, version())));
  return report::html_page(report::contents_json(contents, version()));
}

} // namespace

std::span<const OutputForm> check_forms() {
  return forms_of_check;
}

Result<std::vector<Output>> wanted_outputs(const Words& words, const std::filesystem::path& folder,
                                           std::span<const OutputForm> forms) {
  std::vector<Output> outputs;
  for (const std::string& text : words.values("output"))
    outputs.push_back(TRY(output_of(words, text, folder, forms)));
  return outputs;
}

Result<> write_outputs(lab::Laboratory& lab, const CheckedCommit& checked,
                       const std::vector<Output>& outputs) {
  for (const Output& output : outputs) {
    const auto text = TRY(rendered(lab, checked, output.form));
    TRY_WHILE(fmt::format("cannot write {}", output.file.string()), write_file(output.file, text));
  }
  return success();
}

} // namespace dragnet::cli
