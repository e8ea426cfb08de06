#include "analysis/structure/flow.h"

#include "analysis/structure/dependencies.h"
#include "model/source.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace dragnet::structure {
namespace {

bool is_parameter(const std::string& collection) {
  return collection.starts_with("param ");
}

void add_call(const SourceCall& call, Handing handing, const SourceFacts& facts,
              const CollectionNumbers& numbers, std::vector<Handing>& handings) {
  for (const std::string& target : call.targets)
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const auto parameter = numbers.find(parameter_name(target, i));
      if (parameter == numbers.end())
        continue;
      handing.parameter = parameter->second;
      handing.collection.reset();
      handing.factor = 0;
      handing.more = 0;
      if (const auto& argument = call.arguments[i]) {
        handing.factor = std::max(0.0, argument->number.value_or(argument->factor));
        handing.more = argument->more;
        if (argument->collection)
          handing.collection = numbers.at(facts.collections[*argument->collection]);
      }
      handings.push_back(handing);
    }
}

} // namespace

Flow flow_of(const SourceFacts& facts, std::span<const FlowCaller> callers,
             const CollectionNumbers& numbers) {
  Flow flow;
  for (std::size_t i = 0; i < facts.functions.size(); ++i) {
    const auto& blocks = *callers[i].blocks;
    for (std::size_t block = 0; block < blocks.size(); ++block)
      if (blocks[block].block->kind == BlockKind::Call)
        add_call(facts.functions[i].calls[blocks[block].block->subject],
                 {.caller = callers[i].number, .block = block, .collection = {}}, facts, numbers,
                 flow.handings);
  }
  for (const SourceAlias& alias : facts.aliases)
    if (!is_parameter(facts.collections[alias.collection]))
      flow.same.push_back({.collection = numbers.at(facts.collections[alias.collection]),
                           .source = numbers.at(facts.collections[alias.source])});
  return flow;
}

} // namespace dragnet::structure
