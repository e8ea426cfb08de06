#include "report/tree_json.h"

#include "base/function_name.h"
#include "base/json.h"
#include "model/check.h"

namespace dragnet::report {
namespace {

// Readers of JSON refuse documents that are nested too deep.
constexpr int deepest_call = 80;

Json node_json(const CallNode& node, int depth) {
  Json json{{"name", short_name(node.function)},
            {"old", node.old_instructions},
            {"new", node.new_instructions},
            {"callees", Json::array()}};
  if (depth < deepest_call)
    for (const CallNode& callee : node.callees)
      json["callees"].push_back(node_json(callee, depth + 1));
  return json;
}

} // namespace

Json tree_json(const CallNode& root) {
  return node_json(root, 1);
}

} // namespace dragnet::report
