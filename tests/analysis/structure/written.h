// Functions written down as blocks, and what tests executed of them.
#pragma once

#include "model/profile.h"
#include "model/source.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace dragnet {

/// A block as tests write it; numbers of loops and calls are given by `function`.
struct Written {
  BlockKind kind = BlockKind::Sequence;
  std::string head; ///< the callees of a call, separated by |; otherwise what makes its identity
  std::vector<Written> parts = {};
  std::uint32_t weight = 0;
  std::vector<CollectionNumber> walks = {};
  std::vector<CollectionNumber> fills = {};
};

inline Written call(std::string callees) {
  return {.kind = BlockKind::Call, .head = std::move(callees)};
}
inline Written leave() {
  return {.kind = BlockKind::Exit, .head = ""};
}
inline Written work(std::uint32_t weight) {
  return {.kind = BlockKind::Sequence, .head = "", .weight = weight};
}
inline Written sequence(std::vector<Written> parts) {
  return {.kind = BlockKind::Sequence, .head = "", .parts = std::move(parts)};
}
inline Written branch(std::string head, std::vector<Written> parts) {
  return {.kind = BlockKind::Branch, .head = std::move(head), .parts = std::move(parts)};
}

/// What a loop has to do with collections.
struct Hold {
  std::vector<CollectionNumber> walks = {};
  std::vector<CollectionNumber> fills = {};
};
inline Written loop(std::string head, std::vector<Written> parts, Hold hold = {}) {
  return {.kind = BlockKind::Loop,
          .head = std::move(head),
          .parts = {sequence(std::move(parts))},
          .walks = std::move(hold.walks),
          .fills = std::move(hold.fills)};
}

inline std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::size_t first = 0;
  while (first <= list.size()) {
    const std::size_t end = std::min(list.find('|', first), list.size());
    names.push_back(list.substr(first, end - first));
    first = end + 1;
  }
  return names;
}

inline SourceBlock block_of(const Written& written, SourceFunction& function) {
  SourceBlock block{.kind = written.kind,
                    .weight = written.weight,
                    .identity = std::hash<std::string>()(written.head)};
  if (written.kind == BlockKind::Call) {
    block.subject = static_cast<std::uint32_t>(function.calls.size());
    auto targets = names_in(written.head);
    function.calls.push_back(
        {.kind = targets.size() > 1 ? CallKind::Indirect : CallKind::Direct, .targets = targets});
  }
  if (written.kind == BlockKind::Loop) {
    block.subject = static_cast<std::uint32_t>(function.loops.size());
    SourceLoop made;
    made.walks = written.walks;
    made.fills = written.fills;
    function.loops.push_back(made);
  }
  for (const Written& part : written.parts)
    block.parts.push_back(block_of(part, function));
  return block;
}

inline std::string text_of(const Written& written) {
  std::string text = std::to_string(static_cast<int>(written.kind)) + written.head + "(" +
                     std::to_string(written.weight);
  for (const Written& part : written.parts)
    text += text_of(part);
  return text + ")";
}

inline SourceFunction function(std::string name, std::vector<Written> parts) {
  SourceFunction made;
  made.name = std::move(name);
  const Written body = sequence(std::move(parts));
  made.body = block_of(body, made);
  made.body_hash = std::hash<std::string>()(text_of(body));
  return made;
}

inline SourceFacts facts(std::vector<SourceFunction> functions, std::size_t collections = 0) {
  SourceFacts made;
  made.functions = std::move(functions);
  for (std::size_t i = 0; i < collections; ++i)
    made.collections.push_back("collection" + std::to_string(i));
  return made;
}

} // namespace dragnet
