// Source that a test writes down, read into facts.
#pragma once

#include "base/files.h"
#include "facts/unit_facts.h"
#include "fakes/temporary_folder.h"
#include "model/source.h"
#include "source/translation.h"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace dragnet::source {

inline SourceFacts facts_of(const std::string& text, const std::string& file = "code.cpp",
                            const std::vector<std::string>& flags = {}) {
  const fakes::TemporaryFolder folder;
  EXPECT_TRUE(write_file(folder / file, text));
  std::vector<std::string> words{file.ends_with(".c") ? "cc" : "c++"};
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {"-c", file});
  const auto translation =
      translate({.folder = folder.path(), .file = file, .words = words}, folder.path());
  return facts::linked({translation.facts});
}

/// The function whose mangled name has a part.
inline const SourceFunction& function_in(const SourceFacts& facts, const std::string& part) {
  const auto found = std::ranges::find_if(facts.functions, [&](const SourceFunction& function) {
    return function.name.find(part) != std::string::npos;
  });
  if (found == facts.functions.end())
    throw std::runtime_error("there is no function with " + part);
  return *found;
}

/// The names of collections and of all that they may be.
inline std::vector<std::string> names_of(const SourceFacts& facts,
                                         std::vector<CollectionNumber> collections) {
  for (std::size_t i = 0; i < collections.size(); ++i)
    for (const SourceAlias& alias : facts.aliases)
      if (alias.collection == collections[i] &&
          std::ranges::find(collections, alias.source) == collections.end())
        collections.push_back(alias.source);
  std::vector<std::string> names;
  for (const CollectionNumber one : collections)
    names.push_back(facts.collections[one]);
  std::ranges::sort(names);
  return names;
}

/// A body as text: s(...) b(...) l(...) c x, without weights and places.
inline std::string outline(const SourceBlock& block) {
  std::string text(1, "sblcx"[static_cast<std::size_t>(block.kind)]);
  if (block.parts.empty() && block.kind != BlockKind::Sequence)
    return text;
  text += '(';
  for (const SourceBlock& part : block.parts)
    text += outline(part);
  return text + ')';
}

} // namespace dragnet::source
