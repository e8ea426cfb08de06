#include "analysis/blame/call_tree.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragnet::blame {
namespace {

constexpr std::size_t first_slots = 1024;

std::size_t mixed(std::uint32_t node, std::uint32_t function) {
  std::uint64_t value = (std::uint64_t{node} << 32) | function;
  value *= 0x9e3779b97f4a7c15U;
  return value ^ (value >> 32);
}

} // namespace

CallTree::CallTree() : nodes_{{.function = no_function}}, slots_(first_slots) {}

// Where the callee is, or where it may be put.
std::size_t CallTree::slot_of(std::uint32_t node, std::uint32_t function) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = mixed(node, function) & mask;; slot = (slot + 1) & mask) {
    const std::uint32_t found = slots_[slot];
    if (found == root || (nodes_[found].parent == node && nodes_[found].function == function))
      return slot;
  }
}

std::uint32_t CallTree::find_callee(std::uint32_t node, std::uint32_t function) {
  std::size_t slot = slot_of(node, function);
  if (slots_[slot] == root) {
    if (nodes_.size() * 2 > slots_.size()) {
      grow();
      slot = slot_of(node, function);
    }
    slots_[slot] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({.function = function, .parent = node});
  }
  nodes_[node].last_callee = slots_[slot];
  nodes_[node].last_function = function;
  return slots_[slot];
}

void CallTree::grow() {
  slots_.assign(slots_.size() * 4, root);
  for (std::uint32_t node = 1; node < nodes_.size(); ++node)
    slots_[slot_of(nodes_[node].parent, nodes_[node].function)] = node;
}

} // namespace dragnet::blame
