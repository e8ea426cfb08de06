// Profiles by stacks, made for tests.
#pragma once

#include "analysis/explain/watched.h"
#include "base/text.h"
#include "model/stacks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dragnet::explain {

/// A path like "main;emit;/lib/libc.so:write": functions of the build are in "app" unless a binary
/// is named; "name@line" gives a place; "=name" is inlined.
inline StackFrame frame_of(std::string text) {
  StackFrame frame;
  if (text.starts_with("=")) {
    frame.inlined = true;
    text.erase(0, 1);
  }
  if (const std::size_t at = text.find('@'); at != std::string::npos) {
    frame.place = SourcePlace{"src/app.cpp", std::stoul(text.substr(at + 1))};
    text.resize(at);
  }
  const std::size_t colon = text.rfind(':');
  const bool named = colon != std::string::npos && colon > 0 && text[colon - 1] != ':';
  frame.function =
      named ? FunctionId{text.substr(0, colon), text.substr(colon + 1)} : FunctionId{"app", text};
  return frame;
}

/// What a run does under a stack.
struct Use {
  std::string stack;
  std::uint64_t calls = 0;
  std::uint64_t amount = 0;
  std::string metric = "written";
  std::string file = {}; // NOLINT(readability-redundant-member-init): it may be left out
};

inline StackProfile profile_of(const std::vector<Use>& uses) {
  StackProfile profile;
  const auto number = [](auto& list, const auto& value) {
    const auto found = std::ranges::find(list, value);
    const auto at = static_cast<std::size_t>(found - list.begin());
    if (found == list.end())
      list.push_back(value);
    return at;
  };
  for (const Use& use : uses) {
    std::vector<std::size_t> stack;
    for (const std::string& part : split(use.stack, ';'))
      stack.push_back(number(profile.frames, frame_of(part)));
    profile.uses.push_back(
        {number(profile.stacks, stack), use.metric, use.file, use.calls, use.amount});
  }
  return profile;
}

inline WatchedRun run_of(const std::vector<Use>& uses) {
  WatchedRun made;
  made.profile = profile_of(uses);
  made.run.seconds = 1;
  return made;
}

/// A commit whose runs did this.
inline WatchedCommit commit_of(const std::vector<std::vector<Use>>& runs,
                               const std::string& id = "1111111111111111") {
  WatchedCommit made;
  made.commit.id.text = id;
  for (const auto& uses : runs)
    made.runs.push_back(run_of(uses));
  return made;
}

/// The functions of a stack with semicolons between.
inline std::string text_of(const std::vector<StackFrame>& frames) {
  std::string text;
  for (const StackFrame& frame : frames)
    text += (text.empty() ? "" : ";") + frame.function.name;
  return text;
}

} // namespace dragnet::explain
